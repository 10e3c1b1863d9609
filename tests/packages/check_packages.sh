#!/usr/bin/env bash
# check_packages.sh CMAKE BUILD WORK: makes the Debian packages of a build, unpacks them into a separate root, and checks them.
set -euo pipefail
cmake=$1 build=$2 work=$3
fail() { echo "check_packages: $1" >&2 && exit 1; }

rm -rf "$work" && mkdir -p "$work"
"$(dirname "$cmake")/cpack" -G DEB -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/cpack.log" 2>&1 ||
  { tail -30 "$work/cpack.log" >&2 && fail "cpack failed"; }

root=$work/root debug=$work/debug
mkdir "$root" "$debug"
for package in berth berth-plugins berth-sdk; do
  file=("$work/packages/${package}"_*.deb)
  [[ ${#file[@]} == 1 && -f ${file[0]} ]] || fail "there is not one package $package: ${file[*]}"
  dpkg-deb -x "${file[0]}" "$root"
  symbols=("$work/packages/${package}"-dbgsym_*.*deb)
  [[ -f ${symbols[0]} ]] || fail "there is no debug package of $package"
  dpkg-deb -x "${symbols[0]}" "$debug"
  echo "$package: $(stat -c %s "${file[0]}") bytes, $(dpkg-deb -f "${file[0]}" Installed-Size) KiB installed"
  [[ -s $root/usr/share/doc/$package/copyright ]] || fail "$package has no license"
done

depends() { dpkg-deb -f "$work/packages/$1"_*.deb Depends; }
[[ $(depends berth) == *libc6* && $(depends berth) == *libssl* && $(depends berth) == *berth-plugins* ]] || fail "berth depends on $(depends berth)"
[[ $(depends berth-plugins) == *libstdc++6* ]] || fail "berth-plugins depends on $(depends berth-plugins)"

for file in usr/bin/berth-scheduler usr/bin/berth-controllers usr/bin/berthctl usr/share/man/man8/berth-scheduler.8 \
  usr/share/man/man8/berth-controllers.8 usr/share/man/man1/berthctl.1 usr/share/man/man1/kubectl-berth.1 \
  usr/lib/systemd/system/berth-scheduler.service usr/lib/sysusers.d/berth.conf etc/berth/scheduler-config.yaml \
  etc/default/berth-scheduler usr/lib/berth/plugins/NodeResourcesFit.so usr/include/berth/plugin.h \
  usr/lib/cmake/BerthSDK/BerthSDKConfig.cmake usr/share/berth/rust/Cargo.toml usr/share/berth/template; do
  [[ -e $root/$file || -e $root/$file.gz ]] || fail "no package contains /$file"
done
[[ $(readlink "$root/usr/bin/kubectl-berth") == berthctl ]] || fail "kubectl-berth is no link to berthctl"
# Each file of /etc is a configuration file of dpkg, so an upgrade keeps what an administrator has changed.
dpkg-deb -I "$work/packages"/berth_*.deb conffiles | sort >"$work/conffiles"
(cd "$root" && find etc -type f -printf '/%p\n' | sort) | diff - "$work/conffiles" || fail "conffiles differ from the files in /etc"
for script in postinst prerm postrm; do
  dpkg-deb -I "$work/packages"/berth_*.deb "$script" | sh -n || fail "$script is no shell script"
done

# The programs are stripped, and the debug packages have the removed parts.
while read -r file; do
  sections=$(readelf -SW "$file")
  ! grep -qE '\.(symtab|debug_info)' <<<"$sections" || fail "$file is not stripped"
  id=$(readelf -nW "$file" | sed -nE 's/.*Build ID: ([0-9a-f]+)/\1/p')
  [[ -n $id && -f $debug/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug ]] || fail "$file has no debug file"
done < <(find "$root/usr/bin" "$root/usr/lib" -type f \( -name '*.so' -o -path '*/bin/*' \))

"$root/usr/bin/berthctl" config check --config "$root/etc/berth/scheduler-config.yaml" || fail "the configuration of the service is not sound"
# The command line with which systemd would start berth-scheduler.
command=$(sed -n 's/^ExecStart=//p' "$root/usr/lib/systemd/system/berth-scheduler.service")
known=$("$root/usr/bin/berth-scheduler" --help)
for word in $command; do
  [[ $word != --* ]] || grep -q -- "${word%%=*}" <<<"$known" || fail "berth-scheduler has no flag ${word%%=*}"
done
[[ ${command%% *} == /usr/bin/berth-scheduler ]] || fail "the service starts ${command%% *}"
