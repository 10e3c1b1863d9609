package bench

const pageHead = `# Benchmarks

How many times as many pods Berth places in a second as kube-scheduler 1.36.3. Both schedule the same manifests in one run, in turn, on
one core, in memory, with the default profile and every node scored. The time of Berth is that of ` + "`berthctl simulate`" + `, and
includes reading the pods and writing the results; that of kube-scheduler is its scheduling cycle alone. A policy is what the pods
use; ` + "`scripts/bench --help`" + ` describes them. There are as many bound pods as nodes. Of preempting policies, the ratio is of
preempted pods.

` + "`scripts/bench report`" + ` writes this page from [benchmarks.json](benchmarks.json), after it has added what the last
` + "`scripts/bench policies`" + ` measured. Times depend on the machine, and ratios much less.

## Last figures

`

const pageTest = `
## The test

The test ` + "`ratios`" + ` measures a few policies with the build of the other tests, which is not optimized as a release is, and
fails if a ratio by CPU time falls below half of the recorded one. ` + "`scripts/bench ratios`" + ` records it anew.

`

const pageHistory = `
## History

The newest first.

`
