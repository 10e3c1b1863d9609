package cluster

import (
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// deployment creates a Deployment whose pods have the label app=name; kube-controller-manager creates the pods.
func (w *world) deployment(name string, replicas int32, options ...podOption) {
	w.t.Helper()
	labels := map[string]string{"app": name}
	pod := w.newPod(name, options...)
	pod.Spec.TerminationGracePeriodSeconds = nil
	_, err := w.client.AppsV1().Deployments(w.ns).Create(w.ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: pod.Spec},
		},
	}, metav1.CreateOptions{})
	w.must(err)
}

// zones creates the given number of nodes with 8 CPUs in each zone: west-0 and so on.
func (w *world) zones(sizes map[string]int) {
	w.t.Helper()
	for zone, n := range sizes {
		w.nodes(zone, n, func(n *fakelet.NodeSpec) { n.Labels = map[string]string{corev1.LabelTopologyZone: zone} })
	}
}

// ofApp returns the namespace's pods with app=name.
func (w *world) ofApp(name string) []corev1.Pod {
	w.t.Helper()
	pods, err := w.client.CoreV1().Pods(w.ns).List(w.ctx, metav1.ListOptions{LabelSelector: "app=" + name})
	w.must(err)
	return pods.Items
}

// per counts an app's pods by this label of their nodes; pods without a node count under "".
func (w *world) per(app, label string) map[string]int {
	w.t.Helper()
	nodes, err := w.client.CoreV1().Nodes().List(w.ctx, metav1.ListOptions{})
	w.must(err)
	values, counts := map[string]string{}, map[string]int{}
	for _, node := range nodes.Items {
		values[node.Name] = node.Labels[label]
		counts[node.Labels[label]] = 0
	}
	for _, pod := range w.ofApp(app) {
		counts[values[pod.Spec.NodeName]]++
	}
	return counts
}

// spread waits until `bound` of the app's pods have a node. It returns the largest and the smallest number of pods for
// one value of the label, among the values of nodes.
func (w *world) spread(app, label string, bound int) (most, fewest int) {
	w.t.Helper()
	var counts map[string]int
	w.eventually(20*time.Second, func() error {
		counts = w.per(app, label)
		have := 0
		for value, n := range counts {
			if value != "" {
				have += n
			}
		}
		if have < bound {
			return fmt.Errorf("pods of %s by %s: %v", app, label, counts)
		}
		return nil
	})
	w.t.Logf("pods of %s by %s: %v", app, label, counts)
	delete(counts, "")
	fewest = bound
	for _, n := range counts {
		most, fewest = max(most, n), min(fewest, n)
	}
	return most, fewest
}

// waiting waits until n pods of the app are unschedulable and returns their different messages.
func (w *world) waiting(app string, n int) []string {
	w.t.Helper()
	var told []string
	w.eventually(20*time.Second, func() error {
		told = nil
		for _, pod := range w.ofApp(app) {
			if c := condition(&pod, corev1.PodScheduled); c.Reason == corev1.PodReasonUnschedulable {
				told = append(told, c.Message)
			}
		}
		if len(told) != n {
			return fmt.Errorf("%d pods of %s are unschedulable, want %d", len(told), app, n)
		}
		return nil
	})
	slices.Sort(told)
	return slices.Compact(told)
}
