package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/swaplog"
)

// soon is a generous limit for operations that take less than a second on an idle machine.
const soon = 10 * time.Second

func (s *swapper) isSoon(began time.Time, line swaplog.Line) {
	s.t.Helper()
	if took := line.Time.Sub(began); took > soon {
		s.t.Errorf("active after %s", took)
	}
}

func TestAWeightChangedByARenameDecidesTheNextPod(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.preferences(1)
	s := w.swapping(w.scored(2, 1))
	s.goes("version-1")
	for _, step := range []struct {
		version, shape int
		node           string
	}{{1, 2, "shape"}, {3, 2, "version-1"}} {
		began := time.Now()
		line := s.ended(swaplog.Published, func() { s.must(s.d.Configure(s.scored(step.version, step.shape))) })
		s.isSoon(began, line)
		s.has("the line", line.Values["changes"], "PrefersVersion: weight")
		s.has("the line", line.Values["causes"], s.d.Config)
		s.goes(step.node)
	}
	s.says(s.d, `"Successfully bound pod to node" pod="[^"]*/pod-3" .*generation=3$`, soon)
	s.diverges()
	s.prove()
}

func TestAWeightChangedInAConfigMapsVolumeDecidesTheNextPod(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.preferences(1)
	s := w.swapping(w.scored(2, 1), func(o *daemon.Options) { o.ConfigMap = true })
	s.goes("version-1")
	began := time.Now()
	s.isSoon(began, s.ended(swaplog.Published, func() { s.must(s.d.Configure(s.scored(1, 2))) }))
	s.goes("shape")
	s.isSoon(time.Now(), s.ended(swaplog.Published, func() { s.must(s.d.Configure(s.scored(2, 1))) }))
	s.goes("version-1")
	s.prove()
}

func TestALibraryIsReplacedByAnother(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.preferences(2)
	s := w.swapping(w.scored(2, 1))
	s.goes("version-1")
	for generation, build := range []string{"2", "1", "2"} { // both directions, and a digest that was published before
		library := s.build(build)
		began := time.Now()
		line := s.ended(swaplog.Published, func() { s.install(library) })
		s.isSoon(began, line)
		s.goes("version-" + build)
		sum := sha256.Sum256(library)
		version, digest, state, since := s.effective()
		if version != build+".0.0" || digest != "sha256:"+hex.EncodeToString(sum[:]) || state != "active" || since != int64(generation)+2 {
			t.Errorf("active is version %s, digest %s, %s, since generation %d", version, digest, state, since)
		}
	}
	told := s.listed()
	s.has("berthctl plugin list", told, "PrefersVersion", "2.0.0", "active", s.library)
	s.hasEvent("PolicyPublished", "Published generation 4", "PrefersVersion")
	_, metrics := s.ask(http.MethodGet, s.d.URL+"/metrics")
	s.has("/metrics", metrics, `berth_swap_total{result="published"} 3`, "berth_policy_generation 4",
		`berth_swap_duration_seconds_count{step="publish"} 3`)
	s.prove()
}

func TestATypoIsRefusedAndPodsGoOn(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.preferences(1)
	s := w.swapping(w.scored(2, 1))
	s.goes("version-1")
	for _, typo := range []struct{ right, wrong string }{
		{"profiles:", "profils:"},
		{"weight: 1", "wieght: 1"},
		{"name: PrefersVersion", "name: PrefersVerson"},
		{"kind: NodeAffinityArgs", "kind: NodeAffinityArgs\n        addedAfinity: {}"},
		{"profiles:", "profiles: ["},
	} {
		good, err := s.d.Complete(s.scored(1, 2))
		s.must(err)
		bad := strings.Replace(string(good), typo.right, typo.wrong, 1)
		if bad == string(good) {
			t.Fatalf("there is no %q in\n%s", typo.right, good)
		}
		line := s.ended(swaplog.Rejected, func() { s.must(s.d.Write([]byte(bad))) })
		at := s.d.Config + ":"
		s.has("the line", line.Values["err"], at)
		s.diverges(at)
		s.goes("version-1")
	}
	line := s.ended(swaplog.Published, func() { s.must(s.d.Configure(s.scored(1, 2))) })
	if line.Generation() != 2 {
		t.Errorf("refused attempts have created generations: %s", line.Text)
	}
	s.diverges()
	s.goes("shape")
	_, metrics := s.ask(http.MethodGet, s.d.URL+"/metrics")
	s.has("/metrics", metrics, `berth_swap_total{result="refused"} 5`, `berth_swap_total{result="published"} 1`)
	s.prove()
}

func TestACorruptLibraryIsRefusedAndTheOldDecidesOn(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.preferences(2)
	s := w.swapping(w.scored(2, 1))
	s.goes("version-1")
	good := s.build("2")
	abi := strings.Replace(string(good), `"abi":[1,`, `"abi":[9,`, 1)
	if abi == string(good) {
		t.Fatal("the library has no note that tells its ABI")
	}
	for what, content := range map[string][]byte{
		"truncated": good[:len(good)/2], "wrong ABI": []byte(abi), "text": []byte("#!/bin/sh\n"), "crashes": s.build("crashes"),
	} {
		line := s.ended(swaplog.Rejected, func() { s.install(content) })
		s.has(what, line.Values["err"], "PrefersVersion")
		s.diverges("PrefersVersion")
		s.goes("version-1")
		if version, _, _, _ := s.effective(); version != "1.0.0" {
			t.Errorf("%s: active is version %s", what, version)
		}
	}
	s.ended(swaplog.Published, func() { s.install(good) })
	s.diverges()
	s.goes("version-2")
	s.hasEvent("PolicyRejected", "stays active")
	s.prove()
}

func TestWhatNeedsARestartIsRefused(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.preferences(1)
	s := w.swapping(w.scored(2, 1))
	other := strings.Replace(s.scored(1, 2), "qps: 1000", "qps: 999", 1)
	line := s.ended(swaplog.Rejected, func() { s.must(s.d.Configure(other)) })
	s.has("the line", line.Values["err"], "clientConnection: changes only with a restart")
	s.diverges("clientConnection: changes only with a restart")
	s.goes("version-1") // no other part of that file is published either
	s.ended(swaplog.Unchanged, func() { s.must(s.d.Configure(s.scored(2, 1))) })
	s.diverges()
	s.goes("version-1")
	s.prove()
}

// After a signal the scheduler checks the files at once, without the quiet period, and retries a refused policy even
// though no file has changed.
func TestASignalLooksAgain(t *testing.T) {
	w := newWorld(t, time.Minute)
	w.preferences(2)
	s := w.swapping(w.scored(2, 1))
	began := time.Now()
	line := s.ended(swaplog.Published, func() {
		s.must(s.d.Configure(s.scored(1, 2)))
		s.must(s.d.Signal(syscall.SIGHUP))
	})
	s.isSoon(began, line)
	s.goes("shape")
	s.ended(swaplog.Rejected, func() { s.install(s.build("crashes")) })
	s.ended(swaplog.Rejected, func() { s.must(s.d.Signal(syscall.SIGHUP)) })
	s.ended(swaplog.Unchanged, func() { s.install(s.build("1")) })
	s.must(s.log.Skip())
	s.must(s.d.Signal(syscall.SIGHUP)) // the signal causes no attempt
	s.goes("shape")
	lines, err := s.log.Next()
	s.must(err)
	for _, line := range lines {
		if line.IsSwap() {
			t.Errorf("a signal with nothing to do: %s", line.Text)
		}
	}
	s.prove()
}
