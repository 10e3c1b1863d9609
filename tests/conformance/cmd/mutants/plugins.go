package main

import (
	"context"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// Plugins of Berth that kube-scheduler does not have. On its side they have the same extension points and do nothing.

type named string

func (n named) Name() string { return string(n) }

type prefilters struct{ named }

func (prefilters) PreFilter(context.Context, fwk.CycleState, *v1.Pod, []fwk.NodeInfo) (*fwk.PreFilterResult, *fwk.Status) {
	return nil, nil
}
func (prefilters) PreFilterExtensions() fwk.PreFilterExtensions { return nil }

type filters struct{ named }

func (filters) Filter(context.Context, fwk.CycleState, *v1.Pod, fwk.NodeInfo) *fwk.Status { return nil }

type scores struct{ named }

func (scores) Score(context.Context, fwk.CycleState, *v1.Pod, fwk.NodeInfo) (int64, *fwk.Status) {
	return 0, nil
}
func (scores) ScoreExtensions() fwk.ScoreExtensions { return nil }

type filtersAndScores struct {
	filters
	more scores
}

func (f filtersAndScores) Score(ctx context.Context, s fwk.CycleState, p *v1.Pod, n fwk.NodeInfo) (int64, *fwk.Status) {
	return f.more.Score(ctx, s, p, n)
}
func (filtersAndScores) ScoreExtensions() fwk.ScoreExtensions { return nil }

// everywhere is at each point but queueSort.
type everywhere struct{ filtersAndScores }

func (everywhere) PreEnqueue(context.Context, *v1.Pod) *fwk.Status { return nil }
func (everywhere) PreFilter(context.Context, fwk.CycleState, *v1.Pod, []fwk.NodeInfo) (*fwk.PreFilterResult, *fwk.Status) {
	return nil, nil
}
func (everywhere) PreFilterExtensions() fwk.PreFilterExtensions { return nil }
func (everywhere) PostFilter(context.Context, fwk.CycleState, *v1.Pod, fwk.NodeToStatusReader) (*fwk.PostFilterResult, *fwk.Status) {
	return nil, nil
}
func (everywhere) PreScore(context.Context, fwk.CycleState, *v1.Pod, []fwk.NodeInfo) *fwk.Status {
	return nil
}
func (everywhere) Reserve(context.Context, fwk.CycleState, *v1.Pod, string) *fwk.Status { return nil }
func (everywhere) Unreserve(context.Context, fwk.CycleState, *v1.Pod, string)           {}
func (everywhere) Permit(context.Context, fwk.CycleState, *v1.Pod, string) (*fwk.Status, time.Duration) {
	return nil, 0
}
func (everywhere) PreBindPreFlight(context.Context, fwk.CycleState, *v1.Pod, string) (*fwk.PreBindPreFlightResult, *fwk.Status) {
	return nil, nil
}
func (everywhere) PreBind(context.Context, fwk.CycleState, *v1.Pod, string) *fwk.Status { return nil }
func (everywhere) Bind(context.Context, fwk.CycleState, *v1.Pod, string) *fwk.Status    { return nil }
func (everywhere) PostBind(context.Context, fwk.CycleState, *v1.Pod, string)            {}

func registry() frameworkruntime.Registry {
	made := map[string]fwk.Plugin{
		"MyScorePlugin": scores{"MyScorePlugin"},
		"randScore":     scores{"randScore"},
		"filteringNode": filters{"filteringNode"},
		"filteringPod":  prefilters{"filteringPod"},
		"Priority":      filtersAndScores{filters: filters{"Priority"}},
		"defalut":       everywhere{filtersAndScores{filters: filters{"defalut"}}},
	}
	r := frameworkruntime.Registry{}
	for name, plugin := range made {
		r[name] = func(context.Context, runtime.Object, fwk.Handle) (fwk.Plugin, error) { return plugin, nil }
	}
	return r
}
