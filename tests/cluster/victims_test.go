package cluster

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// priorities creates the classes low 100, middle 500, high 1000, and polite, which has the same value as high and never
// preempts. They are deleted with the test.
func (w *world) priorities() {
	w.t.Helper()
	never := corev1.PreemptNever
	for _, class := range []schedulingv1.PriorityClass{
		{ObjectMeta: metav1.ObjectMeta{Name: "low"}, Value: 100},
		{ObjectMeta: metav1.ObjectMeta{Name: "middle"}, Value: 500},
		{ObjectMeta: metav1.ObjectMeta{Name: "high"}, Value: 1000},
		{ObjectMeta: metav1.ObjectMeta{Name: "polite"}, Value: 1000, PreemptionPolicy: &never},
	} {
		_, err := w.client.SchedulingV1().PriorityClasses().Create(w.ctx, &class, metav1.CreateOptions{})
		w.must(err)
		w.t.Cleanup(func() {
			w.must(w.client.SchedulingV1().PriorityClasses().Delete(w.ctx, class.Name, metav1.DeleteOptions{}))
		})
	}
}

func class(name string) podOption { return func(p *corev1.Pod) { p.Spec.PriorityClassName = name } }

// ends is a pod with 30 seconds to end that takes this long.
func ends(after string) podOption {
	return func(p *corev1.Pod) {
		grace := int64(30)
		p.Spec.TerminationGracePeriodSeconds = &grace
		p.Annotations = map[string]string{fakelet.EndsAfter: after}
	}
}

// running creates a pod on a node, without a scheduler, and waits until it runs.
func (w *world) running(name, node string, options ...podOption) {
	w.t.Helper()
	w.pod(name, append(options, on(node))...)
	w.eventually(10*time.Second, func() error {
		pod, err := w.get(name)
		if err == nil && condition(pod, corev1.PodReady).Status != corev1.ConditionTrue {
			err = fmt.Errorf("pod %s is not ready", name)
		}
		return err
	})
}

// gone waits until there is no pod with this name.
func (w *world) gone(name string, patience time.Duration) {
	w.t.Helper()
	w.eventually(patience, func() error {
		if _, err := w.get(name); err == nil {
			return fmt.Errorf("pod %s is still there", name)
		}
		return nil
	})
}

// nominated waits until the pod has this nomination.
func (w *world) nominated(name, node string) {
	w.t.Helper()
	w.eventually(10*time.Second, func() error {
		pod, err := w.get(name)
		if err == nil && pod.Status.NominatedNodeName != node {
			err = fmt.Errorf("pod %s is nominated to %q, not %s: %+v", name, pod.Status.NominatedNodeName, node, pod.Status.Conditions)
		}
		return err
	})
}

// twoVictims creates the nodes a and b with one CPU each, the first with pod low and the second with pod middle of
// these classes.
func (w *world) twoVictims(options ...podOption) {
	w.t.Helper()
	w.priorities()
	for i, name := range []string{"low", "middle"} {
		node := string(rune('a' + i))
		w.node(node, oneCPU)
		w.running(name, node, append(options, cpu("1"), class(name))...)
	}
}

// budget labels a pod, creates a budget that keeps this many pods with the label healthy, and waits until the
// controller has counted.
func (w *world) budget(pod string, healthy int) {
	w.t.Helper()
	w.kubectl("label", "-n", w.ns, "pod", pod, "app=kept")
	least := intstr.FromInt(healthy)
	_, err := w.client.PolicyV1().PodDisruptionBudgets(w.ns).Create(w.ctx, &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "kept"},
		Spec:       policyv1.PodDisruptionBudgetSpec{MinAvailable: &least, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "kept"}}},
	}, metav1.CreateOptions{})
	w.must(err)
	w.eventually(30*time.Second, func() error {
		b, err := w.client.PolicyV1().PodDisruptionBudgets(w.ns).Get(w.ctx, "kept", metav1.GetOptions{})
		if err == nil && (b.Status.CurrentHealthy != 1 || b.Status.DisruptionsAllowed != int32(1-healthy)) {
			err = fmt.Errorf("the controller has not counted for the budget yet: %+v", b.Status)
		}
		return err
	})
}
