// Package upstream runs kube-scheduler's own scheduler on manifests: its configuration loader, cache, queue, event
// handlers, framework, and scheduling cycle. The judge replaces the API server, the informers, and the clock, and
// drives them itself.
package upstream

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	schedutil "k8s.io/kubernetes/pkg/scheduler/util"
	testingclock "k8s.io/utils/clock/testing"

	"berth.dev/berth/tests/conformance/internal/result"
)

// bindingPatience is how long a binding cycle, which runs on a goroutine of upstream's, may take.
const bindingPatience = 30 * time.Second

// Choose picks the node for a pod that upstream would schedule; it returns one of o's feasible nodes.
type Choose func(o *Outcome) string

// Simulation is one cluster with upstream's scheduler. One goroutine uses it; several may exist at the same time.
type Simulation struct {
	ctx      context.Context
	cancel   context.CancelFunc
	sched    *scheduler.Scheduler
	snapshot *internalcache.Snapshot
	informed *informerFactory
	api      *apiServer
	recorder *recorder
	clock    *testingclock.FakeClock
	versions int
	waited   map[string]bool // pods that have waited for an error backoff, by key

	mu      sync.Mutex
	evicted []*v1.Pod // by the running cycle
	wish    Wish

	next    *v1.Pod  // the pod the next ScheduleOne takes
	choose  Choose   // the function that chooses for it
	current *Outcome // its result
	// Problems lists contradictions between the judge's own walk through the framework and upstream's scheduling cycle.
	// Any entry is an error of the judge and makes its verdict invalid.
	Problems []string
}

// Quiet drops upstream's log output for the whole process and disables opportunistic batching, whose hint would make
// upstream filter one node where a comparison needs all.
func Quiet() {
	klog.SetLogger(logr.Discard())
	if err := utilfeature.DefaultMutableFeatureGate.Set("OpportunisticBatching=false"); err != nil {
		panic(err)
	}
}

// New creates upstream's scheduler from a completed configuration, with the judge in its loop. Close must be called.
func New(cfg *config.KubeSchedulerConfiguration) (*Simulation, error) {
	s, err := build(cfg, true, scheduler.WithParallelism(1))
	if err != nil {
		return nil, err
	}
	s.sched.Cache = freshSnapshots{s.sched.Cache}
	s.intercept()
	return s, nil
}

// build creates upstream's scheduler, with replaced informers, API server, and clock. A judged one has the judge's
// wrapper of DefaultPreemption.
func build(cfg *config.KubeSchedulerConfiguration, judged bool, more ...scheduler.Option) (*Simulation, error) {
	s := &Simulation{
		api:      newAPIServer(),
		recorder: &recorder{bound: make(chan string, 1)},
		waited:   map[string]bool{},
		clock:    testingclock.NewFakeClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
	}
	s.ctx, s.cancel = context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	client, err := s.api.client()
	if err != nil {
		return nil, err
	}
	s.informed = newInformerFactory(client)
	if judged {
		s.informed.pods.watch()
		judgePreemption(cfg)
		more = append(more, scheduler.WithFrameworkOutOfTreeRegistry(s.registry()))
	}
	s.sched, err = scheduler.New(s.ctx, client, s.informed, nil,
		func(string) events.EventRecorderLogger { return s.recorder },
		append([]scheduler.Option{
			scheduler.WithComponentConfigVersion(cfg.TypeMeta.APIVersion),
			scheduler.WithProfiles(cfg.Profiles...),
			scheduler.WithExtenders(cfg.Extenders...),
			scheduler.WithPercentageOfNodesToScore(cfg.PercentageOfNodesToScore),
			scheduler.WithPodInitialBackoffSeconds(cfg.PodInitialBackoffSeconds),
			scheduler.WithPodMaxBackoffSeconds(cfg.PodMaxBackoffSeconds),
			scheduler.WithClock(s.clock),
		}, more...)...,
	)
	if err != nil {
		s.cancel()
		return nil, err
	}
	for _, profile := range s.sched.Profiles {
		s.snapshot = profile.SnapshotSharedLister().(*internalcache.Snapshot)
	}
	return s, nil
}

// Close stops upstream's goroutines.
func (s *Simulation) Close() {
	s.sched.SchedulingQueue.Close()
	s.cancel()
}

