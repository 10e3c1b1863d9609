package cluster

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/probe"
	httpprobe "k8s.io/kubernetes/pkg/probe/http"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// portOf is the port in a URL.
func (w *world) portOf(address string) int {
	w.t.Helper()
	parsed, err := url.Parse(address)
	w.must(err)
	port, err := strconv.Atoi(parsed.Port())
	w.must(err)
	return port
}

// probed probes the secure port as a kubelet does: with its code, a new connection each time, and a 1 s timeout.
func (w *world) probed(d *daemon.Daemon, path string) (probe.Result, string) {
	w.t.Helper()
	get := &corev1.HTTPGetAction{Path: path, Host: "127.0.0.1", Scheme: corev1.URISchemeHTTPS, Port: intstr.FromInt(w.portOf(d.Secure))}
	request, err := httpprobe.NewRequestForHTTPGetAction(get, &corev1.Container{}, "127.0.0.1", "probe")
	w.must(err)
	result, output, err := httpprobe.New(false).Probe(request, time.Second)
	w.must(err)
	return result, output
}

// passes fails the test if a probe fails three times in a row, the default failureThreshold of a kubelet.
func (w *world) passes(d *daemon.Daemon, path string) {
	w.t.Helper()
	for failures := 1; ; failures++ {
		result, output := w.probed(d, path)
		if result == probe.Success {
			return
		}
		if failures == 3 {
			w.t.Fatalf("%s: %s: %s", path, result, output)
		}
	}
}

// A kubelet's probes succeed while pods are being scheduled, and fail before the scheduler is ready and after its end.
func TestAKubeletProbesTheSecurePort(t *testing.T) {
	w := newWorld(t, 3*time.Minute)
	w.nodes("node", 5, func(n *fakelet.NodeSpec) { n.CPU, n.Pods = "100", "1000" })
	d := w.launch(w.profile(fast))
	w.eventually(30*time.Second, func() error {
		if result, output := w.probed(d, "/livez"); result != probe.Success {
			return fmt.Errorf("/livez: %s: %s", result, output)
		}
		return nil
	})
	w.ready(d, 30*time.Second)
	w.pods("pod", 300, cpu("10m"))
	for bound, n := 0, 0; bound < 300; n++ {
		for _, path := range []string{"/livez", "/readyz", "/healthz"} {
			w.passes(d, path)
		}
		var err error
		bound, _, err = w.count()
		w.must(err)
		if w.ctx.Err() != nil {
			t.Fatalf("%d of 300 pods are bound", bound)
		}
	}
	if result, output := w.probed(d, "/livez/nothing"); result != probe.Failure {
		t.Errorf("a check that there is not: %s: %s", result, output)
	}
	w.must(d.Signal(syscall.SIGTERM))
	_, err := d.Wait(20 * time.Second)
	w.must(err)
	if result, _ := w.probed(d, "/livez"); result != probe.Failure {
		t.Errorf("after its end: %s", result)
	}
}

// proxyable is an address of this machine that the API server's proxy connects to: it refuses loopback addresses.
const proxyable = "192.0.2.1" // for documentation (RFC 5737); on the loopback device no other machine reaches it

// alias adds the address to the loopback device until the end of the test.
func alias(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root may give the loopback device another address")
	}
	if out, err := exec.Command("ip", "address", "add", proxyable+"/32", "dev", "lo").CombinedOutput(); err != nil {
		t.Skipf("the loopback device gets no other address: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("ip", "address", "del", proxyable+"/32", "dev", "lo").Run() })
}

// servedBy makes a pod object that stands for the scheduler: it runs on a node, at this address.
func (w *world) servedBy(name, ip string) {
	w.t.Helper()
	w.pod(name, func(p *corev1.Pod) { p.Spec.NodeName = "away" }) // a node that fakelet does not know
	w.eventually(10*time.Second, func() error {
		pod, err := w.get(name)
		if err != nil {
			return err
		}
		pod.Status.Phase, pod.Status.PodIP, pod.Status.PodIPs = corev1.PodRunning, ip, []corev1.PodIP{{IP: ip}}
		if _, err = w.client.CoreV1().Pods(w.ns).UpdateStatus(w.ctx, pod, metav1.UpdateOptions{}); err != nil {
			return err
		}
		if pod, err = w.get(name); err == nil && pod.Status.PodIP != ip {
			err = fmt.Errorf("its address is %s", pod.Status.PodIP)
		}
		return err
	})
}

// kubectl get --raw reads the scheduler's pages through the API server.
func TestKubectlReadsPagesThroughTheAPIServer(t *testing.T) {
	w := newWorld(t, 2*time.Minute)
	path := func(d *daemon.Daemon, pod, page string) string {
		return fmt.Sprintf("/api/v1/namespaces/%s/pods/https:%s:%d/proxy%s", w.ns, pod, w.portOf(d.Secure), page)
	}
	local := w.start(w.profile())
	w.servedBy("local", "127.0.0.1")
	if _, err := w.plane.Kubectl(w.ctx, "get", "--raw", path(local, "local", "/healthz")); err == nil || !strings.Contains(err.Error(), "address not allowed") {
		t.Errorf("the API server connects to a loopback address: %v", err)
	}

	alias(t)
	d := w.start(w.profile(), func(o *daemon.Options) { o.Address = proxyable })
	w.servedBy("scheduler", proxyable)
	for page, want := range map[string]string{"/healthz": "ok", "/livez?verbose": "livez check passed", "/readyz?verbose": "readyz check passed"} {
		text, err := w.plane.Kubectl(w.ctx, "get", "--raw", path(d, "scheduler", page))
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %q, %v", page, text, err)
		}
	}
	// The proxy does not pass the user's credentials on: the scheduler sees an anonymous client.
	if text, err := w.plane.Kubectl(w.ctx, "get", "--raw", path(d, "scheduler", "/metrics")); err == nil || !strings.Contains(err.Error(), "Forbidden") {
		t.Errorf("/metrics: %.100s, %v", text, err)
	}
}
