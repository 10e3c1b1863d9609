package upstream

import (
	"context"
	"fmt"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"berth.dev/berth/tests/conformance/internal/result"
)

// evaluate makes the calls of upstream's scheduling cycle for one pod, and keeps what the cycle discards: every node's
// status and every plugin's score. It changes nothing.
func (s *Simulation) evaluate(ctx context.Context, profile framework.Framework, pod *v1.Pod) *Outcome {
	o := &Outcome{
		Attempt:  result.Attempt{Pod: keyOf(pod), Profile: profile.ProfileName()},
		Unscored: !profile.HasScorePlugins() && !s.extendersMatter(),
	}
	nodes, err := s.snapshot.NodeInfos().List()
	if err != nil {
		return o.fail(result.Error, err.Error())
	}
	if len(nodes) == 0 {
		return o.fail(result.Unschedulable, scheduler.ErrNoNodesAvailable.Error())
	}
	state := framework.NewCycleState()
	diagnosis := framework.Diagnosis{NodeToStatus: framework.NewDefaultNodeToStatus()}
	narrowed, status, narrowers := profile.RunPreFilterPlugins(ctx, state, pod)
	diagnosis.UnschedulablePlugins = narrowers
	if !status.IsSuccess() {
		if !status.IsRejected() {
			return o.fail(result.Error, status.AsError().Error())
		}
		diagnosis.NodeToStatus.SetAbsentNodesStatus(status)
		diagnosis.PreFilterMsg = status.Message()
		return o.unfit(pod, len(nodes), diagnosis)
	}
	if feasible := s.tryNominated(ctx, profile, state, pod, o, diagnosis); feasible != nil {
		return s.schedule(ctx, o, profile, state, pod, feasible)
	}
	candidates := nodes
	if !narrowed.AllNodes() {
		candidates = slices.DeleteFunc(slices.Clone(nodes), func(n fwk.NodeInfo) bool { return !narrowed.NodeNames.Has(n.Node().Name) })
		diagnosis.NodeToStatus.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable,
			fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", sets.List(narrowers))))
	}
	if len(o.Stray) != 0 && slices.ContainsFunc(candidates, func(n fwk.NodeInfo) bool { return n.Node().Name == o.Stray[0].Name }) {
		o.Stray = nil
	}
	feasible, err := o.filter(ctx, profile, state, pod, candidates, diagnosis)
	if err == nil {
		feasible, err = s.extend(o, pod, feasible, diagnosis)
	}
	if err != nil {
		return o.fail(result.Error, err.Error())
	}
	if len(feasible) == 0 {
		return o.unfit(pod, len(nodes), diagnosis)
	}
	return s.schedule(ctx, o, profile, state, pod, feasible)
}

// tryNominated evaluates only the pod's nominated node. If the node passes, it is the whole feasible set. Otherwise it
// returns nil, the node's status stays in the diagnosis, and the attempt continues as without a nomination.
func (s *Simulation) tryNominated(ctx context.Context, profile framework.Framework, state fwk.CycleState, pod *v1.Pod, o *Outcome,
	diagnosis framework.Diagnosis) []fwk.NodeInfo {
	if pod.Status.NominatedNodeName == "" {
		return nil
	}
	node, err := s.snapshot.Get(pod.Status.NominatedNodeName)
	if err != nil {
		return nil
	}
	feasible, err := o.filter(ctx, profile, state, pod, []fwk.NodeInfo{node}, diagnosis)
	if err == nil {
		feasible, err = s.extend(o, pod, feasible, diagnosis)
	}
	if err != nil || len(feasible) == 0 {
		o.Stray, o.Nodes = o.Nodes, nil
		if o.Stray[0].Verdict == "Success" { // an extender failed, so that nothing is known
			o.Stray = nil
		}
		return nil
	}
	return feasible
}