// Spoilt lists the pods of the informer that upstream itself wrote to, by key. Its decisions about them then use
// amounts that grow with each read, and each status patch requeues the pod, because the API server's object requests
// less than upstream's copy. kube-scheduler 1.36.3 does this to pods with an overhead whose own spec.resources requests
// the same resource with more digits than an int64 has.
func (s *Simulation) Spoilt() []string { return s.informed.pods.spoilt() }

// intercept inserts the judge between upstream's loop and the three steps that it calls through fields.
func (s *Simulation) intercept() {
	s.sched.NextPod = func(logger klog.Logger) (*framework.QueuedPodInfo, error) {
		return s.sched.SchedulingQueue.PopSpecificPod(logger, s.next), nil
	}
	schedulePod := s.sched.SchedulePod
	s.sched.SchedulePod = func(ctx context.Context, profile framework.Framework, state fwk.CycleState,
		info *framework.QueuedPodInfo) (scheduler.ScheduleResult, error) {
		o := s.evaluate(ctx, profile, info.Pod)
		s.current = o
		res, err := schedulePod(ctx, profile, state, info)
		s.crossCheck(o, res, err)
		if err == nil {
			res.SuggestedHost = s.choose(o)
			o.Node = res.SuggestedHost
		}
		return res, err
	}
	handleFailure := s.sched.FailureHandler
	s.sched.FailureHandler = func(ctx context.Context, profile framework.Framework, info *framework.QueuedPodInfo,
		status *fwk.Status, nominating *fwk.NominatingInfo, start time.Time) {
		s.settleFailure(status, nominating)
		handleFailure(ctx, profile, info, status, nominating, start)
	}
}

// settleFailure compares the arguments of upstream's failure handler with the judge's own result, and keeps upstream's.
// Only upstream has PostFilter's additions to a message, because the judge's walk ends before it.
func (s *Simulation) settleFailure(status *fwk.Status, nominating *fwk.NominatingInfo) {
	o := s.current
	want := resultOf(status)
	same := slices.ContainsFunc(o.Messages, func(m string) bool {
		return status.Message() == m || want == result.Unschedulable && strings.HasPrefix(status.Message(), m+" ")
	})
	if o.Result != want || !same {
		s.problem("pod %s: derived %s %q, upstream reports %s %q", o.Pod, o.Result, o.Message, want, status.Message())
	}
	if status.Message() != o.Messages[0] && !contains(o.Messages, status.Message()) {
		o.Messages = []string{status.Message()}
	}
	o.Result, o.Message = want, status.Message()
	if nominating != nil && nominating.NominatingMode == fwk.ModeOverride {
		o.NominatedNode = nominating.NominatedNodeName
	}
	o.Victims = victimKeys(s.evicted)
}

// freshSnapshots is upstream's cache, except that every snapshot is complete. An incremental one contains old numbers
// of nodes with an image for nodes that did not change, and a simulation is compared with exact counts.
type freshSnapshots struct {
	internalcache.Cache
}

// UpdateSnapshot clears the snapshot before upstream fills it.
func (c freshSnapshots) UpdateSnapshot(logger klog.Logger, snapshot *internalcache.Snapshot) error {
	*snapshot = *internalcache.NewEmptySnapshot()
	if err := c.Cache.UpdateSnapshot(logger, snapshot); err != nil {
		return err
	}
	nodes, err := snapshot.NodeInfos().List()
	if err != nil {
		return err
	}
	for _, node := range nodes {
		recountPorts(node.(*framework.NodeInfo))
	}
	return nil
}

// recountPorts sets the node's used host ports to those of its pods. Upstream keeps a set: when one of two pods with
// the same port is deleted, the port counts as free although the other pod still has it.
func recountPorts(node *framework.NodeInfo) {
	node.UsedPorts = fwk.HostPortInfo{}
	for _, pod := range node.Pods {
		for _, port := range schedutil.GetHostPorts(pod.GetPod()) {
			node.UsedPorts.Add(port.HostIP, string(port.Protocol), port.HostPort)
		}
	}
}

func (s *Simulation) problem(format string, args ...any) {
	s.Problems = append(s.Problems, fmt.Sprintf(format, args...))
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
