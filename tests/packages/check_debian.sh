#!/usr/bin/env bash
# check_debian.sh SOURCE PACKAGES WORK: installs the packages of PACKAGES on a Debian bookworm with nothing else on it, uses them,
# and purges them (in_debian.sh). The file system that debootstrap makes is kept in SOURCE/build for the next time.
# Exits with 77, which ctest counts as skipped, if a new file system cannot be created.
set -euo pipefail
source=$1 packages=$2 work=$3
fresh=$source/build/bookworm.root archives=$source/build/bookworm.archives
fail() { echo "check_debian: $1" >&2 && exit 1; }
skip() { echo "check_debian: left out: $1" && exit 77; }

[[ $(id -u) == 0 ]] || skip "only root makes a Debian file system"
command -v debootstrap >/dev/null || skip "there is no debootstrap"
unshare --mount --pid --fork true 2>/dev/null || skip "the kernel gives no namespace"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Codename: bookworm' | head -1)
[[ -n $mirror ]] || skip "apt knows no archive of Debian bookworm here"

exec 9>"$fresh.lock" && flock 9
if [[ ! -d $fresh ]]; then
  echo "makes $fresh from $mirror"
  rm -rf "$fresh.unfinished"
  debootstrap --variant=minbase bookworm "$fresh.unfinished" "$mirror" >"$fresh.log" 2>&1 ||
    { tail -20 "$fresh.log" >&2 && fail "debootstrap failed; the whole log is $fresh.log"; }
  mv "$fresh.unfinished" "$fresh"
fi

root=$work/root
rm -rf "$work" && mkdir -p "$work" "$archives"
cp -a "$fresh" "$root"
mkdir "$root"/{packages,tests}
cp "$packages"/berth*.deb "$root/packages/"
cp -a "$source/tests"/{packages,external_plugin,scenarios} "$root/tests/"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
# These files are not needed after a power failure.
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
  sort -u >"$root/etc/apt/sources.list"

export root archives
unshare --mount --pid --fork --kill-child bash -euo pipefail -c '
  mount -t proc proc "$root/proc"
  mount --bind "$archives" "$root/var/cache/apt/archives"
  exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
    ${http_proxy:+http_proxy=$http_proxy} /tests/packages/in_debian.sh' || fail "the packages do not work on a fresh Debian: see above"
rm -rf "$root"
