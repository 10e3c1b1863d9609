package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/swaplog"
)

// swapper is a world whose scheduler's policy changes while it runs. The library PrefersVersion is in its own plugin
// directory. Its builds prefer nodes whose label `prefers` is their version.
type swapper struct {
	*world
	d       *daemon.Daemon
	log     *swaplog.Follower
	library string // what is replaced
	pods    int
}

// ownPlugins is a copy of the built plugins: a concurrent build must not change the files that the tests' schedulers
// watch.
var ownPlugins = sync.OnceValues(func() (string, error) {
	from := os.Getenv("BERTH_PLUGIN_DIR")
	if from == "" {
		from = filepath.Join(root, "build/dev/lib/berth/plugins")
	}
	to := filepath.Join(logs, "plugins")
	return to, os.CopyFS(to, os.DirFS(from))
})

// swapping starts a scheduler with this configuration and build 1 of PrefersVersion.
func (w *world) swapping(config string, change ...func(*daemon.Options)) *swapper {
	w.t.Helper()
	onlyBerth(w.t, "hot swap")
	plugins, err := ownPlugins()
	w.must(err)
	directory := filepath.Join(w.dir, "swapped")
	w.must(os.MkdirAll(directory, 0o755))
	s := &swapper{world: w, library: filepath.Join(directory, "PrefersVersion.so")}
	s.install(s.build("1"))
	s.d = w.start(config, append(change, func(o *daemon.Options) {
		o.Plugins = plugins
		o.Extra = append(o.Extra, "--plugin-dir="+directory)
	})...)
	s.log = swaplog.Follow(s.d.Log())
	return s
}

// build is the content of one build of PrefersVersion.
func (s *swapper) build(name string) []byte {
	s.t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "build/dev/tests/cluster/builds", name, "PrefersVersion.so"))
	s.must(err)
	return content
}

func (s *swapper) install(library []byte) {
	s.t.Helper()
	s.must(daemon.Replace(s.library, library))
}

// scored is a configuration with weights for PrefersVersion and for nodes with the label shape.
func (w *world) scored(version, shape int) string {
	return w.profile(fast) + w.scoring(version, shape)
}

func (w *world) scoring(version, shape int) string {
	return fmt.Sprintf(`  plugins:
    multiPoint: {enabled: [{name: PrefersVersion}]}
    score: {disabled: [{name: '*'}], enabled: [{name: PrefersVersion, weight: %d}, {name: NodeAffinity, weight: %d}]}
  pluginConfig:
  - name: NodeAffinity
    args:
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: NodeAffinityArgs
      addedAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: shape, operator: Exists}]}}]}
`, version, shape)
}

// preferences creates a node for each version, named version-N, and one named shape.
func (w *world) preferences(versions int) {
	w.t.Helper()
	for i := range versions {
		w.node(fmt.Sprintf("version-%d", i+1), func(n *fakelet.NodeSpec) {
			n.Labels = map[string]string{"prefers": fmt.Sprintf("%d.0.0", i+1)}
		})
	}
	w.node("shape", func(n *fakelet.NodeSpec) { n.Labels = map[string]string{"shape": "round"} })
}

// ended waits for the end of the attempt to swap that do() causes, which must have this message.
func (s *swapper) ended(message string, do func()) swaplog.Line {
	s.t.Helper()
	s.must(s.log.Skip())
	began := time.Now()
	do()
	return s.after(began, message)
}

// after waits for the end of the next attempt to swap. began is the time of its cause.
func (s *swapper) after(began time.Time, message string) swaplog.Line {
	s.t.Helper()
	line, err := s.log.Swap(s.ctx, 20*time.Second)
	if err != nil {
		s.t.Fatalf("%v; it ends with\n%s", err, s.d.Tail(10))
	}
	if line.Message != message {
		s.t.Fatalf("the log says\n%s\nand not %q", line.Text, message)
	}
	s.t.Logf("%s after %s: %s", s.t.Name(), line.Time.Sub(began).Round(time.Millisecond), line.Text)
	return line
}

// goes checks that the next pod is bound to this node.
func (s *swapper) goes(node string, options ...podOption) {
	s.t.Helper()
	s.pods++
	name := fmt.Sprintf("pod-%d", s.pods)
	s.pod(name, options...)
	if pod := s.bound(name, 10*time.Second); pod.Spec.NodeName != node {
		s.t.Errorf("pod %s is on node %s, not %s", name, pod.Spec.NodeName, node)
	}
}

// diverges checks that /readyz is ok, and that its check of the configuration contains all of words; none: no text.
func (s *swapper) diverges(words ...string) {
	s.t.Helper()
	status, text := s.ask(http.MethodGet, s.d.URL+"/readyz?verbose")
	if status != http.StatusOK {
		s.t.Errorf("GET /readyz?verbose: %d: %s", status, text)
	}
	said := ""
	for line := range strings.Lines(text) {
		if strings.Contains(line, "configuration") {
			said = line
		}
	}
	if said == "" || strings.Contains(said, "the active policy is not that of the files") != (len(words) > 0) {
		s.t.Errorf("/readyz?verbose says of the configuration: %q; the whole of it:\n%s", said, text)
	}
	s.has("/readyz?verbose", said, words...)
}

func (s *swapper) has(what, text string, words ...string) {
	s.t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			s.t.Errorf("%s says nothing of %q: %s", what, word, text)
		}
	}
}

// effective returns PrefersVersion's entry in /admin/v1/plugins.
func (s *swapper) effective() (version, digest, state string, generation int64) {
	s.t.Helper()
	_, text := s.ask(http.MethodGet, s.d.URL+"/admin/v1/plugins")
	var list struct {
		Plugins []struct {
			Name, Version, Digest, State string
			Generation                   int64
		}
	}
	s.must(json.Unmarshal([]byte(text), &list))
	for _, p := range list.Plugins {
		if p.Name == "PrefersVersion" {
			return p.Version, p.Digest, p.State, p.Generation
		}
	}
	s.t.Errorf("/admin/v1/plugins has no PrefersVersion: %s", text)
	return
}

// listed is the output of `berthctl plugin list` for the running scheduler.
func (s *swapper) listed() string {
	s.t.Helper()
	ctl := filepath.Join(root, "build/dev/bin/berthctl")
	out, err := exec.Command(ctl, "plugin", "list", "--running", s.d.URL).CombinedOutput()
	if err != nil {
		s.t.Errorf("berthctl plugin list: %v: %s", err, out)
	}
	return string(out)
}

// hasEvent waits for an Event about the scheduler itself. It refers to the Lease, which the scheduler does not use
// here.
func (s *swapper) hasEvent(reason string, words ...string) {
	s.t.Helper()
	s.eventually(soon, func() error {
		list, err := s.client.EventsV1().Events("kube-system").List(s.ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		var notes []string
		for _, e := range list.Items {
			if e.Reason != reason || e.Regarding.Kind != "Lease" {
				continue
			}
			missing := slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(e.Note, word) })
			if !missing {
				return nil
			}
			notes = append(notes, e.Note)
		}
		return fmt.Errorf("no Event %s with %q, only %q", reason, words, notes)
	})
}
