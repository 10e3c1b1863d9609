#!/usr/bin/env bash
# check_image.sh PYTHON SOURCE BUILD ARCH WORK: makes the OCI layout of the images `berth` and, for this machine's architecture,
# `berth-plugins` from a build for Debian's ARCH, unpacks both, and runs their programs with their own loaders and libraries.
set -euo pipefail
python=$1 source=$2 build=$3 arch=$4 work=$5
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "check_image: $1" >&2 && exit 1; }

rm -rf "$work" && mkdir -p "$work"/{root,volume}
write() { (cd "$source" && TAG=test scripts/image --oci "$work/$1" --arch "$arch" --build "$build"); }
write oci
write again >/dev/null
diff -r "$work/oci" "$work/again" || fail "the same files make another image"
unpack() { "$python" "$here/oci_reader.py" "$work/oci" "$1:test" "$arch" "$2"; }
[[ $(unpack berth "$work/root") == /opt/berth/bin/berth-scheduler ]] || fail "the image starts something else"

size=$(du -s --apparent-size -B1 "$work/root" | cut -f1)
((size <= 60 * 1000 * 1000)) || fail "the image has $size bytes"
echo "the image has $((size / 1000 / 1000)) MB"

root=$work/root
loader=$(readelf -lW "$root/opt/berth/bin/berth-scheduler" | sed -nE 's/.*interpreter: (.*)\]/\1/p')
folders=$(find "$root" -path '*/lib*' -name '*.so*' -not -path '*/opt/*' -printf '%h\n' | sort -u | paste -sd:)
while read -r file; do
  while read -r line; do
    # qemu's vdso has no name.
    [[ $line == *linux-vdso* || $line == '('* || $line == *"$root"* ]] || fail "$file needs ${line%% *} of this machine"
  done < <("$root$loader" --inhibit-cache --library-path "$folders" --list "$file")
done < <(find "$root/opt/berth" -type f \( -name '*.so' -o -path '*/bin/*' \))
for link in bin usr/local/bin; do
  [[ $(readlink "$root/$link/kube-scheduler") == /opt/berth/bin/berth-scheduler ]] || fail "/$link/kube-scheduler is no link to the scheduler"
done
if unshare --user --map-root-user true 2>/dev/null; then
  unshare --user --map-root-user --root="$root" /bin/kube-scheduler --version || fail "the scheduler does not start in the image"
else
  "$root$loader" --inhibit-cache --library-path "$folders" "$root/opt/berth/bin/berth-scheduler" --version
fi
for file in etc/ssl/certs/ca-certificates.crt etc/passwd var/lib/dpkg/status.d/libc6 usr/share/doc/libssl3/copyright \
  opt/berth/lib/berth/plugins/NodeResourcesFit.so; do
  [[ -s $root/$file ]] || fail "the image has no /$file"
done
[[ ! -e $root/bin/sh && -d $root/tmp ]] || fail "the image has a shell, or no /tmp"

# The other image copies its plugins with its own shell, as the init containers of the manifests do.
[[ $arch == "$(dpkg --print-architecture)" ]] || exit 0
[[ $(unpack berth-plugins "$work/volume") == "" ]] || fail "the image of the plugins starts something"
loader=$(readelf -lW "$work/volume/bin/sh" | sed -nE 's/.*interpreter: (.*)\]/\1/p')
folders=$(find "$work/volume" -path '*/lib*' -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
run="$work/volume$loader --inhibit-cache --library-path $folders $work/volume/bin"
$run/sh -ec "for file in '$work'/volume/plugins/NodeResources?it.so; do $run/install -m 0555 \"\$file\" '$work/copied'; done"
cmp "$work/copied" "$work/volume/plugins/NodeResourcesFit.so" || fail "the plugin is not copied"
