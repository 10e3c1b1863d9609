package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"

	"berth.dev/berth/tests/cluster/internal/load"
)

// populate creates o.nodes nodes and o.pods pods on them.
func (o *options) populate(ctx context.Context, client kubernetes.Interface) error {
	if err := load.Nodes(ctx, client, o.nodes); err != nil {
		return err
	}
	return load.Pods(ctx, client, "bound", o.pods, func(i int, pod *corev1.Pod) { pod.Spec.NodeName = load.NodeName(i % o.nodes) })
}

// settling is how long the API server and etcd still work on the objects that were created.
const settling = 5 * time.Second

// collectGarbage makes the API server collect the garbage of the objects that were created. Otherwise a collection begins
// during some starts and not during others, on the same cores as the scheduler.
func collectGarbage(ctx context.Context, client kubernetes.Interface) error {
	return client.Discovery().RESTClient().Get().AbsPath("/debug/pprof/heap").Param("gc", "1").Do(ctx).Error()
}

// start measures the start of a scheduler in a large cluster at rest: o.pods bound pods on o.nodes nodes, and one pending pod.
func start(ctx context.Context, o *options, r *run) error {
	client := r.plane.Client
	if err := o.populate(ctx, client); err != nil {
		return err
	}
	if err := load.Pods(ctx, client, "waiting", 1, nil); err != nil {
		return err
	}
	bindings, err := load.Bindings(ctx, client)
	if err != nil {
		return err
	}
	time.Sleep(settling)
	if err := collectGarbage(ctx, client); err != nil {
		return err
	}
	began := time.Now()
	d, err := r.launch(o)
	if err != nil {
		return err
	}
	defer func() { _ = d.Kill() }()
	first, _, err := await(ctx, bindings, 1)
	if err != nil {
		return err
	}
	r.result["first_bind_s"] = round(first.Sub(began).Seconds())
	time.Sleep(quiet)
	return r.usage(d)
}
