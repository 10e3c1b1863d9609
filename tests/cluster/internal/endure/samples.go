package endure

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"berth.dev/berth/tests/cluster/internal/fit"
	"berth.dev/berth/tests/cluster/internal/process"
)

// sample is the scheduler's resource usage at one time.
type sample struct {
	at    time.Duration // since pods began
	used  process.Usage
	load  string // the machine's load average of one minute
	after string // the last disturbance
}

// sampler measures the program's resources until ctx ends.
type sampler struct {
	every   time.Duration
	samples []sample
	err     error
	done    chan struct{} // closed at the end, when samples and err may be read
}

func startSampler(ctx context.Context, p *process.Process, every time.Duration, doing func() string) *sampler {
	s := &sampler{every: every, done: make(chan struct{})}
	go s.run(ctx, p, doing)
	return s
}

func (s *sampler) run(ctx context.Context, p *process.Process, doing func() string) {
	defer close(s.done)
	begin := time.Now()
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	for s.err == nil {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		one := sample{at: time.Since(begin), load: loadAverage(), after: doing()}
		one.used, s.err = p.Usage()
		if s.err == nil {
			s.samples = append(s.samples, one)
		}
	}
}

func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

const mib = 1 << 20

// slope returns MiB per ten minutes.
func slope(samples []sample, bytes func(process.Usage) int64) float64 {
	var minutes, size []float64
	for _, s := range samples {
		minutes, size = append(minutes, s.at.Minutes()), append(size, float64(bytes(s.used))/mib)
	}
	return 10 * fit.Slope(minutes, size)
}

// steady returns the samples after the warm-up.
func (s *sampler) steady(warmup time.Duration) []sample {
	i := slices.IndexFunc(s.samples, func(one sample) bool { return one.at >= warmup })
	if i < 0 {
		return nil
	}
	return s.samples[i:]
}

// spread is the minimum, the median, and the maximum of a value.
func spread(samples []sample, value func(process.Usage) int) (least, median, most int) {
	var all []int
	for _, s := range samples {
		all = append(all, value(s.used))
	}
	if len(all) == 0 {
		return 0, 0, 0
	}
	slices.Sort(all)
	return all[0], all[len(all)/2], all[len(all)-1]
}

// print writes one row per minute.
func (s *sampler) print(w io.Writer) {
	fmt.Fprintln(w, "  minute  VmRSS  RssAnon  descriptors  threads   load  after")
	next := time.Duration(0)
	for _, one := range s.samples {
		if one.at < next {
			continue
		}
		next = one.at.Truncate(time.Minute) + time.Minute
		fmt.Fprintf(w, "  %6.1f  %5.2f  %7.2f  %11d  %7d  %5s  %s\n", one.at.Minutes(), float64(one.used.RSS)/mib,
			float64(one.used.Anon)/mib, one.used.Descriptors, one.used.Threads, one.load, one.after)
	}
}
