#!/usr/bin/env bash
# rust_crate.sh CARGO CRATE TARGET CC: checks that the SDK's crate matches the headers, and runs the tests of the crate
# without a network. BERTH_TEST_HOST names the fake host.
set -euo pipefail
cargo=$1 crate=$2 target=$3 cc=$4

export PATH=${cargo%/*}:$PATH  # rustc and rustdoc of the same Rust

"$crate/generate.py" check --cc "$cc"
# Works on a copy, so that no lock file stays in the source tree.
rm -rf "$target/source" && mkdir -p "$target"
cp -r "$crate" "$target/source"
rm -rf "$target/source/target"
CARGO_TARGET_DIR=$target/target CARGO_HOME=$target/home "$cargo" test --offline --features testing \
  --manifest-path "$target/source/Cargo.toml"
