package bench

const pageHead = `# Benchmarks

Speedup of Berth over kube-scheduler 1.36.3, in pods placed per second. Both schedule the same manifests in one run, in turn, on one
core, in memory, with the default profile and every node scored. The time of Berth is that of ` + "`berthctl simulate`" + `, and
includes reading the pods and writing the results; that of kube-scheduler is its scheduling cycle alone. "Of the cycle" leaves out
reading the pods: it compares Berth's cycle, binding, and output with kube-scheduler's cycle. A policy is
what the pods use; ` + "`scripts/bench --help`" + ` describes them. There are as many bound pods as nodes. For preempting policies, it is
the speedup in pods preempted per second.

` + "`scripts/bench report`" + ` writes this page from [benchmarks.json](benchmarks.json), after it has added what the last
` + "`scripts/bench policies`" + ` measured. Times depend on the machine, and speedups much less.

## Last figures

`

const pageTest = `
## The test

` + "`scripts/test conformance`" + ` measures a few policies on 1,000 nodes with the build of the other tests, which is not optimized as
a release is. It fails if a speedup by CPU time is below half of the recorded one, of which the lower of the two figures counts.
` + "`scripts/bench ratios`" + ` records them again.

`

const pageHistory = `
## History

The newest first.

`
