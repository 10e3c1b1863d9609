package bench

const pageHead = `# Benchmarks

This page lists the speedup of Berth over kube-scheduler 1.36.3: how many times as many pods Berth schedules per second. Both
schedule the same manifests in one run, in turn, on one core, in memory, with the default profile and every node scored. There
are as many bound pods as nodes. A policy is what the pods use; ` + "`tests/conformance/internal/bench/policies.go`" + ` describes the
policies. For policies that preempt, the page lists the speedup in pods preempted per second.

- **Speedup** compares wall time. Berth's time is that of ` + "`berthctl simulate`" + `, which includes reading the pods and writing the
  results. The time of kube-scheduler is that of its scheduling cycle alone.
- **By CPU time** compares the CPU time of the same work.
- **Of the cycle** compares Berth's cycle, binding, and output with kube-scheduler's cycle. It leaves out reading the pods.

` + "`scripts/bench report`" + ` adds the measurements of the last ` + "`scripts/bench policies`" + ` to [benchmarks.json](benchmarks.json), and
writes this page from it. Times depend on the machine, and speedups much less.

## Last figures

`

const pageTest = `
## The test

` + "`scripts/test conformance`" + ` measures a few policies on 1,000 nodes with the build of the other tests, which is less optimized
than a release. It fails if the speedup by CPU time is below the required one: half of the lower of the two recorded figures.
` + "`scripts/bench ratios`" + ` records the figures again.

`

const pageHistory = `
## History

The newest speedup comes first, each with its commit.

`
