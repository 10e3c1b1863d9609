#!/usr/bin/env bash
# new_plugin_refuses.sh BERTHCTL FOLDER: tests what `plugin new` refuses, and its messages.
set -euo pipefail
berthctl=$1 folder=$2
fail() { echo "new_plugin_refuses: $1" >&2 && exit 1; }

rm -rf "$folder" && mkdir -p "$folder"
"$berthctl" plugin new --help | grep -q 'spareRoom, SpareRoom, or spare-room' || fail "--help does not help"
"$berthctl" plugin new spare-room --lang c --into "$folder" >/dev/null

refused() {
  local words=$1
  shift
  if said=$("$berthctl" plugin new "$@" 2>&1); then fail "it accepts: $*"; fi
  [[ $said == *"$words"* ]] || fail "about \"$*\" it says: $said"
}
refused "exists already" spare-room --into "$folder"
refused "exists already" SpareRoom --lang rust --into "$folder"
refused "is not a valid plugin name" "two words" --into "$folder"
refused "is not a valid plugin name" ../escape --into "$folder"
refused "is reserved by" class --into "$folder"
refused "is reserved by" match --lang rust --into "$folder"
refused "lang" x --lang go --into "$folder"
refused "there is no folder" x --into "$folder/nowhere"
refused "there is no template" x --into "$folder" --template "$folder"
refused "NAME" --into "$folder"
[[ $(ls "$folder") == spare_room ]] || fail "something was left behind: $(ls "$folder")"
