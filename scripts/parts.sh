# The parts of scripts/test; sourced, not run. short=yes: only the quick tests of a part; otherwise all of them.

# cluster tests of the everyday extent: a pod is bound, an unschedulable pod, a policy change, and a crash of a plugin
short_cluster_tests=(TestAPodGetsItsNodeConditionAndEvent TestAnUnschedulablePodSaysWhy
  TestAWeightChangedByARenameDecidesTheNextPod TestAPluginIsPardoned)

runner=()  # the command in which ctest runs
run_ctest() {  # PRESET CTEST-ARGUMENT...
  local preset=$1
  shift
  "${runner[@]}" ctest --test-dir "build/$preset" --output-on-failure -j "$(nproc)" "$@" >"build/$preset.ctest.log" 2>&1 || {
    grep -vE '^ *[0-9]+/[0-9]+ .*Passed' "build/$preset.ctest.log" | tail -80 >&2
    fail "tests of preset $preset failed; the whole log is build/$preset.ctest.log"
  }
  close "$(grep -E 'tests passed' "build/$preset.ctest.log")"
}

part_dev() {
  preset_build dev all
  run_ctest dev -LE "$([[ $short == yes ]] && echo slow || echo none)"
}

part_page() {
  { preset_build dev berthctl berth_plugins && tests/page/run --screenshots "$root/build/page" && tests/page/real; } >build/page.log 2>&1 || {
    tail -40 build/page.log >&2
    fail "tests of the page failed; see build/page.log and build/page/"
  }
  close "$(grep -E '^Ran [0-9]+ tests' build/page.log), screenshots in build/page/"
}

part_conformance() {
  local seed=${BERTH_JUDGE_SEED:-$((RANDOM * 32768 + RANDOM))} clusters=390 mutants=300
  preset_build dev berthctl berth_plugins
  go build -C tests/conformance -o "$root/build/" ./cmd/judge ./cmd/ratios
  [[ $short == yes ]] && clusters=60 mutants=50 || conformance_itself
  tests/conformance/compare_protobuf "$clusters" "$seed"
  say "judges $clusters clusters from seed $seed"
  build/judge -berthctl build/dev/bin/berthctl -plugin-dir build/dev/lib/berth/plugins -clusters "$clusters" -seed "$seed" ||
    fail "Berth and kube-scheduler disagree: see above; again with BERTH_JUDGE_SEED=$seed scripts/test conformance"
  say "judges $mutants mutated configurations from seed $seed"
  (cd tests/conformance && go run ./cmd/mutants -berthctl "$root/build/dev/bin/berthctl" -plugin-dir "$root/build/dev/lib/berth/plugins" \
    -n "$mutants" -seed "$seed" "$root/tests/data/config/*.yaml" "$root/config/*.yaml") ||
    fail "Berth and kube-scheduler disagree about a configuration: see above; again with BERTH_JUDGE_SEED=$seed scripts/test conformance"
  build/ratios -berthctl build/dev/bin/berthctl -judge build/judge -history docs/benchmarks.json -dir build/ratios.clusters ||
    fail "Berth is slower beside kube-scheduler than docs/benchmarks.json says: see above"
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
  build_ahead
  [[ $short == no ]] || run=(-run "^($(IFS='|' && echo "${short_cluster_tests[*]}"))\$")
  [[ $short == yes ]] || need_helm  # the everyday extent has no test of the chart
  preset_build dev berth-scheduler berth-controllers berthctl berth_plugins cluster_test_plugins berth_broken_plugins
  (cd tests/cluster && go vet ./... && go run ./cmd/cluster build) || fail "the control plane cannot be built"
  [[ $short == yes ]] || (cd tests/scrape && go vet ./... && go test ./...) || fail "the reader of metrics failed"
  (cd tests/cluster && BERTH_CLUSTER_LOGS="$logs" go test -count=1 -timeout 40m -v "${run[@]}" ./... >"$root/build/cluster.log" 2>&1) || {
    show_failed_go_tests build/cluster.log >&2
    fail "tests on the control plane failed; see build/cluster.log and build/cluster/"
  }
  passed=$(grep -cE '^--- PASS' build/cluster.log || true)
  [[ $short == no || $passed == "${#short_cluster_tests[@]}" ]] ||
    fail "scripts/parts.sh names ${#short_cluster_tests[@]} cluster tests, and $passed of them exist"
  close "$passed tests passed on a real control plane"
}

