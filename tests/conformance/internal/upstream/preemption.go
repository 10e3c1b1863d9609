package upstream

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	plfeature "k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	schedutil "k8s.io/kubernetes/pkg/scheduler/util"
)

// judgedPreemption replaces DefaultPreemption in the judge's profiles.
const judgedPreemption = "JudgedPreemption"

// Wish is the choice of the simulator's preemption, for cases in which upstream's choice is random.
type Wish struct {
	Node    string   // that it nominated, "" for any
	Victims []string // "namespace/name"
}

// preemptor is upstream's DefaultPreemption without its four sources of randomness: every potential node is a
// candidate, victims are evicted before the cycle ends, and among candidates that upstream considers equal, and among
// equal pods of a node, the simulator's are chosen.
type preemptor struct {
	*defaultpreemption.DefaultPreemption
	sim *Simulation
}

var (
	_ fwk.PostFilterPlugin  = &preemptor{}
	_ fwk.EnqueueExtensions = &preemptor{}
	_ preemption.Interface  = &preemptor{}
)

// judgePreemption inserts the replacement where the profiles name the plugin.
func judgePreemption(cfg *config.KubeSchedulerConfiguration) {
	for i := range cfg.Profiles {
		profile := &cfg.Profiles[i]
		for _, set := range []*config.PluginSet{&profile.Plugins.MultiPoint, &profile.Plugins.PostFilter, &profile.Plugins.PreEnqueue} {
			for _, list := range [][]config.Plugin{set.Enabled, set.Disabled} {
				for j := range list {
					if list[j].Name == names.DefaultPreemption {
						list[j].Name = judgedPreemption
					}
				}
			}
		}
		for j := range profile.PluginConfig {
			if profile.PluginConfig[j].Name == names.DefaultPreemption {
				profile.PluginConfig[j].Name = judgedPreemption
			}
		}
	}
}

func (s *Simulation) registry() frameworkruntime.Registry {
	return frameworkruntime.Registry{judgedPreemption: func(ctx context.Context, args runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
		features := plfeature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)
		inner, err := defaultpreemption.New(ctx, args, handle, features)
		if err != nil {
			return nil, err
		}
		p := &preemptor{DefaultPreemption: inner, sim: s}
		inner.Evaluator.Interface = p
		inner.MoreImportantPod = p.moreImportant
		inner.Executor.PreemptPod = p.evict
		return p, nil
	}}
}

// Name implements fwk.Plugin.
func (p *preemptor) Name() string { return judgedPreemption }

// PostFilter implements fwk.PostFilterPlugin. It returns after the eviction, which upstream runs on a goroutine.
func (p *preemptor) PostFilter(ctx context.Context, state fwk.CycleState, pod *v1.Pod, m fwk.NodeToStatusReader) (*fwk.PostFilterResult, *fwk.Status) {
	result, status := p.DefaultPreemption.PostFilter(ctx, state, pod, m)
	if status.Code() == fwk.Error {
		status = fwk.AsStatus(errors.New(inOrder(status.Message())))
	}
	for p.Executor.IsPodRunningPreemption(pod.UID) {
		time.Sleep(100 * time.Microsecond)
	}
	return result, status
}

// inOrder sorts the failures of dry runs, "preemption: [a, b]", because upstream visits the nodes in the order of a
// map.
func inOrder(message string) string {
	before, list, found := strings.Cut(message, "preemption: [")
	if !found || !strings.HasSuffix(list, "]") {
		return message
	}
	parts := strings.Split(strings.TrimSuffix(list, "]"), ", ")
	slices.Sort(parts)
	return before + "preemption: [" + strings.Join(parts, ", ") + "]"
}

// GetOffsetAndNumCandidates implements preemption.Interface.
func (p *preemptor) GetOffsetAndNumCandidates(nodes int32) (int32, int32) { return 0, nodes }

// OrderedScoreFuncs implements preemption.Interface. Upstream calls it with all candidates if there are several.
func (p *preemptor) OrderedScoreFuncs(_ context.Context, victims map[string]*extenderv1.Victims) []func(node string) int64 {
	best := bestCandidates(victims)
	o := p.sim.current
	o.Candidates = map[string][]string{}
	for _, node := range best {
		o.Candidates[node] = victimKeys(victims[node].Pods)
	}
	wanted := best[0]
	if slices.Contains(best, p.sim.wish.Node) {
		wanted = p.sim.wish.Node
	}
	return []func(string) int64{func(node string) int64 {
		if node == wanted {
			return 1
		}
		return 0
	}}
}

// bestCandidates are the nodes among which upstream's pickOneNodeForPreemption chooses at random, sorted.
func bestCandidates(victims map[string]*extenderv1.Victims) []string {
	var left []string
	for node := range victims {
		left = append(left, node)
	}
	slices.Sort(left)
	criteria := []func(v *extenderv1.Victims) int64{
		func(v *extenderv1.Victims) int64 { return -v.NumPDBViolations },
		func(v *extenderv1.Victims) int64 { return -int64(corev1helpers.PodPriority(v.Pods[0])) },
		func(v *extenderv1.Victims) int64 {
			var sum int64
			for _, pod := range v.Pods {
				sum -= int64(corev1helpers.PodPriority(pod)) + int64(math.MaxInt32+1)
			}
			return sum
		},
		func(v *extenderv1.Victims) int64 { return -int64(len(v.Pods)) },
		earliestStart,
	}
	for _, score := range criteria {
		top := int64(math.MinInt64)
		for _, node := range left {
			top = max(top, score(victims[node]))
		}
		left = slices.DeleteFunc(left, func(node string) bool { return score(victims[node]) != top })
	}
	return left
}

// moreImportant is upstream's, except for two pods that have not started and of which the simulator evicts one.
// Upstream uses the current time as their start time, so each is more important than the other, and with more than a
// dozen pods the result depends on the sort.
func (p *preemptor) moreImportant(a, b *v1.Pod) bool {
	waiting := a.Status.StartTime == nil && b.Status.StartTime == nil
	if waiting && corev1helpers.PodPriority(a) == corev1helpers.PodPriority(b) {
		goes := func(pod *v1.Pod) bool { return slices.Contains(p.sim.wish.Victims, keyOf(pod)) }
		if goes(a) != goes(b) {
			return goes(b)
		}
	}
	return schedutil.MoreImportantPod(a, b)
}

// earliestStart is the start time of the first of the most important victims. Upstream uses the current time for a pod
// that has not started, which makes such nodes equal except for chance.
func earliestStart(v *extenderv1.Victims) int64 {
	start := schedutil.GetEarliestPodStartTime(v)
	if time.Since(start.Time) < time.Hour {
		return math.MaxInt64
	}
	return start.UnixNano()
}

// evict records the victim, which is deleted after the cycle.
func (p *preemptor) evict(_ context.Context, c preemption.Candidate, _ preemption.ExecutorPreemptor, victim *v1.Pod, _ string) error {
	p.sim.mu.Lock()
	defer p.sim.mu.Unlock()
	p.sim.evicted = append(p.sim.evicted, victim)
	o := p.sim.current
	if o.Candidates == nil { // there was one candidate only
		o.Candidates = map[string][]string{c.Name(): victimKeys(c.Victims().Pods)}
	}
	return nil
}

// victimKeys are the pods that preemption must evict, sorted, without those that are already terminating.
func victimKeys(pods []*v1.Pod) []string {
	var keys []string
	for _, pod := range pods {
		if pod.DeletionTimestamp == nil {
			keys = append(keys, keyOf(pod))
		}
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}
