#!/usr/bin/env bash
# compile_headers.sh CC CXX SDK: compiles each header of the SDK alone, in each supported language, with -Werror.
set -euo pipefail
cc=$1 cxx=$2 sdk=$3
bad=0

# try NAME COMPILER LANGUAGE FLAGS...
try() {
  local header=$1 compiler=$2 language=$3
  shift 3
  if ! printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
    "$compiler" -x "$language" -fsyntax-only -Wall -Wextra -Werror -pedantic "$@" -; then
    echo "$header does not compile with $*" >&2
    bad=1
  fi
}

headers=0
for path in "$sdk"/include/berth/*.h "$sdk"/include/berth/draft/*.h; do
  header=${path#"$sdk"/include/}
  headers=$((headers + 1))
  for standard in c99 c11; do try "$header" "$cc" c -std=$standard -I "$sdk/include"; done
  for standard in c++17 c++20; do try "$header" "$cxx" c++ -std=$standard -I "$sdk/include"; done
  # A header of the ABI may include only stddef.h, stdint.h, and other headers of the ABI.
  if grep -En '^ *# *include' "$path" | grep -Ev '<(stddef|stdint)\.h>|"berth/[a-z_/]+\.h"'; then
    echo "$header includes what it must not" >&2
    bad=1
  fi
done
((headers > 10)) || { echo "there are no headers in $sdk" >&2 && exit 1; }

for path in "$sdk"/cpp/berth/*.hpp "$sdk"/cpp/berth/detail/*.hpp "$sdk"/testing/berth/testing/*.hpp; do
  header=${path#"$sdk"/cpp/}
  header=${header#"$sdk"/testing/}
  try "$header" "$cxx" c++ -std=c++20 -I "$sdk/include" -I "$sdk/cpp" -I "$sdk/testing"
done
try berth/testing/test_host.h "$cc" c -std=c99 -I "$sdk/include" -I "$sdk/testing"
exit $bad
