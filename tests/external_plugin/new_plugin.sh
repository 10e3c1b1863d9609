#!/usr/bin/env bash
# new_plugin.sh CMAKE PREFIX SCRIPT FOLDER: what scripts/new-plugin makes builds, passes its tests, and bears its name; and
# the script refuses what it should.
set -euo pipefail
cmake=$1 prefix=$2 script=$3 folder=$4
fail() { echo "new_plugin: $1" >&2 && exit 1; }

rm -rf "$folder" && mkdir -p "$folder"
"$script" --help | grep -q 'Usage: scripts/new-plugin NAME' || fail "--help does not help"

"$script" NodeCPUScore --into "$folder" >/dev/null
grep -q 'name: NodeCPUScore' "$folder/node_cpu_score/args.yaml" || fail "NodeCPUScore is not spelled as given"
grep -q 'class NodeCPUScore ' "$folder/node_cpu_score/plugin.cc" || fail "the class is not NodeCPUScore"
"$script" spare-room --into "$folder" >/dev/null
grep -q '\.name = "spare-room"' "$folder/spare_room/plugin.cc" || fail "spare-room is not spelled as given"
grep -q 'class SpareRoom ' "$folder/spare_room/plugin.cc" || fail "the class is not SpareRoom"
! grep -rqi 'template_\?plugin' "$folder" || fail "the template's own name is left: $(grep -rli 'template_\?plugin' "$folder")"

refused() {
  local words=$1
  shift
  if said=$("$script" "$@" 2>&1); then fail "it accepts: $*"; fi
  [[ $said == *"$words"* ]] || fail "about \"$*\" it says: $said"
}
refused "exists already" spare-room --into "$folder"
refused "exists already" SpareRoom --into "$folder"
refused "no name for a plugin" "two words" --into "$folder"
refused "no name for a plugin" ../escape --into "$folder"
refused "no name for a plugin" 9lives --into "$folder"
refused "taken by" class --into "$folder"
refused "one NAME" a b --into "$folder"
refused "no option" --force
refused "no folder" x --into "$folder/nowhere"
refused "no template" x --into "$folder" --template "$folder"
refused "Usage" --into "$folder"

"$(dirname "$0")/build_and_check.sh" "$cmake" "$prefix" "$folder/spare_room" "$folder/build" spare_room.so
