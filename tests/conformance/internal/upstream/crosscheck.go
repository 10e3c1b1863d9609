package upstream

import (
	"errors"
	"slices"

	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"berth.dev/berth/tests/conformance/internal/result"
)

// crossCheck compares the judge's walk through the framework with the result of upstream's own SchedulePod, including
// findNodesThatFitPod, for the same pod and the same snapshot.
func (s *Simulation) crossCheck(o *Outcome, res scheduler.ScheduleResult, err error) {
	if err != nil {
		if !contains(o.Messages, err.Error()) {
			s.problem("pod %s: derived %s %q, SchedulePod returns error %q", o.Pod, o.Result, o.Messages, err)
		}
		var fit *framework.FitError
		if errors.As(err, &fit) {
			s.crossCheckNodes(o, fit)
		}
		return
	}
	if o.Result != result.Scheduled {
		s.problem("pod %s: derived %s %q, SchedulePod chooses node %s", o.Pod, o.Result, o.Message, res.SuggestedHost)
		return
	}
	if !contains(o.Best, res.SuggestedHost) {
		s.problem("pod %s: SchedulePod chooses node %s, the best are %v", o.Pod, res.SuggestedHost, o.Best)
	}
	want := len(o.feasible())
	if o.Unscored {
		want = 1
	}
	if res.FeasibleNodes != want {
		s.problem("pod %s: SchedulePod finds %d feasible nodes, derived %d", o.Pod, res.FeasibleNodes, want)
	}
}

func (s *Simulation) crossCheckNodes(o *Outcome, fit *framework.FitError) {
	derived := slices.DeleteFunc(slices.Concat(o.Nodes, o.Stray), func(n result.Node) bool { return o.dropped[n.Name] })
	derived = append(derived, o.foreign...)
	if fit.Diagnosis.NodeToStatus.Len() != len(derived) {
		s.problem("pod %s: SchedulePod recorded %d node statuses, derived %d", o.Pod, fit.Diagnosis.NodeToStatus.Len(), len(derived))
	}
	for i := range derived {
		node := &derived[i]
		status := fit.Diagnosis.NodeToStatus.Get(node.Name)
		plugin := node.Plugin
		if o.refused[node.Name] { // upstream does not keep which plugin it was
			plugin = ""
		}
		if status.Code().String() != node.Verdict || status.Plugin() != plugin || !sameReasons(status, node.Reasons) {
			s.problem("pod %s node %s: SchedulePod recorded %v, derived %+v", o.Pod, node.Name, status, *node)
		}
	}
}

func sameReasons(status *fwk.Status, reasons []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(status.Reasons())), slices.Sorted(slices.Values(reasons)))
}
