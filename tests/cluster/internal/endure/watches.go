package endure

import (
	"context"
	"fmt"
	"io"
	"time"

	"berth.dev/berth/tests/cluster/internal/process"
	"berth.dev/berth/tests/cluster/internal/proxy"
	"berth.dev/berth/tests/cluster/internal/stream"
)

// WatchesOptions say how long and how often.
type WatchesOptions struct {
	Length time.Duration
	Every  time.Duration // between two disturbances
	Sample time.Duration // between two samples
	Warmup time.Duration // of samples that do not count
	Hang   time.Duration // of stalled connections, before they are cut; less than Every
	Ways   string        // regular expression for names of disturbances; "": all
}

// The limits of issue 6.
const mostSlope = 1.0 // MiB per ten minutes

// comeAndGo is the allowed difference between two medians of descriptors, because connections of a pool vary. A
// descriptor lost with every disturbance would be fifteen.
const comeAndGo = 2

// least is how long samples must continue after the warm-up for a meaningful slope.
const least = 10 * time.Minute

// Watches is what Watches found.
type Watches struct {
	*Verdict
	samples *sampler
	steady  []sample
	kinds   []disturbance
}

// disturbance has the results of all disturbances of one kind.
type disturbance struct {
	what   string
	pauses []time.Duration // the longest time without a binding, for each
}

// RunWatches disturbs the scheduler's connections in turn, in every way.
func RunWatches(ctx context.Context, o Options, w WatchesOptions) (*Watches, error) {
	r, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	certificate, key := o.Plane.Certificate()
	p, err := proxy.Start(o.Plane.URL, o.Plane.CA(), certificate, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.Stop() }()
	d, err := r.launch(p.URL, "")
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Kill() }()
	if err := ready(ctx, d); err != nil {
		return nil, err
	}
	if err := r.start(ctx, plain, plain, stream.Tight, plain, plain, stream.Tight, plain, plain, stream.Tight, plain); err != nil {
		return nil, err
	}
	all := &disturber{p: p, hang: w.Hang, last: "nothing"}
	sampling, stop := context.WithCancel(ctx)
	defer stop()
	result := &Watches{samples: startSampler(sampling, d.Process, w.Sample, all.lastOne)}
	if err := r.disturb(ctx, w, all, result); err != nil {
		return nil, err
	}
	stop()
	<-result.samples.done
	result.Verdict, err = r.finish(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w; the end of the scheduler's log:\n%s", err, d.Tail(20))
	}
	if err := d.Ready(ctx); err != nil {
		result.wrong("the scheduler is not ready at the end: %v; the end of its log:\n%s", err, d.Tail(20))
	}
	result.judge(w)
	return result, nil
}

// disturb disturbs connections until the end of the run.
func (r *run) disturb(ctx context.Context, w WatchesOptions, all *disturber, result *Watches) error {
	ways, err := all.ways(w.Ways)
	if err != nil {
		return err
	}
	for _, way := range ways {
		result.kinds = append(result.kinds, disturbance{what: way.what})
	}
	over := time.Now().Add(w.Length)
	if err := sleep(ctx, w.Every); err != nil {
		return err
	}
	for i := 0; time.Now().Before(over); i++ {
		kind := i % len(ways)
		all.did(ways[kind].what)
		next := time.Now().Add(w.Every)
		r.pods.Pause()
		if err := ways[kind].do(ctx); err != nil {
			return err
		}
		if err := sleep(ctx, time.Until(next)); err != nil {
			return err
		}
		pause := r.pods.Pause()
		result.kinds[kind].pauses = append(result.kinds[kind].pauses, pause)
		fmt.Fprintf(r.o.Log, "endure: %s: no binding for %s at most; %d pods were made, %d wait\n",
			ways[kind].what, pause.Round(time.Millisecond), r.pods.Count(), r.pods.Waiting())
	}
	return nil
}

func (w *Watches) judge(o WatchesOptions) {
	w.steady = w.samples.steady(o.Warmup)
	if w.samples.err != nil {
		w.wrong("the scheduler's resources: %v", w.samples.err)
	}
	if len(w.steady) == 0 {
		return
	}
	if s := slope(w.steady, rss); w.judged() && s > mostSlope {
		w.wrong("VmRSS grows by %.2f MiB per 10 minutes, more than %.2f", s, mostSlope)
	}
	if before, after := w.halves(); w.judged() && after > before+comeAndGo {
		w.wrong("%d descriptors in the second half, %d in the first", after, before)
	}
}

// judged returns whether there are enough samples for slopes.
func (w *Watches) judged() bool {
	return len(w.steady) > 1 && w.steady[len(w.steady)-1].at-w.steady[0].at >= least
}

// halves are the medians of the number of descriptors in the two halves of the steady time.
func (w *Watches) halves() (before, after int) {
	_, before, _ = spread(w.steady[:len(w.steady)/2], descriptors)
	_, after, _ = spread(w.steady[len(w.steady)/2:], descriptors)
	return before, after
}

func rss(u process.Usage) int64       { return u.RSS }
func anon(u process.Usage) int64      { return u.Anon }
func descriptors(u process.Usage) int { return u.Descriptors }
func threads(u process.Usage) int     { return u.Threads }

// Print writes it in a readable form.
func (w *Watches) Print(to io.Writer) {
	w.samples.print(to)
	for _, kind := range w.kinds {
		if len(kind.pauses) > 0 {
			fmt.Fprintf(to, "%-36s %3d times; no binding for %s at most, median %s\n",
				kind.what, len(kind.pauses), most(kind.pauses), median(kind.pauses))
		}
	}
	if len(w.steady) > 0 {
		note := ""
		if !w.judged() {
			note = " (not judged: of less than " + least.String() + ")"
		}
		fmt.Fprintf(to, "memory       %+.2f MiB per 10 minutes after the warm-up, RssAnon %+.2f%s\n", slope(w.steady, rss), slope(w.steady, anon), note)
		for _, one := range []struct {
			name string
			of   func(process.Usage) int
		}{{"descriptors", descriptors}, {"threads", threads}} {
			low, middle, high := spread(w.steady, one.of)
			fmt.Fprintf(to, "%-12s %d to %d, median %d\n", one.name, low, high, middle)
		}
	}
	w.print(to)
}
