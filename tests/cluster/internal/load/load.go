// Package load creates many objects and watches pods get their nodes, for the benchmarks.
package load

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// Scheduler is the schedulerName of all pods created here, and Namespace is their namespace.
const (
	Scheduler = "bench"
	Namespace = metav1.NamespaceDefault
)

// Each calls do(0) to do(n-1), 32 at a time, and returns the first error.
func Each(n int, do func(int) error) error {
	var (
		all   sync.WaitGroup
		once  sync.Once
		first error
	)
	turns := make(chan int)
	for range 32 {
		all.Go(func() {
			for i := range turns {
				if err := do(i); err != nil {
					once.Do(func() { first = err })
				}
			}
		})
	}
	for i := range n {
		turns <- i
	}
	close(turns)
	all.Wait()
	return first
}

// NodeName is the name of node i.
func NodeName(i int) string { return fmt.Sprintf("node-%05d", i) }

// Nodes creates n nodes with 32 CPUs, 128Gi, and 110 pods in four zones.
func Nodes(ctx context.Context, client kubernetes.Interface, n int) error {
	return Each(n, func(i int) error {
		return fakelet.AddNode(ctx, client, fakelet.NodeSpec{
			Name: NodeName(i), CPU: "32", Memory: "128Gi",
			Labels: map[string]string{corev1.LabelTopologyZone: fmt.Sprintf("zone-%d", i%4)},
		})
	})
}

// Pod is one pod of 100m CPU and 128Mi.
func Pod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: Namespace, Labels: map[string]string{"app": "bench"}},
		Spec: corev1.PodSpec{
			SchedulerName: Scheduler,
			Containers: []corev1.Container{{Name: "main", Image: "registry.k8s.io/pause:3.10", Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{
					corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("128Mi"),
				}}}},
		},
	}
}

// Pods creates n pods named prefix-00000 and so on, each as change modifies it.
func Pods(ctx context.Context, client kubernetes.Interface, prefix string, n int, change func(int, *corev1.Pod)) error {
	return Each(n, func(i int) error {
		pod := Pod(fmt.Sprintf("%s-%05d", prefix, i))
		if change != nil {
			change(i, pod)
		}
		_, err := client.CoreV1().Pods(Namespace).Create(ctx, pod, metav1.CreateOptions{})
		return err
	})
}

// Bindings sends each pod that gets a node from now on. It is an informer and not a plain watch, because the API server
// ends slow watches.
func Bindings(ctx context.Context, client kubernetes.Interface) (<-chan Binding, error) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTweakListOptions(func(o *metav1.ListOptions) {
		o.FieldSelector = fields.OneTermNotEqualSelector("spec.nodeName", "").String()
	}))
	out := make(chan Binding, 100_000)
	_, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		// With this selector a pod is added when it gets its node.
		AddFunc: func(obj any, old bool) {
			if !old {
				pod := obj.(*corev1.Pod)
				revision, _ := strconv.ParseInt(pod.ResourceVersion, 10, 64)
				out <- Binding{pod.Name, time.Now(), revision}
			}
		},
	})
	if err != nil {
		return nil, err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return out, ctx.Err()
}

// Binding is a pod that has a node now.
type Binding struct {
	Pod      string
	Seen     time.Time
	Revision int64 // etcd's
}