// filter runs the Filter plugins for the candidates, once or twice as nominated pods require, and records each verdict.
func (o *Outcome) filter(ctx context.Context, profile framework.Framework, state fwk.CycleState, pod *v1.Pod, candidates []fwk.NodeInfo,
	diagnosis framework.Diagnosis) ([]fwk.NodeInfo, error) {
	var feasible []fwk.NodeInfo
	for _, node := range candidates {
		name := node.Node().Name
		status := profile.RunFilterPluginsWithNominatedPods(ctx, state, pod, node)
		verdict := result.Node{Name: name, Verdict: status.Code().String()}
		if status != nil { // nil stands for success
			verdict.Plugin, verdict.Reasons = status.Plugin(), status.Reasons()
		}
		o.Nodes = append(o.Nodes, verdict)
		switch {
		case status.Code() == fwk.Error:
			return nil, status.AsError()
		case status.IsSuccess():
			feasible = append(feasible, node)
		default:
			diagnosis.NodeToStatus.Set(name, status)
			// This also affects `narrowers`: a plugin that rejected the nominated node counts as one that narrowed.
			diagnosis.AddPluginStatus(status)
		}
	}
	return feasible, nil
}

// schedule scores the feasible nodes, if there are several and any scoring plugin, and finds the best ones.
func (s *Simulation) schedule(ctx context.Context, o *Outcome, profile framework.Framework, state fwk.CycleState, pod *v1.Pod,
	feasible []fwk.NodeInfo) *Outcome {
	o.Result = result.Scheduled
	o.Messages = []string{""}
	if len(feasible) == 1 || o.Unscored {
		o.Best = o.feasible()
		o.Ties = 1
		return o
	}
	if status := profile.RunPreScorePlugins(ctx, state, pod, feasible); !status.IsSuccess() {
		return o.fail(result.Error, status.AsError().Error())
	}
	scores, status := profile.RunScorePlugins(ctx, state, pod, feasible)
	if !status.IsSuccess() {
		o.fail(result.Error, status.AsError().Error())
		o.Messages = scoreErrors(ctx, profile, state, pod, feasible)
		return o
	}
	s.prioritize(pod, feasible, scores)
	o.recordScores(scores)
	return o
}

// scoreErrors collects the error that each node gives if it is scored first: upstream reports the first one, and its
// starting point depends on earlier attempts.
func scoreErrors(ctx context.Context, profile framework.Framework, state fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) []string {
	messages := sets.New[string]()
	for i := range nodes {
		rotated := append(slices.Clone(nodes[i:]), nodes[:i]...)
		if _, status := profile.RunScorePlugins(ctx, state, pod, rotated); !status.IsSuccess() {
			messages.Insert(status.AsError().Error())
		}
	}
	return sets.List(messages)
}

func (o *Outcome) recordScores(scores []fwk.NodePluginScores) {
	byName := make(map[string]*result.Node, len(o.Nodes))
	for i := range o.Nodes {
		byName[o.Nodes[i].Name] = &o.Nodes[i]
	}
	top := scores[0].TotalScore
	for i := range scores {
		node := byName[scores[i].Name]
		node.Total = scores[i].TotalScore
		node.Scores = make(map[string]int64, len(scores[i].Scores))
		for _, score := range scores[i].Scores {
			node.Scores[score.Name] += score.Score
		}
		top = max(top, node.Total)
	}
	for i := range scores {
		if scores[i].TotalScore == top {
			o.Best = append(o.Best, scores[i].Name)
		}
	}
	o.Ties = len(o.Best)
}

func (o *Outcome) fail(kind, message string) *Outcome {
	o.Result, o.Message, o.Messages = kind, message, []string{message}
	return o
}

// unfit sets the failure message with upstream's FitError.
func (o *Outcome) unfit(pod *v1.Pod, total int, diagnosis framework.Diagnosis) *Outcome {
	fit := framework.FitError{Pod: pod, NumAllNodes: total, Diagnosis: diagnosis}
	return o.fail(result.Unschedulable, fit.Error())
}

// resultOf returns the result of a failed cycle from the status that upstream's failure handler receives.
func resultOf(status *fwk.Status) string {
	if status.IsRejected() {
		return result.Unschedulable
	}
	return result.Error
}

func keyOf(pod *v1.Pod) string { return pod.Namespace + "/" + pod.Name }
