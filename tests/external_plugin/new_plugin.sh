#!/usr/bin/env bash
# new_plugin.sh CMAKE PREFIX LANGUAGE FOLDER CARGO: creates a project with `berthctl plugin new`, builds it, runs its tests,
# checks its library, and schedules pods with it in the simulator. It uses only what is installed in PREFIX.
set -euo pipefail
cmake=$1 prefix=$2 language=$3 folder=$4 cargo=$5
here=$(cd "$(dirname "$0")" && pwd)
berthctl=$prefix/bin/berthctl
fail() { echo "new_plugin: $1" >&2 && exit 1; }

rm -rf "$folder" && mkdir -p "$folder"
"$berthctl" plugin new spareRoom --lang "$language" --into "$folder"
made=$folder/spare_room
grep -q 'name: spareRoom' "$made/args.yaml" || fail "args.yaml does not name it"
! grep -rqi 'template_\?plugin' "$made" || fail "the template's own name is left: $(grep -rli 'template_\?plugin' "$made")"

if [[ $language == rust ]]; then
  export PATH=${cargo%/*}:$PATH  # rustc of the same Rust
  export CARGO_HOME=$folder/home CARGO_TARGET_DIR=$folder/target
  (cd "$made" && "$cargo" test --offline && "$cargo" build --offline --release)
  library=$folder/target/release/libspare_room.so
  "$here/check_library.sh" "$library"
else
  "$here/build_and_check.sh" "$cmake" "$prefix" "$made" "$folder/build" spare_room.so
  library=$folder/build/spare_room.so
fi

"$berthctl" plugin inspect "$library"
mkdir "$folder/plugins" && cp "$library" "$folder/plugins/"
if "$berthctl" plugin validate --help >/dev/null 2>&1; then
  "$berthctl" plugin validate "$library"
else
  echo "this berthctl does not validate yet"
fi

# One node has the label that args.yaml names. In a cluster without the label, no pod gets a node.
decide() {
  "$berthctl" simulate --config "$made/args.yaml" --plugin-dir "$folder/plugins" "$prefix/lib/berth/plugins" -f "$1"
}
decided=$(decide "$here/cluster.yaml")
echo "$decided"
grep -Eq '^(default/)?pod +labelled ' <<<"$decided" || fail "the pod is not on the node with the label"
sed 's/example.org\/pool/example.org\/other/' "$here/cluster.yaml" >"$folder/without.yaml"
pending=$(decide "$folder/without.yaml")
echo "$pending"
grep -qF "0/3 nodes are available: 3 node(s) didn't have the label that spareRoom asks for." <<<"$pending" ||
  fail "its verdict is not seen"
