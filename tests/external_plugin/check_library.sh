#!/usr/bin/env bash
# check_library.sh LIBRARY: checks that the library has the properties that berth_add_plugin promises.
set -euo pipefail
library=$1
bad=0

expect() { # expect WHAT ACTUAL WANTED
  [[ $2 == "$3" ]] || { printf '%s: %s is "%s" and not "%s"\n' "$library" "$1" "$2" "$3" >&2 && bad=1; }
}
count() { grep -c "$@" || true; }

symbols=$(readelf --dyn-syms --wide "$library")
expect "the list of exports" "$(awk '$7 ~ /^[0-9]+$/ && $5 != "LOCAL" {print $8}' <<<"$symbols")" berth_entry_v1
expect "the number of unique symbols" "$(readelf --symbols --wide "$library" | count -w UNIQUE)" 0
expect "the number of Berth notes" "$(readelf --notes --wide "$library" 2>/dev/null | count -w BERTH)" 1
expect "the note's beginning" "$(readelf -p .note.berth "$library" | grep -o '{"abi":\[1,[0-9]*\],"minHost":0')" \
  '{"abi":[1,2],"minHost":0'
expect "the number of build ids" "$(readelf --notes "$library" 2>/dev/null | count 'Build ID: [0-9a-f]\{40\}')" 1
dynamic=$(readelf --dynamic --wide "$library")
expect "the list of unexpected libraries" \
  "$(sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' <<<"$dynamic" | grep -Ev '^(libstdc\+\+|libgcc_s|libm|libc|ld-linux.*)\.so' || true)" ""
expect "immediate binding" "$(count -w -E 'BIND_NOW|NOW' <<<"$dynamic" | sed 's/[1-9].*/yes/')" yes
expect "a run path" "$(count -E 'RPATH|RUNPATH' <<<"$dynamic")" 0
expect "text relocations" "$(count TEXTREL <<<"$dynamic")" 0
segments=$(readelf --segments --wide "$library")
expect "RELRO" "$(count GNU_RELRO <<<"$segments")" 1
expect "an executable stack" "$(grep GNU_STACK <<<"$segments" | count RWE)" 0
exit $bad
