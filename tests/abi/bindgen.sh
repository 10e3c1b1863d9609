#!/usr/bin/env bash
# bindgen.sh BINDGEN RUSTC SDK FOLDER: runs bindgen on all headers, including drafts, and checks that rustc gives the result
# the same layout as libclang.
set -euo pipefail
bindgen=$1 rustc=$2 sdk=$3 folder=$4

rm -rf "$folder" && mkdir -p "$folder"
(cd "$sdk/include" && printf '#include "%s"\n' berth/*.h berth/draft/*.h) >"$folder/all.h"
{
  echo '#![allow(warnings)]'
  "$bindgen" "$folder/all.h" --allowlist-type 'berth_.*' --allowlist-function 'berth_.*' --allowlist-var 'BERTH_.*' \
    -- -I "$sdk/include"
} >"$folder/bindings.rs"
"$rustc" --edition 2021 --test "$folder/bindings.rs" -o "$folder/bindings"
"$folder/bindings" | tee "$folder/bindings.log" | tail -3
structs=$(grep -c '^struct ' "$sdk/abi/v1.dump")
tests=$(grep -c 'bindgen_test_layout_berth_.* ok$' "$folder/bindings.log")
((tests >= structs)) || { echo "bindgen made $tests layout tests of $structs structs" >&2 && exit 1; }
