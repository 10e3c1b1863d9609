package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/load"
)

// ceiling lists the pods and binds them round the nodes, 32 at a time: what the API server allows to a scheduler that
// decides nothing and tells nobody.
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
