package soak

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"berth.dev/berth/tests/cluster/internal/fit"
)

// memory is the scheduler's resident memory by generation.
type memory struct {
	samples []sample
}

type sample struct {
	generation uint64
	rss        int64 // bytes
}

func (m *memory) add(generation uint64, rss int64) {
	m.samples = append(m.samples, sample{generation, rss})
}

// growth is the difference between before the first swap and after the last one, in bytes.
func (m *memory) growth() int64 {
	if len(m.samples) == 0 {
		return 0
	}
	return m.samples[len(m.samples)-1].rss - m.samples[0].rss
}

// slope is the number of bytes that each generation added in the second half, when every library was mapped: a line
// through the samples, by least squares.
func (m *memory) slope() float64 {
	var generations, bytes []float64
	for _, s := range m.samples[len(m.samples)/2:] {
		generations, bytes = append(generations, float64(s.generation)), append(bytes, float64(s.rss))
	}
	return fit.Slope(generations, bytes)
}

// The cost of a generation in docs/hot-swap.md, and the allowed slack.
const (
	costOfGeneration = 16 << 10
	slack            = 8 << 20
)

// budget is the allowed growth: the mapped libraries, generations, and slack.
func (s *swapper) budget(summary *Summary) int64 {
	total := int64(slack) + int64(summary.Generations)*costOfGeneration
	for _, version := range summary.versions {
		if file, err := os.Stat(filepath.Join(s.o.Builds, fmt.Sprint(version), filepath.Base(s.library))); err == nil {
			total += file.Size()
		}
	}
	return total
}

func (m *memory) print(w io.Writer, generations int, budget int64) {
	const mib = 1 << 20
	before := m.samples[0]
	fmt.Fprintf(w, "memory      VmRSS %.1f MiB before, %.1f MiB after %d generations: %+.2f MiB, at most %.2f MiB; then %+.0f bytes per generation\n",
		float64(before.rss)/mib, float64(m.samples[len(m.samples)-1].rss)/mib, generations, float64(m.growth())/mib, float64(budget)/mib, m.slope())
	fmt.Fprint(w, "            ")
	for part := range 9 {
		s := m.samples[part*(len(m.samples)-1)/8]
		fmt.Fprintf(w, "g%d %.1f  ", s.generation, float64(s.rss)/mib)
	}
	highest := slices.MaxFunc(m.samples, func(a, b sample) int { return int(a.rss - b.rss) })
	fmt.Fprintf(w, "highest %.1f MiB\n", float64(highest.rss)/mib)
}
