#!/usr/bin/env bash
# without_cmake.sh CXX PREFIX BUILD: compiles the template, its test, and the fake host with one command, as in sdk/README.md.
set -euo pipefail
cxx=$1 prefix=$2 build=$3
template=$prefix/share/berth/template/cpp

rm -rf "$build"
mkdir -p "$build"
# One file that includes all sources compiles in a fifth of the time.
printf '#include "%s"\n' "$prefix"/share/berth/testing/src/*.cc >"$build/fake_host.cc"
"$cxx" -std=c++20 "-I$prefix/include" "$template"/*.cc "$build/fake_host.cc" -lgmock -lgtest -lgtest_main -pthread -ldl \
  -o "$build/plugin_test"
"$build/plugin_test" --gtest_brief=1
