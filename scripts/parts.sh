# The parts of scripts/test; sourced, not run. short=yes: the everyday extent of a part; otherwise all of it.

# cluster tests of the everyday extent: a pod is bound, an unschedulable pod, a policy change, and a crash of a plugin
short_cluster_tests=(TestAPodGetsItsNodeConditionAndEvent TestAnUnschedulablePodSaysWhy
  TestAWeightChangedByARenameDecidesTheNextPod TestAPluginIsPardoned)

run_ctest() {  # PRESET CTEST-ARGUMENT...
  local preset=$1
  shift
  ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" "$@" >"build/$preset.ctest.log" 2>&1 || {
    grep -vE '^ *[0-9]+/[0-9]+ .*Passed' "build/$preset.ctest.log" | tail -80 >&2
    fail "tests of preset $preset failed; the whole log is build/$preset.ctest.log"
  }
  close "$(grep -E 'tests passed' "build/$preset.ctest.log")"
}

part_dev() {
  local slow=()
  [[ $short == no ]] || slow=(-LE slow)
  preset_build dev all
  run_ctest dev "${slow[@]}"
}

part_conformance() {
  local seed=${BERTH_JUDGE_SEED:-$((RANDOM * 32768 + RANDOM))} clusters=390 mutants=300
  [[ $short == no ]] || clusters=60 mutants=50
  preset_build dev berthctl berth_plugins
  go build -C tests/conformance -o "$root/build/judge" ./cmd/judge
  [[ $short == yes ]] || conformance_itself
  say "judges $clusters clusters from seed $seed"
  build/judge -berthctl build/dev/bin/berthctl -plugin-dir build/dev/lib/berth/plugins -clusters "$clusters" -seed "$seed" ||
    fail "Berth and kube-scheduler disagree: see above; again with BERTH_JUDGE_SEED=$seed scripts/test conformance"
  say "judges $mutants mutated configurations from seed $seed"
  (cd tests/conformance && go run ./cmd/mutants -berthctl "$root/build/dev/bin/berthctl" -plugin-dir "$root/build/dev/lib/berth/plugins" \
    -n "$mutants" -seed "$seed" "$root/tests/data/config/*.yaml" "$root/config/*.yaml") ||
    fail "Berth and kube-scheduler disagree about a configuration: see above; again with BERTH_JUDGE_SEED=$seed scripts/test conformance"
  close "Berth and kube-scheduler agree on $clusters clusters and $mutants configurations from seed $seed"
}

conformance_itself() {  # the judge's own tests, and the list of upstream's cases
  (cd tests/conformance && go vet ./... && go test ./... 2>&1 | tail -20) || fail "the judge's own tests failed"
  (cd tests/conformance && go run ./cmd/upstreamcases >"$root/build/upstreamcases.txt") || {
    grep -vE 'left out:' build/upstreamcases.txt >&2
    fail "kube-scheduler has plugin cases that tests/upstream neither records nor leaves out with a reason"
  }
  say "upstream's cases (build/upstreamcases.txt): $(tail -1 build/upstreamcases.txt)"
}

part_cluster() {
  local logs="$root/build/cluster" run=() passed
  [[ $short == no ]] || run=(-run "^($(IFS='|' && echo "${short_cluster_tests[*]}"))\$")
  preset_build dev berth-scheduler berthctl berth_plugins cluster_test_plugins
  (cd tests/cluster && go vet ./... && go run ./cmd/cluster build) || fail "the control plane cannot be built"
  # A pattern chooses among tests of the package at the top; the packages below need no control plane.
  (cd tests/cluster && BERTH_CLUSTER_LOGS="$logs" go test -count=1 -timeout 20m -v "${run[@]}" ./... >"$root/build/cluster.log" 2>&1) || {
    grep -E '^\s*(--- FAIL|panic|FAIL)|_test.go:[0-9]+:' build/cluster.log | tail -60 >&2
    fail "tests on the control plane failed; see build/cluster.log and build/cluster/"
  }
  passed=$(grep -cE '^--- PASS' build/cluster.log || true)
  [[ $short == no || $passed == "${#short_cluster_tests[@]}" ]] ||
    fail "scripts/parts.sh names ${#short_cluster_tests[@]} cluster tests, and $passed of them exist"
  close "$passed tests passed on a real control plane"
}

part_check() {
  local tidy=(--tidy)
  [[ $short == no ]] || tidy=()
  scripts/check "${tidy[@]}"
}

part_asan-ubsan() {
  preset_build asan-ubsan berth_sanitized_tests
  run_ctest asan-ubsan -L 'unit|loader'
}

part_tsan() {
  preset_build tsan berth_tsan_tests
  run_ctest tsan -L tsan
}

part_fuzz() { scripts/fuzz; }
