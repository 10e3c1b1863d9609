package upstream

import (
	"fmt"
	"os"
	goruntime "runtime"
	"runtime/pprof"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Measurement says what Measure does.
type Measurement struct {
	Parallelism int
	Pods        int    // how many of the pending ones are placed, in the queue's order
	WholeCycles bool   // includes failures, preemption, retries, and bindings; otherwise only decisions
	Profile     string // path of a CPU profile of the loop, "" for none
}

// Measured is the result from the end of the first attempt, which creates the snapshot, to the end of the last one.
type Measured struct {
	Times   []time.Duration // of each decision; with WholeCycles and preemption, of each attempt that preempted
	Elapsed time.Duration
	CPU     time.Duration // of the whole process
	Evicted int           // pods preempted

	began   time.Time
	cpuThen time.Duration
}

// begin resets the measurement.
func (m *Measured) begin() {
	*m = Measured{Times: m.Times[:0], began: time.Now(), cpuThen: cpuTime()}
}

func (m *Measured) end() {
	m.Elapsed, m.CPU = time.Since(m.began), cpuTime()-m.cpuThen
}

// Measure loads objects into upstream's scheduler and then measures the work of the scheduling thread for each pod:
// pop, incremental snapshot, SchedulePod, assume. With WholeCycles it measures ScheduleOne and everything until the
// pods are bound. Feature gates have upstream's defaults, and nothing is logged.
func Measure(cfg *config.KubeSchedulerConfiguration, m Measurement, objs []runtime.Object) (*Measured, error) {
	klog.SetLogger(logr.Discard())
	s, err := build(cfg, false, scheduler.WithParallelism(int32(m.Parallelism)))
	if err != nil {
		return nil, err
	}
	defer s.Close()
	for _, obj := range objs {
		if err := s.Load(obj); err != nil {
			return nil, err
		}
	}
	if waiting := len(s.sched.SchedulingQueue.PodsInActiveQ()); waiting < m.Pods || m.Pods < 2 {
		return nil, fmt.Errorf("%d pods wait; %d, and two at the least, are to be placed", waiting, m.Pods)
	}
	if m.Profile != "" {
		stop, err := profile(m.Profile)
		if err != nil {
			return nil, err
		}
		defer stop()
	}
	out := &Measured{Times: make([]time.Duration, 0, m.Pods)}
	goruntime.GC() // loading leaves much garbage
	if m.WholeCycles {
		err = s.placeAll(m.Pods, out)
	} else {
		err = s.decideAll(m.Pods, out)
	}
	out.end()
	return out, err
}

func profile(path string) (stop func(), err error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		file.Close()
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); file.Close() }, nil
}

// cpuTime is the CPU time of this process so far, user and system.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func (s *Simulation) decideAll(pods int, out *Measured) error {
	for i := range pods {
		start := time.Now()
		if err := s.decide(); err != nil {
			return fmt.Errorf("decision %d: %w", i, err)
		}
		out.Times = append(out.Times, time.Since(start))
		if i == 0 {
			out.begin()
		}
	}
	return nil
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