part_chart() {
  need_helm
  preset_build dev berth-scheduler berth-controllers berthctl berth_plugins
  HELM=$BERTH_HELM BUILD=build/dev python3 tests/chart/chart_test.py >build/chart.log 2>&1 || {
    tail -60 build/chart.log >&2
    fail "tests of the chart failed; the whole log is build/chart.log"
  }
  close "$(grep -E '^Ran ' build/chart.log) of the chart, with $(find tests/chart/values -name '*.yaml' | wc -l) files of values"
}

part_nodes() {
  local logs="$root/build/nodes" reason
  [[ $(id -u) == 0 ]] || { close "skipped: only root can run containers" && return 0; }
  # Debian's containerd would replace Docker's, and so remove docker.
  { command -v containerd && command -v runc; } >/dev/null || node_packages+=(containerd runc)
  need_packages "${node_packages[@]}"
  need_helm
  preset_build dev berth-scheduler berth-controllers berthctl berth_plugins
  (cd tests/cluster && go run ./cmd/cluster build && go run ./cmd/cluster build nodes) || fail "the control plane or the kubelet cannot be built"
  (cd tests/cluster && BERTH_NODES=yes BERTH_CLUSTER_LOGS="$logs" go test -count=1 -timeout 20m -v ./nodes >"$root/build/nodes.log" 2>&1) || {
    show_failed_go_tests build/nodes.log >&2
    fail "tests on real nodes failed; see build/nodes.log and build/nodes/"
  }
  reason=$(sed -nE 's/^tests on real nodes: (skipped: .*)/\1/p' build/nodes.log)
  close "${reason:-$(grep -cE '^--- PASS' build/nodes.log) tests passed with containerd and two kubelets}"
}

part_check() {
  local tidy=(--tidy)
  [[ $short == no ]] || tidy=()
  scripts/check "${tidy[@]}"
}

# Tests on a control plane mostly wait. With all parts, the builds of the later ones use that time, at the lowest priority.
ahead=
build_ahead() {
  [[ $short == no && -z $ahead ]] || return 0
  set -m  # a separate process group, which ends as a whole
  nice -n 19 scripts/build_ahead "${parts[@]}" >build/ahead.log 2>&1 &
  ahead=$!
  set +m
  trap end_build_ahead EXIT
}
# The build of the part builds the rest, and reports errors.
end_build_ahead() {
  [[ -n $ahead ]] || return 0
  kill -- "-$ahead" 2>/dev/null || true
  while kill -0 -- "-$ahead" 2>/dev/null; do sleep 0.2; done
  ahead=
  trap - EXIT
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

# Tests that cannot pass under qemu are in tests/arm64.left_out, each with its reason.
part_arm64() {
  local tests cases runner=(scripts/with_sysroot --emulate build/sysroot.arm64)
  need_arch arm64
  preset_build arm64 berth-scheduler berth-controllers berthctl berth_plugins berth_test_host berth_broken_plugins berth_sanitized_tests
  "${runner[@]}" true || fail "programs of arm64 cannot run here: Linux 6.7 with user namespaces is needed"
  tests=$(sed -nE 's/^test ([^ ]+) .*/\1/p' tests/arm64.left_out | paste -sd'|')
  cases=$(sed -nE 's/^case ([^ ]+) .*/\1/p' tests/arm64.left_out | paste -sd:)
  BERTH_LEFT_OUT=$cases GTEST_FILTER="-$cases" run_ctest arm64 -E "^($tests)\$" -L 'unit|loader|scenario|packages|ctl'
}
