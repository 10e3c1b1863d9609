package cluster

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// scraper is tests/scrape, which has the parsers of Prometheus, built once.
var scraper = sync.OnceValues(func() (string, error) {
	program := filepath.Join(logs, "scrape")
	build := exec.Command("go", "build", "-C", filepath.Join(root, "tests/scrape"), "-o", program, ".")
	build.Stderr = os.Stderr
	return program, build.Run()
})

// Headers Accept of clients: Prometheus 2 and 3, Prometheus with native histograms, curl, a browser, none.
var accepts = map[string]string{
	"Prometheus 3": "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5," +
		"text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
	"Prometheus 2": "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
	"OpenMetrics":  "application/openmetrics-text;version=1.0.0",
	"curl":         "*/*",
	"a browser":    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
	"none":         "",
}

// Prometheus' own parsers read every page of metrics, on both ports, while pods are being scheduled.
func TestPrometheusReadsEveryPage(t *testing.T) {
	onlyBerth(t, "admin address")
	program, err := scraper()
	if err != nil {
		t.Fatal("tests/scrape: ", err)
	}
	w := newWorld(t, 3*time.Minute)
	w.nodes("node", 5, func(n *fakelet.NodeSpec) { n.CPU, n.Pods = "100", "1000" })
	kubeconfig, err := w.plane.Kubeconfig(w.ns+"-access", controlplane.KubeScheduler, "")
	w.must(err)
	d := w.start(w.profile(fast), func(o *daemon.Options) {
		o.Extra = append(o.Extra, "--authentication-kubeconfig="+kubeconfig, "--authorization-kubeconfig="+kubeconfig)
	})
	w.pods("nowhere", 1, selector("no", "such"))
	w.pods("first", 1, cpu("10m")) // /metrics/resources has no series without a pod that requests something
	w.whole("first", 1, 20*time.Second)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for i := range 300 {
			_, _ = w.client.CoreV1().Pods(w.ns).Create(w.ctx, w.newPod(fmt.Sprintf("pod-%d", i), cpu("10m")), metav1.CreateOptions{})
		}
	}()
	for _, accept := range accepts {
		for _, base := range []string{d.URL, d.Secure} {
			scrape := exec.Command(program, "-accept", accept, base+"/metrics", base+"/metrics/slis", base+"/metrics/resources")
			scrape.Env = append(os.Environ(), "SCRAPE_TOKEN="+w.plane.Token(controlplane.Admin))
			out, err := scrape.CombinedOutput()
			if err != nil {
				t.Errorf("Accept: %s: %v\n%s", accept, err, out)
			}
			for line := range strings.Lines(string(out)) {
				if !strings.Contains(line, "  text/plain; version=0.0.4; charset=utf-8  ") {
					t.Errorf("Accept: %s: %s", accept, line)
				}
			}
		}
	}
	<-ended
}

// kube-scheduler answers these clients in the same format. Its Content-Type also names the escaping of names that are
// not ASCII, which no family of either has.
func TestTheFormatOfMetricsIsKubeSchedulers(t *testing.T) {
	onlyBerth(t, "itself to compare with")
	w := newWorld(t, 3*time.Minute)
	ours := w.start(w.profile())
	theirs := w.start(w.profile(), func(o *daemon.Options) {
		o.Kind = daemon.Kube
		o.Extra = append(o.Extra, "--authorization-always-allow-paths=/healthz,/livez,/readyz,/metrics")
	})
	ask := func(url, accept string) string {
		header, _ := w.page(client{token: w.plane.Token(controlplane.Admin)}, url+"/metrics", http.Header{"Accept": {accept}})
		kind, _, _ := strings.Cut(header.Get("Content-Type"), "; escaping=")
		return kind
	}
	for name, accept := range accepts {
		if berth, kube := ask(ours.URL, accept), ask(theirs.Secure, accept); berth != kube {
			t.Errorf("%s: Content-Type %q, and %q of kube-scheduler", name, berth, kube)
		}
	}
}
