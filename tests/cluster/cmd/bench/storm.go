package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/load"
)

// perSecond is both the number of node heartbeats and that of fitting pods.
const perSecond = 100

// storm measures how soon fitting pods are bound while o.pods other pods fit nowhere and nodes renew their status.
func storm(ctx context.Context, o *options, r *run) error {
	client := r.plane.Client
	if err := load.Nodes(ctx, client, o.nodes); err != nil {
		return err
	}
	nowhere := func(_ int, pod *corev1.Pod) { pod.Spec.NodeSelector = map[string]string{"is": "nowhere"} }
	if err := load.Pods(ctx, client, "stuck", o.pods, nowhere); err != nil {
		return err
	}
	if r.scheduler == "ceiling" {
		if err := stormCeiling(ctx, client, o); err != nil {
			return err
		}
		return r.stream(ctx, client, o)
	}
	d, err := r.launch(o)
	if err != nil {
		return err
	}
	defer func() { _ = d.Kill() }()
	if err := allTried(ctx, client, o.pods); err != nil {
		return err
	}
	time.Sleep(quiet)
	before, err := d.Usage()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := r.stream(ctx, client, o); err != nil {
		return err
	}
	after, err := d.Usage()
	if err != nil {
		return err
	}
	r.result["cores"] = round((after.CPU - before.CPU).Seconds() / time.Since(began).Seconds())
	return r.usage(d)
}

// stream starts the heartbeats and the fitting pods, and records the delays of their bindings.
func (r *run) stream(ctx context.Context, client kubernetes.Interface, o *options) error {
	bindings, err := load.Bindings(ctx, client)
	if err != nil {
		return err
	}
	heartbeat := time.Second * time.Duration(o.nodes) / perSecond
	if err := fakelet.Start(ctx, client, heartbeat); err != nil {
		return err
	}
	created, err := stream(ctx, client, o.seconds*perSecond)
	if err != nil {
		return err
	}
	var latencies []time.Duration
	for range created {
		select {
		case b := <-bindings:
			latencies = append(latencies, b.Seen.Sub(created[b.Pod]))
		case <-time.After(30 * time.Second):
			return fmt.Errorf("%d of %d pods that fit were bound", len(latencies), len(created))
		}
	}
	r.latencies(latencies)
	return nil
}

// latencies adds the percentiles of these times.
func (r *run) latencies(all []time.Duration) {
	slices.Sort(all)
	at := func(part float64) float64 {
		return round(float64(all[int(part*float64(len(all)-1))].Microseconds()) / 1000)
	}
	r.result["p50_ms"], r.result["p99_ms"], r.result["max_ms"] = at(0.5), at(0.99), at(1)
}

// allTried waits until n pods have been reported as unschedulable.
func allTried(ctx context.Context, client kubernetes.Interface, n int) error {
	for {
		pods, err := client.CoreV1().Pods(load.Namespace).List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			return err
		}
		tried := 0
		for i := range pods.Items {
			if len(pods.Items[i].Status.Conditions) > 0 {
				tried++
			}
		}
		if tried >= n {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d pods were tried: %w", tried, n, ctx.Err())
		case <-time.After(time.Second):
		}
	}
}

// stream creates n fitting pods, evenly over time, and returns when each was sent to the API server.
func stream(ctx context.Context, client kubernetes.Interface, n int) (map[string]time.Time, error) {
	created := map[string]time.Time{}
	var (
		all   sync.WaitGroup
		mu    sync.Mutex
		first error
	)
	tick := time.NewTicker(time.Second / perSecond)
	defer tick.Stop()
	for i := range n {
		<-tick.C
		pod := load.Pod(fmt.Sprintf("fits-%05d", i))
		mu.Lock()
		created[pod.Name] = time.Now()
		mu.Unlock()
		all.Go(func() {
			if _, err := client.CoreV1().Pods(load.Namespace).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
				mu.Lock()
				defer mu.Unlock()
				first = err
			}
		})
	}
	all.Wait()
	return created, first
}
