#!/usr/bin/env bash
# Checks the ABI with a second tool: builds a library that has every stable struct in the signature of an exported function,
# and compares what libabigail reads of it with v1.abixml. abi_tool.py measures sizes; abidiff reads the debug information
# that the compiler wrote.
#   witness.sh check CC SDK FOLDER    exit 1 when abidiff finds anything but new structs
#   witness.sh update CC SDK FOLDER   writes v1.abixml
set -euo pipefail
command=$1 cc=$2 sdk=$(realpath "$3") folder=$4
golden=$(cd "$(dirname "$0")" && pwd)/v1.abixml

rm -rf "$folder" && mkdir -p "$folder"
# The list of structs comes from the dump, so it is complete.
{
  echo '#include "berth/berth.h"'
  sed -n 's/^struct \(berth_[a-z_0-9]*\) .*/BERTH_EXPORT const \1 *witness_\1(const \1 *x) { return x; }/p' "$sdk/abi/v1.dump"
} >"$folder/witness.c"
(cd "$folder" && "$cc" -std=c11 -Wno-missing-prototypes -g -O0 -fPIC -shared -I "$sdk/include" witness.c -o witness.so)

if [[ $command == update ]]; then
  abidw --no-corpus-path --no-comp-dir-path --no-show-locs --out-file "$golden" "$folder/witness.so"
  exit
fi
# 0: no change; 4: a change; 8: certainly an incompatible change; 1, 2: abidiff itself failed.
status=0
abidiff --no-added-syms "$golden" "$folder/witness.so" >"$folder/report" 2>&1 || status=$?
((status == 0)) && exit
cat "$folder/report" >&2
echo "witness: abidiff says $status. If sdk/abi/POLICY.md allows it: tests/abi/witness/witness.sh update CC SDK FOLDER" >&2
exit 1
