#!/usr/bin/env bash
# run.sh BERTHCTL SCENARIO: simulates the scenario and compares the output with expected.txt. --check recomputes the
# scheduler's state after every step and fails if it differs.
set -euo pipefail
berthctl=$1 scenario=$2
steps=()
for step in "$scenario"/step-*.yaml; do
  [[ ! -e $step ]] || steps+=(--step "$step")
done
diff -u "$scenario/expected.txt" \
  <("$berthctl" simulate --check --config "$scenario/config.yaml" -f "$scenario/cluster.yaml" "${steps[@]}")
