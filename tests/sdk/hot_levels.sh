#!/usr/bin/env bash
# hot_levels.sh COMPILER ROOT LIBRARY BUILD: BERTH_HOT of the SDK on x86-64. The library, built with the SDK's CMake functions,
# has each marked loop for every level, and no fused multiply-add. The loops of the shipped plugins compute the same at each level
# that this machine has as with the dispatch.
set -euo pipefail
compiler=$1 root=$2 library=$3 build=$4
bad=0
fail() { echo "hot_levels: $*" >&2 && bad=1; }

symbols=$(readelf --symbols --wide "$library" | c++filt)
for loop in LeastMeans AnyShort; do
  for level in arch_x86_64_v4 arch_x86_64_v3 default; do
    grep -q "$loop.*$level" <<<"$symbols" || fail "$library has no $loop for $level"
  done
  grep -q "IFUNC .*$loop" <<<"$symbols" || fail "$loop of $library is not chosen by the loader"
done
fused=$(objdump -d --no-show-raw-insn "$library" | grep -cE '\bvfn?m(add|sub)' || true)
[[ $fused == 0 ]] || fail "$library has $fused fused multiply-adds"

mkdir -p "$build"
options=(-std=c++20 -O3 -ffp-contract=off -fno-trapping-math "-I$root/sdk/include" "-I$root/sdk/cpp" "-I$root/plugins")
digest() { # digest NAME OPTION...
  "$compiler" "${options[@]}" "${@:2}" -o "$build/$1" "$root/tests/sdk/hot_digest.cc"
  "$build/$1"
}
expected=$(digest dispatched)
runs=$(/lib64/ld-linux-x86-64.so.2 --help)
for level in x86-64 x86-64-v2 x86-64-v3 x86-64-v4; do
  [[ $level == x86-64 ]] || grep -q "$level (supported" <<<"$runs" || { echo "this machine has no $level" && continue; }
  actual=$(digest "$level" -DBERTH_SANITIZED "-march=$level")
  [[ $actual == "$expected" ]] || fail "$level computes $actual, and the dispatched loops compute $expected"
done
exit $bad
