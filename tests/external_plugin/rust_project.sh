#!/usr/bin/env bash
# rust_project.sh PREFIX FOLDER CARGO: builds a plugin in Rust with every extension point against the SDK in PREFIX, runs its
# tests, validates it, and checks that the host calls it at its extension points.
set -euo pipefail
prefix=$1 folder=$2 cargo=$3
here=$(cd "$(dirname "$0")" && pwd)
berthctl=$prefix/bin/berthctl
fail() { echo "rust_project: $1" >&2 && exit 1; }

rm -rf "$folder" && mkdir -p "$folder/plugins"
cp -r "$here/rust_project" "$folder/source"
sed -i "s|@berth-plugin@|$prefix/share/berth/rust|" "$folder/source/Cargo.toml"
export PATH=${cargo%/*}:$PATH  # rustc of the same Rust
export CARGO_HOME=$folder/home CARGO_TARGET_DIR=$folder/target
(cd "$folder/source" && "$cargo" test --offline && "$cargo" build --offline --release)
library=$folder/plugins/libevery_point.so
cp "$folder/target/release/libevery_point.so" "$library"
"$here/check_library.sh" "$library"
"$berthctl" plugin inspect "$library"
"$berthctl" plugin validate "$library" --fuzz 3  # exit code 0: there is no warning

decided=$(timeout 60 "$berthctl" simulate --config "$here/rust_project/config.yaml" --plugin-dir "$folder/plugins" "$prefix/lib/berth/plugins" \
  -f "$here/rust_project/cluster.yaml" --check -v=4 2>"$folder/log") || { cat "$folder/log" && fail "the simulation failed"; }
echo "$decided"
grep -Eq '^default/high +(a|b|c) ' <<<"$decided" || fail "the important pod has no node"
grep -Eq '^default/half-1 +(a|b|c) ' <<<"$decided" || fail "the first of the pair has no node"
grep -Eq '^default/half-2 +(a|b|c) ' <<<"$decided" || fail "the second of the pair has no node"
grep -Eq '^default/free +(a|b) ' <<<"$decided" || fail "the pod that the rule is not about has no node of its zone"
grep -qF 'pod="free" nodes="2" spread="1" preferred="7" errors=""' "$folder/log" || fail "selectors do not match"
! grep -Eq '^default/(lonely|held) +(a|b|c) ' <<<"$decided" || fail "a pod that is held has a node"
for call in pre_enqueue less pre_filter filter_rows add_pod remove_pod post_filter pre_score score_rows normalize reserve \
  unreserve permit pre_flight pre_bind bind post_bind registrations hint deltas dump object_changed; do
  grep -qF "call=\"$call\"" "$folder/log" || fail "the host never called $call"
done
