package upstream

import (
	"fmt"
	"os"
	"runtime/pprof"
	"time"

	"github.com/go-logr/logr"
	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Measure loads nodes and pods into upstream's scheduler and then, for each pod in the queue's order, times what the
// scheduling thread does to decide: pop, incremental snapshot, SchedulePod, assume. Feature gates are upstream's
// defaults, nothing is logged, and nothing is bound. It returns the time of each decision and of the whole loop. A
// profile path, if any, gets a CPU profile of the loop.
func Measure(cfg *config.KubeSchedulerConfiguration, parallelism int, nodes []*v1.Node, pods []*v1.Pod, profile string) (
	[]time.Duration, time.Duration, error) {
	klog.SetLogger(logr.Discard())
	s, err := build(cfg, scheduler.WithParallelism(int32(parallelism)))
	if err != nil {
		return nil, 0, err
	}
	defer s.Close()
	for _, node := range nodes {
		if err := s.Load(node); err != nil {
			return nil, 0, err
		}
	}
	for _, pod := range pods {
		if err := s.Load(pod); err != nil {
			return nil, 0, err
		}
	}
	if profile != "" {
		file, err := os.Create(profile)
		if err != nil {
			return nil, 0, err
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return nil, 0, err
		}
		defer pprof.StopCPUProfile()
	}
	times := make([]time.Duration, 0, len(pods))
	begin := time.Now()
	for range pods {
		start := time.Now()
		if err := s.decide(); err != nil {
			return nil, 0, fmt.Errorf("decision %d: %w", len(times), err)
		}
		times = append(times, time.Since(start))
	}
	return times, time.Since(begin), nil
}

// decide makes one decision and assumes it.
func (s *Simulation) decide() error {
	logger := klog.FromContext(s.ctx)
	info, err := s.sched.NextPod(logger)
	if err != nil {
		return err
	}
	profile := s.sched.Profiles[info.Pod.Spec.SchedulerName]
	if err := s.sched.Cache.UpdateSnapshot(logger, s.snapshot); err != nil {
		return err
	}
	res, err := s.sched.SchedulePod(s.ctx, profile, framework.NewCycleState(), info)
	if err != nil {
		return err
	}
	assumed := info.DeepCopy().Pod
	assumed.Spec.NodeName = res.SuggestedHost
	if err := s.sched.Cache.AssumePod(logger, assumed); err != nil {
		return err
	}
	s.sched.SchedulingQueue.Done(assumed.UID)
	return nil
}
