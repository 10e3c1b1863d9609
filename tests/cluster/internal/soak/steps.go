package soak

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"berth.dev/berth/tests/cluster/internal/swaplog"
)

func (s *swapper) otherVersion(rng *rand.Rand) policy {
	then := s.want
	then.version = 1 + (s.want.version+rng.IntN(versions-1))%versions
	return then
}

// otherWeights exchanges the order of the weights half of the time.
func (s *swapper) otherWeights(rng *rand.Rand) policy {
	then := s.want
	for then == s.want || then.versionWeight == then.shapeWeight {
		then.versionWeight, then.shapeWeight = 1+rng.IntN(5), 1+rng.IntN(5)
	}
	return then
}

func (s *swapper) otherGuest() policy {
	then := s.want
	then.guest = !then.guest
	return then
}

// undo returns to the previously published policy; the two differ in one file, or not at all.
func (s *swapper) undo(rng *rand.Rand) step {
	if s.before == s.want {
		return s.configure("weights", s.otherWeights(rng))
	}
	if s.before.version != s.want.version {
		return s.install("back to the version before", s.before)
	}
	return s.configure("back to the configuration before", s.before)
}

// message is the scheduler's expected message for this change.
func (s *swapper) message(then policy) string {
	if then == s.want {
		return swaplog.Unchanged
	}
	return swaplog.Published
}

func (s *swapper) configure(what string, then policy) step {
	config, err := s.d.Complete(then.config(s.o.Namespace))
	return step{what: what, then: then, config: config, wants: s.message(then), words: []string{s.d.Config}, err: err}
}

func (s *swapper) install(what string, then policy) step {
	library, err := s.build(fmt.Sprint(then.version))
	return step{what: what, then: then, library: library, wants: s.message(then), words: []string{s.library}, err: err}
}

// typos are inserted into a configuration that would otherwise change something.
var typos = []struct{ right, wrong string }{
	{"profiles:", "profils:"},
	{"weight: ", "wieght: "},
	{"name: PrefersVersion", "name: PrefersVerson"},
	{"profiles:", "profiles: ["},
	{"kind: NodeAffinityArgs", "kind: NodeAfinityArgs"},
}

func (s *swapper) typo(rng *rand.Rand) step {
	typo := typos[rng.IntN(len(typos))]
	next := s.configure("typo: "+strings.TrimSpace(typo.wrong), s.otherWeights(rng))
	bad := bytes.Replace(next.config, []byte(typo.right), []byte(typo.wrong), 1)
	if next.err == nil && bytes.Equal(bad, next.config) {
		next.err = fmt.Errorf("there is no %q in the configuration", typo.right)
	}
	next.config, next.then = bad, s.want
	next.wants, next.words = swaplog.Rejected, []string{s.d.Config + ":"}
	return next
}

func (s *swapper) corrupt(rng *rand.Rand) step {
	then := s.otherVersion(rng)
	next := s.install("", then)
	next.then, next.wants, next.words = s.want, swaplog.Rejected, []string{s.library}
	switch rng.IntN(3) {
	case 0:
		next.what, next.library = "corrupt: truncated", next.library[:len(next.library)/2]
	case 1:
		next.what, next.library = "corrupt: another ABI", bytes.Replace(next.library, []byte(`"abi":[1,`), []byte(`"abi":[9,`), 1)
	default:
		next.what, next.library = "corrupt: text", []byte("#!/bin/sh\nexit 0\n")
	}
	return next
}

func (s *swapper) crash() step {
	library, err := s.build("crashes")
	return step{what: "crashes when it is made", then: s.want, library: library, wants: swaplog.Rejected,
		words: []string{s.library, "PrefersVersion", "signal 6"}, err: err}
}
