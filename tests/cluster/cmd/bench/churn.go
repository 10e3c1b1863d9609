package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/load"
)

const (
	churnLife = 6 * time.Second // of a pod, from its creation to its deletion
	podsOfJob = 10              // pods that share a label that no others have
)

// churn measures the memory of a scheduler while pods come and go beside o.pods bound pods. It prints a line each minute.
// growth_percent compares the last minute with minute 1; minute 0 is the start of the scheduler. It fails if less than
// half of the pods of a minute are bound: either fewer pods came, or they were deleted before they were bound.
func churn(ctx context.Context, o *options, r *run) error {
	client := r.plane.Client
	if err := o.populate(ctx, client); err != nil {
		return err
	}
	bindings, err := load.Bindings(ctx, client)
	if err != nil {
		return err
	}
	d, err := r.launch(o)
	if err != nil {
		return err
	}
	defer func() { _ = d.Kill() }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failed := make(chan error, 1)
	go func() { failed <- (&comers{client: client, rate: o.rate}).comeAndGo(ctx) }()
	return r.minutes(ctx, o, d, bindings, failed)
}

// minutes records memory and CPU of the scheduler each minute for o.minutes minutes.
func (r *run) minutes(ctx context.Context, o *options, d *daemon.Daemon, bindings <-chan load.Binding, failed <-chan error) error {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	var bound, total int
	var first, last float64
	for minute := 0; minute <= o.minutes; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			return err
		case <-d.Done():
			return fmt.Errorf("the scheduler ended in minute %d", minute)
		case <-bindings:
			bound++
			continue
		case <-tick.C:
		}
		if minute > 0 && bound < o.rate/2 {
			return fmt.Errorf("minute %d: %d of %d pods were bound: the API server or the scheduler is too slow", minute, bound, o.rate)
		}
		used, err := d.Usage()
		if err != nil {
			return err
		}
		last = round(float64(used.RSS) / 1e6)
		if minute == 1 {
			first = last
		}
		print(result{"scheduler": r.scheduler, "minute": minute, "bound": bound, "rss_mb": last,
			"anon_mb": round(float64(used.Anon) / 1e6), "cpu_s": round(used.CPU.Seconds())})
		total += bound
		bound = 0
		minute++
	}
	r.result["pods"] = float64(total)
	r.result["growth_percent"] = round(100 * (last - first) / first)
	return r.usage(d)
}

// comers are pods that come and go.
type comers struct {
	client kubernetes.Interface
	rate   int // per minute
}

// comeAndGo creates pods at the rate and deletes each after its life, until the context ends or a request fails. Where the
// machine is too slow for the rate, the rate is lower.
func (c *comers) comeAndGo(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	alive := make(chan struct{}, 2*c.rate*int(churnLife.Seconds())/60+1)
	tick := time.NewTicker(time.Minute / time.Duration(c.rate))
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case alive <- struct{}{}:
		}
		go func() {
			defer func() { <-alive }()
			if err := c.live(ctx, i); err != nil {
				stop(err)
			}
		}()
	}
}

// live is the life of pod i.
func (c *comers) live(ctx context.Context, i int) error {
	pod := load.Pod(fmt.Sprintf("comer-%08d-of-job-%07d", i, i/podsOfJob))
	pod.Labels["job"] = fmt.Sprintf("job-%07d", i/podsOfJob)
	pods := c.client.CoreV1().Pods(load.Namespace)
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(churnLife):
	}
	now := int64(0) // there are no kubelets
	return pods.Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
}
