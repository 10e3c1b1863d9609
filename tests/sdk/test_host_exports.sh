#!/usr/bin/env bash
# test_host_exports.sh LIBRARY: checks that libberth_test_host.so exports the functions of test_host.h and no others.
set -euo pipefail
exports=$(nm --dynamic --defined-only "$1" | awk '{print $3}' | sort | tr '\n' ' ')
wanted="berth_test_call berth_test_close berth_test_commit berth_test_open berth_test_start_from berth_test_values berth_test_version "
[[ $exports == "$wanted" ]] || { echo "it exports $exports" >&2 && exit 1; }
