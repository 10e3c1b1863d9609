package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/swaplog"
)

// swap is one change of the files, and the scheduler's answer.
type swap struct {
	what  string
	began time.Time
	wants string   // swaplog's message
	words []string // that the line must contain
	then  policy   // that must be active afterwards
	line  swaplog.Line
}

// swapper changes the files. Only one goroutine may use it.
type swapper struct {
	o       Options
	d       *daemon.Daemon
	log     *swaplog.Follower
	library string // that is replaced

	first, want, before policy // the first one, the one to be published, and the one before it
	generation          uint64 // active, as the log says
	configBroken        bool   // the file contains no valid policy: the next change must be of that file
	libraryBroken       bool
}

// answer is how long the scheduler may take to report its result.
const answer = 20 * time.Second

func (s *swapper) swaps(ctx context.Context, measure func(uint64) error) ([]swap, error) {
	rng := rand.New(rand.NewPCG(s.o.Seed, 0))
	s.before = s.want
	var done []swap
	tick := time.NewTicker(s.o.Every) // skips turns while a swap takes longer
	defer tick.Stop()
	told, over := time.Now(), time.After(s.o.Length)
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-over:
			return done, nil
		case <-tick.C:
		}
		one, err := s.make(ctx, s.choose(s.roll(rng, len(done)), rng))
		if err != nil {
			return nil, err
		}
		done = append(done, one)
		if err := measure(s.generation); err != nil {
			return nil, err
		}
		if time.Since(told) > 30*time.Second {
			told = time.Now()
			fmt.Fprintf(s.o.Log, "soak: %d swaps, generation %d is active: %s\n", len(done), s.generation, s.want)
		}
	}
}

// step is one future change of one of the two files.
type step struct {
	what            string
	then            policy
	config, library []byte
	wants           string
	words           []string
	err             error
}

// tour has every kind of change at the beginning, so that a short soak contains them all.
var tour = []int{version, weights, profile, typo, version, corrupt, version, crash, version, undo}

// The first number, of a hundred, for each kind.
const (
	version = 0
	weights = 30
	profile = 50
	undo    = 65
	typo    = 75
	corrupt = 85
	crash   = 95
)

func (s *swapper) roll(rng *rand.Rand, n int) int {
	if n < len(tour) {
		return tour[n]
	}
	return rng.IntN(100)
}

func (s *swapper) choose(roll int, rng *rand.Rand) step {
	switch {
	case s.configBroken && roll < 50:
		return s.configure("undo a typo", s.want)
	case s.libraryBroken && roll < 50:
		return s.install("undo a library", s.want)
	case s.libraryBroken:
		return s.install("version over a broken one", s.otherVersion(rng))
	case s.configBroken:
		return s.configure("weights over a typo", s.otherWeights(rng))
	case roll < weights:
		return s.install("version", s.otherVersion(rng))
	case roll < profile:
		return s.configure("weights", s.otherWeights(rng))
	case roll < undo:
		return s.configure("profile", s.otherGuest())
	case roll < typo:
		return s.undo(rng)
	case roll < corrupt:
		return s.typo(rng)
	case roll < crash:
		return s.corrupt(rng)
	default:
		return s.crash()
	}
}

// make makes the change and waits for the scheduler's answer.
func (s *swapper) make(ctx context.Context, next step) (swap, error) {
	one := swap{what: next.what, wants: next.wants, words: next.words, then: next.then}
	err := next.err
	if err == nil {
		err = s.log.Skip()
	}
	one.began = time.Now()
	if err == nil && next.config != nil {
		err = s.d.Write(next.config)
	}
	if err == nil && next.library != nil {
		err = daemon.Replace(s.library, next.library)
	}
	if err == nil {
		one.line, err = s.log.Swap(ctx, answer)
	}
	if err != nil {
		return one, fmt.Errorf("%s: %w", next.what, err)
	}
	if one.line.Message != swaplog.Unchanged { // the log line names no generation
		s.generation = one.line.Generation()
	}
	refused := next.wants == swaplog.Rejected
	if next.config != nil {
		s.configBroken = refused
	} else {
		s.libraryBroken = refused
	}
	if next.wants == swaplog.Published {
		s.before, s.want = s.want, next.then
	}
	return one, nil
}

// welcome makes all files valid, with the second profile, so that all pods can be scheduled.
func (s *swapper) welcome(ctx context.Context) ([]swap, error) {
	var done []swap
	if s.libraryBroken {
		one, err := s.make(ctx, s.install("undo a library", s.want))
		if err != nil {
			return nil, err
		}
		done = append(done, one)
	}
	then := s.want
	then.guest = true
	if then == s.want && !s.configBroken {
		return done, nil
	}
	one, err := s.make(ctx, s.configure("profile at the end", then))
	return append(done, one), err
}

func (s *swapper) build(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(s.o.Builds, name, filepath.Base(s.library)))
}
