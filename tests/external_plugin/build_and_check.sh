#!/usr/bin/env bash
# build_and_check.sh CMAKE PREFIX SOURCE BUILD LIBRARY: builds a plugin project against the installed SDK, runs its tests
# and looks at the library.
set -euo pipefail
cmake=$1 prefix=$2 source=$3 build=$4 library=$5

rm -rf "$build"
"$cmake" -S "$source" -B "$build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >"$build.log" 2>&1 ||
  { cat "$build.log" && exit 1; }
"$cmake" --build "$build" >>"$build.log" 2>&1 || { cat "$build.log" && exit 1; }
(cd "$build" && ctest --output-on-failure)
"$(dirname "$0")/check_library.sh" "$build/$library"
