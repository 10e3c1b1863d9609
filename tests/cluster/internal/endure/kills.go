package endure

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/stream"
)

// Kills is what RunKills found.
type Kills struct {
	*Verdict
	ended   [2][]time.Duration // from the signal to the end of the process, by signal
	ready   []time.Duration    // from a start until the scheduler was ready
	waiting []int              // pods without a node when the signal came
	bound   []int              // pods bound by each killed scheduler
}

// signals are sent in turn.
var signals = [2]os.Signal{syscall.SIGTERM, syscall.SIGKILL}

// ending is how long a scheduler may take to end after SIGTERM.
const ending = 20 * time.Second

// holding makes pods with the label hold wait in Permit until an opener arrives.
const holding = "  plugins: {permit: {enabled: [{name: HoldUntilOpened}]}}\n"

// RunKills kills the scheduler n times, at random moments during bindings, and restarts it.
func RunKills(ctx context.Context, o Options, n int, seed uint64) (*Kills, error) {
	r, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := r.start(ctx, plain, held, stream.Tight, plain, plain, stream.Tight, held, plain, stream.Tight, plain); err != nil {
		return nil, err
	}
	opening, stop := context.WithCancel(ctx)
	defer stop()
	go r.open(opening)
	result := &Kills{}
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		if err := r.kill(ctx, i%len(signals), random, result); err != nil {
			return nil, fmt.Errorf("kill %d: %w", i+1, err)
		}
		if (i+1)%10 == 0 {
			fmt.Fprintf(o.Log, "endure: %d kills, %d pods were made, %d wait\n", i+1, r.pods.Count(), r.pods.Waiting())
		}
	}
	d, err := r.welcome(ctx, result)
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Kill() }()
	result.Verdict, err = r.finish(ctx)
	if err != nil {
		return nil, err
	}
	if idle := result.idle(); idle > n/10 {
		result.wrong("%d of %d schedulers were killed before they had bound a pod: the load is too small", idle, n)
	}
	return result, nil
}

// welcome starts a scheduler and waits until it is ready.
func (r *run) welcome(ctx context.Context, result *Kills) (*daemon.Daemon, error) {
	began := time.Now()
	d, err := r.launch("", holding, "--plugin-dir="+r.o.TestPlugins)
	if err != nil {
		return nil, err
	}
	if err := ready(ctx, d); err != nil {
		_ = d.Kill()
		return nil, err
	}
	result.ready = append(result.ready, time.Since(began))
	return d, nil
}

func (r *run) kill(ctx context.Context, turn int, random *rand.Rand, result *Kills) error {
	before := r.pods.Bound()
	d, err := r.welcome(ctx, result)
	if err != nil {
		return err
	}
	defer func() { _ = d.Kill() }()
	if err := sleep(ctx, time.Second+time.Duration(random.Int64N(int64(2*time.Second)))); err != nil {
		return err
	}
	result.waiting = append(result.waiting, r.pods.Waiting())
	began := time.Now()
	if err := d.Signal(signals[turn]); err != nil {
		return err
	}
	if _, err := d.Wait(ending); err != nil {
		return err
	}
	result.ended[turn] = append(result.ended[turn], time.Since(began))
	result.bound = append(result.bound, r.pods.Bound()-before)
	return nil
}

// open releases held pods once a second until ctx ends.
func (r *run) open(ctx context.Context) {
	pods := r.o.Plane.Client.CoreV1().Pods(r.o.Namespace)
	var now int64
	for i := 0; sleep(ctx, time.Second) == nil; i++ {
		name := fmt.Sprintf("opener-%06d", i)
		pod := r.pod(plain, name)
		pod.Labels["open"] = "true"
		// The next opener makes up for one that fails.
		if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err == nil {
			time.AfterFunc(2*lifetime, func() { _ = pods.Delete(ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &now}) })
		}
	}
}

// idle is the number of schedulers that were killed before they had bound a pod.
func (k *Kills) idle() int {
	n := 0
	for _, bound := range k.bound {
		if bound == 0 {
			n++
		}
	}
	return n
}

// Print writes it in a readable form.
func (k *Kills) Print(w io.Writer) {
	for turn, ended := range k.ended {
		if len(ended) > 0 {
			fmt.Fprintf(w, "%-12s %d times; gone after %s, median %s\n", signals[turn], len(ended), most(ended), median(ended))
		}
	}
	fmt.Fprintf(w, "start        ready after %s, median %s\n", most(k.ready), median(k.ready))
	if len(k.waiting) > 0 {
		slices.Sort(k.waiting)
		slices.Sort(k.bound)
		fmt.Fprintf(w, "at the kill  %d to %d pods waited, median %d; each scheduler had bound %d to %d, median %d\n",
			k.waiting[0], k.waiting[len(k.waiting)-1], k.waiting[len(k.waiting)/2], k.bound[0], k.bound[len(k.bound)-1], k.bound[len(k.bound)/2])
	}
	k.print(w)
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2].Round(time.Millisecond)
}

func most(all []time.Duration) time.Duration { return slices.Max(all).Round(time.Millisecond) }
