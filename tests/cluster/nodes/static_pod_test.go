package nodes

import (
	"bufio"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const staticPod = "kube-scheduler-" + controlNode // the kubelet appends the node's name

// kubeadm's static pod with Berth's image: its probes pass, the pods that it binds run, and it did not restart while it scheduled
// the pods of the earlier tests.
func TestTheStaticPodSchedules(t *testing.T) {
	w := newWorld(t, 3*time.Minute)
	pod := w.ready(metav1.NamespaceSystem, staticPod, time.Minute)
	t.Logf("the static pod is ready %s after its start", condition(pod, corev1.PodReady).LastTransitionTime.Sub(pod.Status.StartTime.Time))
	if source := pod.Annotations["kubernetes.io/config.source"]; source != "file" {
		t.Errorf("the source of the pod is %q", source)
	}

	for i := range 6 {
		w.pod(fmt.Sprintf("pod-%d", i), "", asMuchAsTheStaticPod)
	}
	on := map[string]int{}
	for i := range 6 {
		on[w.ready(w.ns, fmt.Sprintf("pod-%d", i), time.Minute).Spec.NodeName]++
	}
	if on[controlNode] == 0 || on[otherNode] == 0 {
		t.Errorf("six equal pods run on the nodes so: %v", on)
	}
	for _, event := range w.events("Scheduled", 6) {
		if event.ReportingController != "default-scheduler" {
			t.Errorf("the event %q is from %q", event.Message, event.ReportingController)
		}
	}

	// The kubelet runs the liveness probe every 10 s.
	w.eventually(time.Minute, func() error {
		probes := w.probes(controlNode, staticPod)
		if probes["Liveness successful"] < 3 {
			return fmt.Errorf("the probes of the static pod: %v", probes)
		}
		return nil
	})
	probes := w.probes(controlNode, staticPod)
	t.Logf("probes of the static pod: %v", probes)
	for _, kind := range []string{"Startup", "Liveness", "Readiness"} {
		// The first startup and readiness probes may be too early.
		if probes[kind+" successful"] < 1 || probes["Liveness failed"] > 0 || probes["Startup failed"] > 0 {
			t.Errorf("the %s probe: %v", kind, probes)
		}
	}
	w.unrestarted(metav1.NamespaceSystem, staticPod)
}

// probes counts the results of the probes of a pod: "Liveness successful", for example (pkg/kubelet/prober, ProberResults).
func (w *world) probes(node, pod string) map[string]int {
	w.t.Helper()
	counts := map[string]int{}
	lines := bufio.NewScanner(strings.NewReader(w.get(node, fmt.Sprintf("http://%s:10255/metrics/probes", nodes[node].IP), "")))
	for lines.Scan() {
		line := lines.Text()
		if !strings.HasPrefix(line, "prober_probe_total{") || label(line, "pod") != pod {
			continue
		}
		count, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
		w.must(err)
		counts[label(line, "probe_type")+" "+label(line, "result")] += int(count)
	}
	return counts
}

// label is the value of a label of a line of metrics.
func label(line, name string) string {
	if found := regexp.MustCompile(`[{,]` + name + `="([^"]*)"`).FindStringSubmatch(line); found != nil {
		return found[1]
	}
	return ""
}
