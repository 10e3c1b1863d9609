package endure

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"time"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/history"
	"berth.dev/berth/tests/cluster/internal/process"
	"berth.dev/berth/tests/cluster/internal/stream"
)

// Replicas is what RunReplicas found.
type Replicas struct {
	*Verdict
	pauses   map[string][]time.Duration // without a binding, by disturbance
	starts   int                        // of schedulers
	holders  int                        // changes of the Lease's holder
	unknown  int                        // pods whose binding is in no replica's log
	duration time.Duration
}

// blow is one disturbance of a process.
type blow struct {
	victim string // who
	how    string
	strike func(context.Context, *process.Process) error
}

func (b blow) String() string { return b.victim + ": " + b.how }

// Victims.
const (
	leading   = "leader"
	following = "follower"
	server    = "API server"
)

// blows are n disturbances of schedulers and the API server in turn. The seed decides which; each kind comes early.
func blows(n int, random *rand.Rand) []blow {
	var all []blow
	for i := range n {
		b := blow{victim: server}
		if i%2 == 0 {
			b.victim = leading
			if i%8 == 6 {
				b.victim = following
			}
		}
		switch turn := i / 2; {
		case turn%3 == 1 && turn%2 == 1:
			b.how, b.strike = "SIGTERM", send(syscall.SIGTERM)
		case turn%3 == 2:
			b.how, b.strike = "stopped for a while", stopFor(500*time.Millisecond+time.Duration(random.Int64N(int64(4*time.Second))))
		default:
			b.how, b.strike = "SIGKILL", send(syscall.SIGKILL)
		}
		all = append(all, b)
	}
	return all
}

// drain is the time that the API server has for open requests after SIGTERM.
const drain = 90 * time.Second

func send(signal os.Signal) func(context.Context, *process.Process) error {
	return func(_ context.Context, p *process.Process) error {
		if err := p.Signal(signal); err != nil {
			return err
		}
		_, err := p.Wait(drain)
		return err
	}
}

func stopFor(d time.Duration) func(context.Context, *process.Process) error {
	return func(ctx context.Context, p *process.Process) error {
		if err := p.Signal(syscall.SIGSTOP); err != nil {
			return err
		}
		err := sleep(ctx, d)
		if again := p.Signal(syscall.SIGCONT); err == nil {
			err = again
		}
		return err
	}
}

// RunReplicas runs two replicas with leader election, and kills or stops the leader, the follower, and the API server
// n times, at random moments.
func RunReplicas(ctx context.Context, o Options, n int, seed uint64) (*Replicas, error) {
	began := time.Now()
	r, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	p, err := r.startPair(ctx, func(name string) (*daemon.Daemon, error) { return r.launchReplica(name, elected) })
	defer p.kill()
	if err != nil {
		return nil, err
	}
	if err := r.startThrough(ctx, plain, stream.Tight, plain); err != nil {
		return nil, err
	}
	result := &Replicas{pauses: map[string][]time.Duration{}}
	random := rand.New(rand.NewPCG(seed, 1))
	for i, b := range blows(n, random) {
		if err := p.suffer(ctx, b, random, result); err != nil {
			return nil, fmt.Errorf("disturbance %d (%s): %w", i+1, b, err)
		}
		if (i+1)%5 == 0 {
			fmt.Fprintf(o.Log, "endure: %d disturbances, %d pods were made, %d wait, %d schedulers were started\n",
				i+1, r.pods.Count(), r.pods.Waiting(), len(p.all))
		}
	}
	if err := p.finish(ctx, result); err != nil {
		return nil, err
	}
	result.duration = time.Since(began)
	return result, nil
}

// suffer waits a moment, disturbs the process, and waits until both replicas are ready and one binds pods.
func (p *pair) suffer(ctx context.Context, b blow, random *rand.Rand, result *Replicas) error {
	if err := sleep(ctx, time.Duration(random.Int64N(int64(time.Second)))); err != nil {
		return err
	}
	from, err := history.Now(ctx, p.r.o.Plane.Etcd)
	if err != nil {
		return err
	}
	p.r.pods.Pause()
	if err := p.strike(ctx, b); err != nil {
		return err
	}
	if err := p.ready(ctx, time.Minute); err != nil {
		return err
	}
	if err := p.progress(ctx, 50, time.Minute); err != nil {
		return err
	}
	result.pauses[b.String()] = append(result.pauses[b.String()], p.r.pods.Pause())
	if b.victim != server {
		return nil
	}
	to, err := history.Now(ctx, p.r.o.Plane.Etcd)
	p.r.outages = append(p.r.outages, history.Outage{From: from, To: to})
	return err
}

func (p *pair) strike(ctx context.Context, b blow) error {
	plane := p.r.o.Plane
	if b.victim == server {
		api := plane.APIServer()
		if err := b.strike(ctx, api); err != nil {
			return err
		}
		select {
		case <-api.Done():
			return plane.RestartAPIServer(ctx)
		default:
			return nil
		}
	}
	i, err := p.leader(ctx)
	if err != nil {
		return err
	}
	if b.victim == following {
		i = 1 - i
	}
	return b.strike(ctx, p.members[i].Process)
}

// finish checks the complete history, including the fence.
func (p *pair) finish(ctx context.Context, result *Replicas) error {
	authors, err := p.settle(ctx)
	if err != nil {
		return err
	}
	verdict, holders, err := p.r.judge(ctx, authors)
	if err != nil {
		return err
	}
	result.Verdict, result.holders, result.starts = verdict, holders, len(p.all)
	result.unknown = verdict.Bound - len(authors)
	return nil
}

// settle waits for the last bindings, and returns which replica made each one.
func (p *pair) settle(ctx context.Context) (map[string]string, error) {
	p.r.made = p.r.pods.Finish(ctx, timeout)
	return daemon.Authors(p.all)
}

// Print writes it in a readable form.
func (k *Replicas) Print(w io.Writer) {
	for _, what := range slices.Sorted(maps.Keys(k.pauses)) {
		fmt.Fprintf(w, "%-32s %3d times; no binding for %s at most, median %s\n", what, len(k.pauses[what]), most(k.pauses[what]), median(k.pauses[what]))
	}
	fmt.Fprintf(w, "schedulers   %d were started; the Lease's holder changed %d times\n", k.starts, k.holders)
	fmt.Fprintf(w, "fence        %d bindings by a replica without the Lease, %d late ones of an API server that was away; the author of %d of %d is not known\n", len(k.Fenced), k.Late, k.unknown, k.Bound)
	k.print(w)
	fmt.Fprintf(w, "time         %s\n", k.duration.Round(time.Second))
}
