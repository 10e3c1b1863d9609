package cluster

import (
	"encoding/json"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// explanation is what these tests read of `berthctl why -o json`.
type explanation struct {
	State, Summary string
	Node           string
	Groups         []struct {
		Plugin, Reason, Detail string
		Nodes                  int
	}
	Queue       struct{ Attempts int }
	Suggestions []struct {
		Change string
		Nodes  int
	}
	Decision *struct {
		ID     int
		Result string
	}
}

// why asks the scheduler about a pod of the world with berthctl.
func (w *world) why(d *daemon.Daemon, pod string, more ...string) explanation {
	w.t.Helper()
	address, err := url.Parse(d.URL)
	w.must(err)
	args := append([]string{"why", w.ns + "/" + pod, "--running", address.Host, "-o", "json"}, more...)
	out, err := exec.CommandContext(w.ctx, filepath.Join(root, "build/dev/bin/berthctl"), args...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("berthctl why: %v\n%s", err, out)
	}
	var answer explanation
	w.must(json.Unmarshal(out, &answer))
	return answer
}

func hostPort(port int32) podOption {
	return func(p *corev1.Pod) {
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: port, HostPort: port}}
	}
}

func gpus(amount string) podOption {
	return func(p *corev1.Pod) {
		list := corev1.ResourceList{"example.com/gpu": resource.MustParse(amount)}
		p.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: list, Limits: list}
	}
}

// spreadOver is a constraint that no node without the label can keep.
func spreadOver(label string) podOption {
	return func(p *corev1.Pod) {
		p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: label, WhenUnsatisfiable: corev1.DoNotSchedule,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": p.Name}},
		}}
	}
}

func missingClaim(p *corev1.Pod) {
	p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "none"}}}}
}

// Each cause has its sentence, and each suggestion that is expected is there.
func TestWhyNamesTheCauseOfEachPendingPod(t *testing.T) {
	onlyBerth(t, "berthctl why")
	w := newWorld(t, 2*time.Minute)
	w.node("small", func(n *fakelet.NodeSpec) { n.CPU = "3" })
	w.node("tainted", func(n *fakelet.NodeSpec) {
		n.Taints = []corev1.Taint{{Key: "dedicated", Value: "batch", Effect: corev1.TaintEffectNoSchedule}}
	})
	d := w.start(w.profile() + withoutPreemption)
	w.pod("first", cpu("1"), hostPort(8080))
	w.bound("first", 10*time.Second)

	causes := []struct {
		name       string
		option     podOption
		summary    string
		suggestion string
	}{
		{"cpu", cpu("2500m"), "1 lacks cpu (the closest, small, lacks 500m)", "lower its request for cpu from 2500m to 2"},
		{"taint", cpu("4"), "1 has a taint that the pod does not tolerate (dedicated=batch:NoSchedule)", "tolerate the taint dedicated=batch:NoSchedule"},
		{"selector", selector("disk", "ssd"), "1 didn't match Pod's node affinity/selector (disk=ssd)", "remove its node selector and required node affinity"},
		{"port", hostPort(8080), "1 didn't have free ports for the requested pod ports", "use no host ports"},
		{"gpu", gpus("2"), "1 lacks example.com/gpu (the closest, small, lacks 2)", ""},
		{"spread", spreadOver("rack"), "1 didn't match pod topology spread constraints", "set whenUnsatisfiable: ScheduleAnyway in its topology spread constraints"},
		{"together", together("nobody", corev1.LabelHostname), "1 didn't match pod affinity rules", "remove its required pod affinity and anti-affinity"},
		{"claim", missingClaim, `persistentvolumeclaim "none" not found`, ""},
		{"gated", gate("example.com/quota"), "waiting for scheduling gates: [example.com/quota]", ""},
		{"foreign", scheduler("nobody"), `No profile of this scheduler serves its schedulerName, "nobody".`, ""},
	}
	for _, c := range causes {
		w.pod(c.name, c.option)
	}
	for _, c := range causes {
		if c.name != "gated" && c.name != "foreign" {
			w.unschedulable(c.name, 10*time.Second)
		}
		answer := w.why(d, c.name, "--suggest")
		if !strings.Contains(answer.Summary, c.summary) {
			t.Errorf("%s: the summary is %q, want it with %q", c.name, answer.Summary, c.summary)
		}
		found := c.suggestion == ""
		for _, one := range answer.Suggestions {
			found = found || one.Change == c.suggestion
		}
		if !found {
			t.Errorf("%s: the suggestions are %+v, want one of them to be %q", c.name, answer.Suggestions, c.suggestion)
		}
	}
	if answer := w.why(d, "first"); answer.State != "Scheduled" || answer.Node != "small" || !strings.Contains(answer.Summary, "It was the only one that fits of the 2 nodes that were examined.") {
		t.Errorf("first: %+v", answer)
	}
	w.prove()
}
