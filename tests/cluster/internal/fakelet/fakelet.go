// Package fakelet simulates the kubelets of all nodes of a control plane: bound pods run, deleted pods end, and nodes
// renew their status.
package fakelet

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// workers write pod statuses at the same time.
const workers = 8

// Fakelet runs until its context ends, even if the API server restarts.
type Fakelet struct {
	client    kubernetes.Interface
	heartbeat time.Duration // between two renewals of each node's status; 0: none
	pods      corelisters.PodLister
	nodes     corelisters.NodeLister
	queue     workqueue.TypedRateLimitingInterface[types.NamespacedName]
	nextIP    atomic.Uint32
}

// Start returns when it has listed all pods and nodes.
func Start(ctx context.Context, client kubernetes.Interface, heartbeat time.Duration) error {
	bound := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTweakListOptions(func(o *metav1.ListOptions) {
		o.FieldSelector = fields.OneTermNotEqualSelector("spec.nodeName", "").String()
	}))
	all := informers.NewSharedInformerFactory(client, 0)
	retry := workqueue.NewTypedItemExponentialFailureRateLimiter[types.NamespacedName](10*time.Millisecond, time.Second)
	f := &Fakelet{
		client: client, heartbeat: heartbeat,
		pods: bound.Core().V1().Pods().Lister(), nodes: all.Core().V1().Nodes().Lister(),
		queue: workqueue.NewTypedRateLimitingQueue(retry),
	}
	_, err := bound.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    f.enqueue,
		UpdateFunc: func(_, pod any) { f.enqueue(pod) },
	})
	if err != nil {
		return err
	}
	for _, factory := range []informers.SharedInformerFactory{bound, all} {
		factory.Start(ctx.Done())
		for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
			if !synced {
				return fmt.Errorf("fakelet: no list of %v: %w", kind, ctx.Err())
			}
		}
	}
	for range workers {
		go f.work(ctx)
	}
	go f.beat(ctx)
	context.AfterFunc(ctx, f.queue.ShutDown)
	return nil
}

func (f *Fakelet) enqueue(obj any) {
	pod := obj.(*corev1.Pod)
	f.queue.Add(types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name})
}

func (f *Fakelet) work(ctx context.Context) {
	for {
		name, stopped := f.queue.Get()
		if stopped {
			return
		}
		if err := f.tend(ctx, name); err != nil {
			f.queue.AddRateLimited(name)
		} else {
			f.queue.Forget(name)
		}
		f.queue.Done(name)
	}
}

// tend advances one bound pod by a step. It ignores a pod that was deleted or created again.
func (f *Fakelet) tend(ctx context.Context, name types.NamespacedName) error {
	pod, err := f.pods.Pods(name.Namespace).Get(name.Name)
	if err != nil {
		return nil //nolint:nilerr // not in the cache: deleted
	}
	switch {
	case pod.DeletionTimestamp != nil:
		if left := leftToEnd(pod, time.Now()); left > 0 {
			f.queue.AddAfter(name, left)
			return nil
		}
		var now int64
		options := metav1.DeleteOptions{GracePeriodSeconds: &now, Preconditions: &metav1.Preconditions{UID: &pod.UID}}
		err = f.client.CoreV1().Pods(name.Namespace).Delete(ctx, name.Name, options)
	case pod.Status.Phase == corev1.PodPending:
		_, err = f.client.CoreV1().Pods(name.Namespace).UpdateStatus(ctx, f.running(pod), metav1.UpdateOptions{})
	}
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// running is the pod with the status of a running pod.
func (f *Fakelet) running(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	now := metav1.Now()
	n := f.nextIP.Add(1)
	ip := fmt.Sprintf("10.%d.%d.%d", 64+n>>16&63, n>>8&255, n&255)
	pod.Status.Phase, pod.Status.StartTime = corev1.PodRunning, &now
	pod.Status.PodIP, pod.Status.PodIPs = ip, []corev1.PodIP{{IP: ip}}
	for _, condition := range []corev1.PodConditionType{corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: condition, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	pod.Status.ContainerStatuses = nil
	for _, c := range pod.Spec.Containers {
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, ImageID: c.Image, Ready: true,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		})
	}
	return pod
}

// beat renews each node's status once per heartbeat, as kubelets do, spread evenly.
func (f *Fakelet) beat(ctx context.Context) {
	for f.heartbeat > 0 && ctx.Err() == nil {
		nodes, _ := f.nodes.List(everything)
		pause := f.heartbeat / time.Duration(max(1, len(nodes)))
		for _, node := range nodes {
			f.renew(ctx, node)
			sleep(ctx, pause)
		}
		if len(nodes) == 0 {
			sleep(ctx, pause)
		}
	}
}
