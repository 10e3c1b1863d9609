package cluster

import (
	"fmt"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type podOption func(*corev1.Pod)

func cpu(amount string) podOption {
	return func(p *corev1.Pod) {
		p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount)}
	}
}

func scheduler(name string) podOption { return func(p *corev1.Pod) { p.Spec.SchedulerName = name } }

func selector(key, value string) podOption {
	return func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{key: value} }
}

func gate(name string) podOption {
	return func(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: name}} }
}

// newPod is a pod for the world's scheduler that is not created yet.
func (w *world) newPod(name string, options ...podOption) *corev1.Pod {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.ns},
		Spec: corev1.PodSpec{SchedulerName: w.ns, Containers: []corev1.Container{{Name: "main", Image: "busybox:1.36"}},
			TerminationGracePeriodSeconds: new(int64)},
	}
	for _, o := range options {
		o(p)
	}
	return p
}

// pod creates one. The API server's admission learns of a new PriorityClass asynchronously and forbids pods with a class
// that it does not know yet.
func (w *world) pod(name string, options ...podOption) *corev1.Pod {
	w.t.Helper()
	var pod *corev1.Pod
	w.eventually(10*time.Second, func() (err error) {
		pod, err = w.client.CoreV1().Pods(w.ns).Create(w.ctx, w.newPod(name, options...), metav1.CreateOptions{})
		if err != nil && !strings.Contains(err.Error(), "no PriorityClass with name") {
			w.must(err)
		}
		return err
	})
	return pod
}

// pods creates n pods, prefix-0 and so on, several at a time.
func (w *world) pods(prefix string, n int, options ...podOption) {
	w.t.Helper()
	w.parallel(n, func(i int) error {
		_, err := w.client.CoreV1().Pods(w.ns).Create(w.ctx, w.newPod(fmt.Sprintf("%s-%d", prefix, i), options...), metav1.CreateOptions{})
		return err
	})
}

// parallel calls do(0) to do(n-1), eight at a time, and fails the test with the first error.
func (w *world) parallel(n int, do func(int) error) {
	w.t.Helper()
	var all sync.WaitGroup
	errs := make(chan error, n)
	turns := make(chan int)
	for range 8 {
		all.Go(func() {
			for i := range turns {
				errs <- do(i)
			}
		})
	}
	for i := range n {
		turns <- i
	}
	close(turns)
	all.Wait()
	for range n {
		w.must(<-errs)
	}
}

func (w *world) get(name string) (*corev1.Pod, error) {
	return w.client.CoreV1().Pods(w.ns).Get(w.ctx, name, metav1.GetOptions{})
}

// bound waits until the pod has a node and returns it.
func (w *world) bound(name string, patience time.Duration) *corev1.Pod {
	w.t.Helper()
	var pod *corev1.Pod
	w.eventually(patience, func() (err error) {
		if pod, err = w.get(name); err != nil {
			return err
		}
		if pod.Spec.NodeName == "" {
			return fmt.Errorf("pod %s has no node; its conditions: %+v", name, pod.Status.Conditions)
		}
		return nil
	})
	return pod
}

// count returns the number of the namespace's pods with a node, and of all its pods.
func (w *world) count() (bound, all int, err error) {
	return w.countOf("")
}

// countOf counts only the pods whose name has this prefix.
func (w *world) countOf(prefix string) (bound, all int, err error) {
	// From the API server's cache: a list at the latest revision would cost a quorum read each time.
	pods, err := w.client.CoreV1().Pods(w.ns).List(w.ctx, metav1.ListOptions{ResourceVersion: "0"})
	if err != nil {
		return 0, 0, err
	}
	for i := range pods.Items {
		if !strings.HasPrefix(pods.Items[i].Name, prefix) {
			continue
		}
		all++
		if pods.Items[i].Spec.NodeName != "" {
			bound++
		}
	}
	return bound, all, nil
}

// atLeast waits until n of the namespace's pods have a node.
func (w *world) atLeast(n int, patience time.Duration) {
	w.t.Helper()
	w.eventually(patience, func() error {
		bound, all, err := w.count()
		if err == nil && bound < n {
			err = fmt.Errorf("%d of %d pods have a node, not %d", bound, all, n)
		}
		return err
	})
}
