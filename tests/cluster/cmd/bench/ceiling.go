package main

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"berth.dev/berth/tests/cluster/internal/load"
)

// ceiling lists the pods and binds them to the nodes in turn, 32 at a time: the API server's limit for a scheduler that
// does nothing else.
func ceiling(ctx context.Context, o *options, r *run) error {
	pods, err := r.plane.Client.CoreV1().Pods(load.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	return load.Each(len(pods.Items), func(i int) error {
		pod := &pods.Items[i]
		return r.plane.Client.CoreV1().Pods(load.Namespace).Bind(ctx, &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Name: pod.Name, UID: pod.UID},
			Target:     corev1.ObjectReference{Kind: "Node", Name: load.NodeName(i % o.nodes)},
		}, metav1.CreateOptions{})
	})
}

// stormCeiling binds every fitting pod as soon as a watch reports it, and does nothing else.
func stormCeiling(ctx context.Context, client kubernetes.Interface, o *options) error {
	pods, err := client.CoreV1().Pods(load.Namespace).List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return err
	}
	events, err := client.CoreV1().Pods(load.Namespace).Watch(ctx, metav1.ListOptions{ResourceVersion: pods.ResourceVersion})
	if err != nil {
		return err
	}
	go func() {
		i := 0
		for event := range events.ResultChan() {
			pod, ok := event.Object.(*corev1.Pod)
			if !ok || event.Type != watch.Added || !strings.HasPrefix(pod.Name, "fits-") {
				continue
			}
			i++
			// The measurement fails if a pod is not bound.
			go func(node string) {
				_ = client.CoreV1().Pods(load.Namespace).Bind(ctx, &corev1.Binding{
					ObjectMeta: metav1.ObjectMeta{Name: pod.Name, UID: pod.UID},
					Target:     corev1.ObjectReference{Kind: "Node", Name: node},
				}, metav1.CreateOptions{})
			}(load.NodeName(i % o.nodes))
		}
	}()
	return nil
}
