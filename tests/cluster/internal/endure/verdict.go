package endure

import (
	"context"
	"fmt"
	"io"
	"slices"

	"berth.dev/berth/tests/cluster/internal/history"
	"berth.dev/berth/tests/cluster/internal/stream"
)

// Verdict is the result of checking etcd's history, and other errors.
type Verdict struct {
	Made, Bound int
	Lost        []string // pods that were created and never had a node
	Moved       []string // pods that left their node or had two
	Overfull    []string // overcommitted nodes, and when
	Fenced      []string // bindings by a replica that did not hold the Lease
	Late        int      // bindings of a former holder that the API server had when it was stopped or started; not wrong
	Wrong       []string // anything else
}

func (v *Verdict) wrong(format string, args ...any) {
	v.Wrong = append(v.Wrong, fmt.Sprintf(format, args...))
}

// finish stops creating pods, waits for the last bindings, and checks etcd's history.
func (r *run) finish(ctx context.Context) (*Verdict, error) {
	r.made = r.pods.Finish(ctx, timeout)
	v, _, err := r.judge(ctx, nil)
	return v, err
}

// judge checks etcd's history and, with authors (who bound a pod, by namespace/name), the fence. It also returns how often the
// holder of the Lease changed.
func (r *run) judge(ctx context.Context, authors map[string]string) (*Verdict, int, error) {
	holdings, err := history.Holdings(ctx, r.o.Plane.Etcd, leaseNamespace, leaseName, r.since)
	if err != nil {
		return nil, 0, err
	}
	walk, nodes := history.NewWalk(r.since), map[string]string{}
	fence := history.NewFence(holdings, func(pod string) string { return authors[pod] }, r.outages...)
	err = history.Each(ctx, r.o.Plane.Etcd, r.since, func(e history.Event) {
		walk.Step(&e)
		fence.Step(&e)
		if e.Pod != nil && e.Pod.Namespace == r.o.Namespace && e.Pod.Spec.NodeName != "" {
			nodes[e.Pod.Name] = e.Pod.Spec.NodeName
		}
	})
	if err != nil {
		return nil, 0, err
	}
	v := &Verdict{Made: len(r.made.Created), Moved: walk.Proof().Moved, Overfull: walk.Proof().Overfull, Fenced: fence.Wrong(), Late: fence.Late()}
	v.count(r.made, nodes)
	return v, len(holdings), nil
}

// count compares the pods that were created with those that had a node.
func (v *Verdict) count(made stream.Made, nodes map[string]string) {
	for name := range made.Created {
		if nodes[name] != "" {
			v.Bound++
		} else {
			v.Lost = append(v.Lost, name)
		}
	}
	for _, refused := range made.Refused {
		v.wrong("the API server refused a pod: %s", refused)
	}
	if v.Made == 0 {
		v.wrong("no pod was made")
	}
}

// OK is true when nothing is wrong.
func (v *Verdict) OK() bool {
	return len(v.Lost)+len(v.Moved)+len(v.Overfull)+len(v.Fenced)+len(v.Wrong) == 0
}

func (v *Verdict) print(w io.Writer) {
	fmt.Fprintf(w, "pods         %d made, %d bound, %d lost\n", v.Made, v.Bound, len(v.Lost))
	fmt.Fprintf(w, "history      %d pods left their node or had two, nodes were overcommitted %d times\n", len(v.Moved), len(v.Overfull))
	slices.Sort(v.Lost)
	for _, list := range [][]string{v.Lost, v.Moved, v.Overfull, v.Fenced, v.Wrong} {
		for _, one := range list[:min(len(list), 20)] {
			fmt.Fprintf(w, "  %s\n", one)
		}
	}
	if v.OK() {
		fmt.Fprintln(w, "nothing is wrong")
	} else {
		fmt.Fprintln(w, "SOMETHING IS WRONG")
	}
}
