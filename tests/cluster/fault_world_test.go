package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/load"
)

// misbehaving is a world with two profiles: the world's own, and one with the plugin Misbehaves. Pods of the first
// profile arrive all the time.
type misbehaving struct {
	*world
	d     *daemon.Daemon
	state string // --state-dir; "": none

	stop    context.CancelFunc
	ended   chan struct{}
	mutex   sync.Mutex
	created map[string]time.Time // pods of the first profile, under mutex
	bound   map[string]time.Time // any pods, under mutex
}

const beside = "-bad" // behind the world's schedulerName

// misbehaviour configures such a world.
type misbehaviour struct {
	state  string // --state-dir; "": none
	berth  string // the BerthConfiguration without its head
	sorted bool   // the plugin Missorts is the QueueSort plugin
}

// misbehave starts the scheduler and the load.
func (w *world) misbehave(berth string) *misbehaving {
	w.t.Helper()
	return w.misbehaveAs(misbehaviour{state: filepath.Join(w.dir, "state"), berth: berth})
}

func (w *world) misbehaveAs(how misbehaviour) *misbehaving {
	w.t.Helper()
	onlyBerth(w.t, "plugin that misbehaves")
	plugins, err := ownPlugins()
	w.must(err)
	m := &misbehaving{world: w, state: how.state, created: map[string]time.Time{}, bound: map[string]time.Time{}}
	own := filepath.Join(w.dir, "misbehaves")
	w.must(os.MkdirAll(own, 0o755))
	for _, name := range []string{"Misbehaves.so", "Missorts.so"} {
		library, err := os.ReadFile(filepath.Join(root, "build/dev/tests/cluster/plugins", name))
		w.must(err)
		w.must(daemon.Replace(filepath.Join(own, name), library))
	}
	w.nodes("node", 4, func(n *fakelet.NodeSpec) { n.CPU, n.Memory, n.Pods = "1000", "1000Gi", "5000" })
	first, sort := "", ""
	if how.sorted {
		sort = "    queueSort: {disabled: [{name: '*'}], enabled: [{name: Missorts}]}\n"
		first = "  plugins:\n" + sort
	}
	config := w.profile(fast, "podMaxBackoffSeconds: 1") + first +
		"- schedulerName: " + w.ns + beside + "\n" +
		"  plugins:\n" + sort + "    multiPoint: {enabled: [{name: Misbehaves}]}\n" +
		"    bind: {disabled: [{name: '*'}], enabled: [{name: Misbehaves}, {name: DefaultBinder}]}\n" +
		"---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n" + how.berth
	m.d = w.start(config, func(o *daemon.Options) {
		o.Plugins = plugins
		o.Extra = append(o.Extra, "--plugin-dir="+own)
		if how.state != "" {
			o.Extra = append(o.Extra, "--state-dir="+how.state)
		}
	})
	m.load()
	return m
}

// load creates a pod of the first profile every 20 ms until rest is called, and records when pods are bound.
func (m *misbehaving) load() {
	ctx, stop := context.WithCancel(m.ctx)
	m.stop, m.ended = stop, make(chan struct{})
	bindings, err := load.Bindings(m.ctx, m.client)
	m.must(err)
	go func() {
		for {
			select {
			case b := <-bindings:
				m.mutex.Lock()
				m.bound[b.Pod] = b.Seen
				m.mutex.Unlock()
			case <-m.ctx.Done():
				return
			}
		}
	}()
	go func() {
		defer close(m.ended)
		for i := 0; ; i++ {
			select {
			case <-ctx.Done():
				return
			case <-time.After(20 * time.Millisecond):
			}
			name := fmt.Sprintf("good-%d", i)
			if _, err := m.client.CoreV1().Pods(m.ns).Create(m.ctx, m.newPod(name), metav1.CreateOptions{}); err == nil {
				m.mutex.Lock()
				m.created[name] = time.Now() // it may be bound already
				m.mutex.Unlock()
			}
		}
	}()
}

// faults is the metric of the plugin's faults at a point, with the point's name in the log.
func (m *misbehaving) faults(plugin, point string) int {
	m.t.Helper()
	_, text := m.ask("GET", m.d.URL+"/metrics")
	n := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "berth_plugin_faults_total{") && strings.Contains(line, `plugin="`+plugin+`"`) &&
			strings.Contains(line, `extension_point="`+point+`"`) {
			var value float64
			_, err := fmt.Sscan(line[strings.LastIndex(line, " ")+1:], &value)
			m.must(err)
			n += int(value)
		}
	}
	return n
}

