package soak

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/load"
	"berth.dev/berth/tests/cluster/internal/stream"
)

// Kinds of pods, as their names begin.
const (
	plain = "plain"      // fits on all nodes: its node shows which policy scheduled it
	tight = stream.Tight // fits only on small nodes, which are full most of the time
	guest = "guest"      // is of the profile that comes and goes
)

const tightNodes = 10 // of two pods each

// makeNodes creates the nodes and returns the class of each one, from its label.
func makeNodes(ctx context.Context, o Options) (map[string]string, error) {
	classes := map[string]string{}
	specs := make([]fakelet.NodeSpec, o.Nodes)
	for i := range specs {
		spec := fakelet.NodeSpec{Name: load.NodeName(i), CPU: "32", Memory: "128Gi"}
		class := i % (versions + 1)
		switch {
		case i < tightNodes:
			stream.Small(&spec)
			classes[spec.Name] = tight
		case class == 0:
			spec.Labels = map[string]string{"shape": "round"}
			classes[spec.Name] = "shape"
		default:
			spec.Labels = map[string]string{"prefers": fmt.Sprintf("%d.0.0", class)}
			classes[spec.Name] = classOf(class)
		}
		specs[i] = spec
	}
	return classes, load.Each(len(specs), func(i int) error { return fakelet.AddNode(ctx, o.Plane.Client, specs[i]) })
}

func startPods(ctx context.Context, o Options) (*stream.Stream, error) {
	return stream.Start(ctx, stream.Options{
		Client: o.Plane.Client, Namespace: o.Namespace, Rate: o.Rate, Lifetime: lifetime,
		Kinds:       []string{plain, plain, plain, tight, plain, plain, plain, guest, plain, plain},
		MostWaiting: map[string]int{tight: 40, guest: 16},
		Pod:         func(kind string, i int) *corev1.Pod { return pod(o.Namespace, kind, i) },
	})
}

func pod(namespace, kind string, i int) *corev1.Pod {
	pod := load.Pod(fmt.Sprintf("%s-%06d", kind, i))
	pod.Namespace, pod.Spec.SchedulerName = namespace, namespace
	switch kind {
	case guest:
		pod.Spec.SchedulerName = guestOf(namespace)
	case tight:
		stream.Tighten(pod)
	}
	return pod
}
