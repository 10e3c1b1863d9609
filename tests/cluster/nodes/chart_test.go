package nodes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The chart with its own values but for the plugins, which come from a volume: two replicas on two nodes, without access to
// anything on the nodes; one leads, and the pods that it binds run. Then its ConfigMap is edited.
func TestTheChartsReplicasFollowTheConfigMap(t *testing.T) {
	w := newWorld(t, 5*time.Minute)
	r := w.install(10259, "")
	replicas := r.replicas()
	if len(replicas) != 2 || replicas[0].Spec.NodeName == replicas[1].Spec.NodeName {
		t.Fatalf("the replicas are %+v", replicas)
	}
	r.oneLeads()
	for _, pod := range replicas {
		container := pod.Spec.Containers[0]
		if !*container.SecurityContext.ReadOnlyRootFilesystem || !*pod.Spec.SecurityContext.RunAsNonRoot || pod.Spec.HostNetwork {
			t.Errorf("pod %s has more than it needs: %+v", pod.Name, pod.Spec)
		}
		if log := w.log(&pod, "scheduler"); !strings.Contains(log, "/plugin-volumes/all/plugins") {
			t.Errorf("pod %s does not say where its plugins are", pod.Name)
		}
	}

	w.pod("before", w.ns)
	w.ready(w.ns, "before", time.Minute)

	// Adds a profile, and an affinity that the profile adds to its pods.
	generations := map[string]float64{}
	for _, pod := range replicas {
		generations[pod.Name] = r.metric(&pod, "berth_policy_generation", "")
	}
	edited := time.Now()
	r.edit(fmt.Sprintf(`
- schedulerName: pinned
  pluginConfig:
  - name: NodeAffinity
    args: {addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [%s]}]}]}}}
`, otherNode))
	w.pod("after", "pinned")
	if pod := w.ready(w.ns, "after", 3*time.Minute); pod.Spec.NodeName != otherNode {
		t.Errorf("the pod of the new profile is on %s", pod.Spec.NodeName)
	}
	t.Logf("the pod of the profile that the ConfigMap was given runs after %.1f s", time.Since(edited).Seconds())
	w.eventually(2*time.Minute, func() error { // the follower publishes it as well
		for _, pod := range replicas {
			if now := r.metric(&pod, "berth_policy_generation", ""); now <= generations[pod.Name] {
				return fmt.Errorf("the policy of pod %s is generation %g", pod.Name, now)
			}
		}
		return nil
	})
	t.Logf("both replicas have the policy after %.1f s", time.Since(edited).Seconds())
	w.events("PolicyPublished", len(replicas))
	for _, pod := range replicas {
		w.unrestarted(w.ns, pod.Name)
	}
	if now := r.replicas(); len(now) != 2 || now[0].UID != replicas[0].UID || now[1].UID != replicas[1].UID {
		t.Errorf("the edit has replaced the replicas")
	}
}

// edit appends profiles, as kubectl edit does.
func (r *release) edit(profiles string) {
	r.t.Helper()
	maps := r.client.CoreV1().ConfigMaps(r.ns)
	config, err := maps.Get(r.ctx, r.ns+"-config", metav1.GetOptions{})
	r.must(err)
	config.Data["scheduler-config.yaml"] = strings.TrimSpace(config.Data["scheduler-config.yaml"]) + profiles
	_, err = maps.Update(r.ctx, config, metav1.UpdateOptions{})
	r.must(err)
}

// With hostNetwork the replicas listen on a port of the node other than the static pod's.
func TestTheChartsReplicasOnTheHostNetwork(t *testing.T) {
	w := newWorld(t, 3*time.Minute)
	r := w.install(10359, `
hostNetwork: true
adminAddress: 127.0.0.1:10361
topologySpreadConstraints:
- {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app.kubernetes.io/name: berth}}}
`)
	r.oneLeads()
	on := map[string]bool{}
	for _, pod := range r.replicas() {
		on[pod.Spec.NodeName] = true
		if pod.Status.PodIP != nodes[pod.Spec.NodeName].IP {
			t.Errorf("pod %s has the address %s", pod.Name, pod.Status.PodIP)
		}
		w.unrestarted(w.ns, pod.Name)
	}
	if len(on) != 2 {
		t.Errorf("the replicas are on %v", on)
	}
	r.leader()
	w.pod("bound", w.ns)
	if pod := w.ready(w.ns, "bound", time.Minute); condition(pod, corev1.PodScheduled).Status != corev1.ConditionTrue {
		t.Errorf("%+v", pod.Status)
	}
}