// rest ends the load, waits until its pods are bound, and returns the longest time without a binding.
func (m *misbehaving) rest() time.Duration {
	m.t.Helper()
	m.stop()
	<-m.ended
	m.eventually(20*time.Second, func() error {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		for name := range m.created {
			if _, ok := m.bound[name]; !ok {
				return fmt.Errorf("pod %s is not bound", name)
			}
		}
		return nil
	})
	longest := m.longest()
	m.t.Logf("%d pods of the other profile; the one that waited longest waited %s", len(m.created), longest.Round(time.Millisecond))
	return longest
}

// longest is the longest time that one of the first profile's bound pods has waited.
func (m *misbehaving) longest() time.Duration {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	longest := time.Duration(0)
	for name, created := range m.created {
		if bound, ok := m.bound[name]; ok {
			longest = max(longest, bound.Sub(created))
		}
	}
	return longest
}

// bad creates a pod for which the plugin misbehaves in this way at that point.
func (m *misbehaving) bad(name, does, at string, options ...podOption) {
	m.t.Helper()
	m.pod(name, append(options, scheduler(m.ns+beside), func(p *corev1.Pod) {
		p.Labels = map[string]string{"does": does, "at": at}
	})...)
}

// late proves that a call that returns after its deadline is a fault. Only the plugin's own time counts, which is less
// than the 300 ms of its sleep if the process got no CPU: then another pod is late.
func (m *misbehaving) late(at string) {
	m.t.Helper()
	pattern := `Misbehaves.*came back from ` + logged[at] + ` after 0\.[1-9][0-9]*s, later than its deadline of 0\.1s`
	for i := 0; i < 5 && missesLine(m.d, pattern) != nil; i++ {
		name := fmt.Sprintf("late-%s-again-%d", strings.ToLower(at), i)
		if at == "postFilter" {
			m.bad(name, "late", at, selector("nobody", "has"))
			time.Sleep(time.Second)
			continue
		}
		m.bad(name, "late", at)
		m.world.bound(name, 20*time.Second)
	}
	m.says(m.d, pattern, time.Second)
}

// quarantined waits until the scheduler has logged the crash, and returns the digest of the library.
func (m *misbehaving) quarantined(point string) string {
	m.t.Helper()
	m.says(m.d, `A plugin crashed the scheduler.*Misbehaves of profile `+m.ns+beside+`, in `+point, 20*time.Second)
	m.ready(m.d, 20*time.Second)
	return m.inQuarantine()
}

// inQuarantine is the digest of the quarantined library.
func (m *misbehaving) inQuarantine() string {
	m.t.Helper()
	text, err := os.ReadFile(filepath.Join(m.state, "quarantine"))
	m.must(err)
	digest := regexp.MustCompile(`^[0-9a-f]{64}`).FindString(string(text))
	if digest == "" {
		m.t.Fatalf("no library is in quarantine: %s", text)
	}
	return digest
}

// tells checks that /readyz?verbose contains all of words about the quarantine, and reports the state of the plugin.
func (m *misbehaving) tells(state string, words ...string) {
	m.t.Helper()
	m.tellsOf("Misbehaves", state, words...)
}

func (m *misbehaving) tellsOf(plugin, state string, words ...string) {
	m.t.Helper()
	_, text := m.ask("GET", m.d.URL+"/readyz?verbose")
	said := ""
	for line := range strings.Lines(text) {
		if strings.Contains(line, "]quarantine") {
			said = line
		}
	}
	for _, word := range words {
		if !strings.Contains(said, word) {
			m.t.Errorf("/readyz?verbose says nothing of %q: %q", word, said)
		}
	}
	_, list := m.ask("GET", m.d.URL+"/admin/v1/plugins")
	if !regexp.MustCompile(`"name":"` + plugin + `"[^}]*"state":"` + state + `"`).MatchString(list) {
		m.t.Errorf("/admin/v1/plugins does not say that %s is %s: %s", plugin, state, list)
	}
	if _, metrics := m.ask("GET", m.d.URL+"/metrics"); state == "quarantined" &&
		!regexp.MustCompile(`(?m)^berth_plugins_quarantined [1-9]`).MatchString(metrics) {
		m.t.Errorf("/metrics counts no quarantined plugin: %s", metrics)
	}
}
