package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/swaplog"
)

// Pods continue to arrive while each plugin of scheduler-plugins comes into the policy with the configuration of its scenario, is
// replaced by another build, and leaves the policy. No pod is lost, bound twice, or kept waiting.
func TestEveryPluginOfTheSuiteComesAndGoesUnderLoad(t *testing.T) {
	onlyBerth(t, "the plugins of scheduler-plugins")
	w := newWorld(t, 8*time.Minute)
	w.installsAll()
	w.permits("priorityclasses.scheduling.k8s.io") // for PreemptionToleration
	w.nodes("node", 60)
	s := w.suite()
	scenarios, err := filepath.Glob(filepath.Join(root, "tests/scenarios/suite/*/config.yaml"))
	w.must(err)
	if len(scenarios) < 15 {
		t.Fatalf("there are only %d scenarios", len(scenarios))
	}
	pods := w.arriving()
	for _, scenario := range scenarios {
		s.comesAndGoes(scenario)
	}
	n, err := pods.end()
	w.must(err)
	t.Logf("%d pods over %d policy changes", n, 3*len(scenarios))
	w.atLeast(n, 90*time.Second)
	w.prove()
}

// installsAll installs every type of manifests/crds.
func (w *world) installsAll() {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "manifests/crds/*.yaml"))
	w.must(err)
	for _, file := range files {
		var crd struct{ Metadata struct{ Name string } }
		w.must(readYAML(file, &crd))
		w.installs(filepath.Base(file), crd.Metadata.Name)
	}
}

// suite is a swapper with the default profile and all libraries.
func (w *world) suite() *swapper {
	w.t.Helper()
	built, err := ownPlugins()
	w.must(err)
	directory := filepath.Join(w.dir, "plugins")
	w.must(os.CopyFS(directory, os.DirFS(built)))
	s := &swapper{world: w}
	s.d = w.start(w.profile(fast), func(o *daemon.Options) { o.Plugins = directory })
	s.library = directory
	s.log = swaplog.Follow(s.d.Log())
	return s
}

func (s *swapper) comesAndGoes(scenario string) {
	s.t.Helper()
	library := s.libraryOf(filepath.Base(filepath.Dir(scenario)))
	with := s.asIn(scenario)
	content, err := os.ReadFile(library)
	s.must(err)
	for _, change := range []func(){
		func() { s.must(s.d.Configure(with)) },
		// Bytes behind the end of an ELF file change its digest, and nothing else.
		func() { s.must(daemon.Replace(library, append(slices.Clone(content), 0))) },
		func() { s.must(s.d.Configure(s.profile(fast))) },
	} {
		published := s.ended(swaplog.Published, change)
		s.binds(published.Generation())
	}
}

// binds waits until the policy of this generation has bound a few pods.
func (s *swapper) binds(generation uint64) {
	s.t.Helper()
	const few = 3
	n := 0
	s.eventually(20*time.Second, func() error {
		lines, err := s.log.Next()
		if err != nil {
			return err
		}
		for i := range lines {
			if lines[i].Message == swaplog.Bound && lines[i].Generation() == generation {
				n++
			}
		}
		if n < few {
			return fmt.Errorf("the policy of generation %d has bound %d pods, not %d", generation, n, few)
		}
		return nil
	})
}

// libraryOf is the library of the plugin whose name a scenario's begins with: QOSSort.so for qos-sort.
func (s *swapper) libraryOf(scenario string) string {
	s.t.Helper()
	libraries, err := filepath.Glob(filepath.Join(s.library, "*.so"))
	s.must(err)
	plain := strings.ReplaceAll(scenario, "-", "")
	best := ""
	for _, library := range libraries {
		name := strings.ToLower(strings.TrimSuffix(filepath.Base(library), ".so"))
		if strings.HasPrefix(plain, name) && len(library) > len(best) {
			best = library
		}
	}
	if best == "" {
		s.t.Fatalf("no library has the plugin of scenario %s", scenario)
	}
	return best
}

// asIn is the world's profile with the plugins and args of a scenario's configuration.
func (s *swapper) asIn(scenario string) string {
	s.t.Helper()
	var config struct{ Profiles []map[string]any }
	s.must(readYAML(scenario, &config))
	profile := config.Profiles[0]
	delete(profile, "schedulerName")
	text, err := yaml.Marshal(profile)
	s.must(err)
	var indented strings.Builder
	for line := range strings.Lines(string(text)) {
		indented.WriteString("  " + line)
	}
	return s.profile(fast) + indented.String()
}

func readYAML(file string, into any) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(content, into)
}

// arrivals are pods that are created until end.
type arrivals struct {
	stop  context.CancelFunc
	ended chan struct{}
	n     int // valid after ended
	err   error
}

// arriving creates small pods, twenty in a second, until end, and at the latest until the end of the test.
func (w *world) arriving() *arrivals {
	ctx, stop := context.WithCancel(w.ctx)
	a := &arrivals{stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(a.ended)
		a.n, a.err = w.stream(ctx)
	}()
	w.t.Cleanup(func() {
		if n, err := a.end(); err != nil {
			w.t.Logf("%d pods arrived: %v", n, err)
		}
	})
	return a
}

// end returns how many pods were created, and the error that stopped the creation, if any.
func (a *arrivals) end() (int, error) {
	a.stop()
	<-a.ended
	return a.n, a.err
}

// stream creates pods until ctx ends.
func (w *world) stream(ctx context.Context) (int, error) {
	n := 0
	for ; ctx.Err() == nil; n++ {
		pod := w.newPod(fmt.Sprintf("pod-%d", n), cpu("1m"))
		if _, err := w.client.CoreV1().Pods(w.ns).Create(w.ctx, pod, metav1.CreateOptions{}); err != nil {
			return n, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	return n, nil
}
