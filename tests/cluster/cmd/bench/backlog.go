package main

import (
	"context"
	"errors"
	"time"

	"berth.dev/berth/tests/cluster/internal/daemon"
	"berth.dev/berth/tests/cluster/internal/load"
)

// quiet is how long after the last binding a scheduler may still send events; its usage in this time counts.
const quiet = 5 * time.Second

func backlog(ctx context.Context, o *options, r *run) error {
	if err := load.Nodes(ctx, r.plane.Client, o.nodes); err != nil {
		return err
	}
	if err := load.Pods(ctx, r.plane.Client, "pod", o.pods, nil); err != nil {
		return err
	}
	bindings, err := load.Bindings(ctx, r.plane.Client)
	if err != nil {
		return err
	}
	server, err := r.plane.APIServer().Usage()
	if err != nil {
		return err
	}
	began := time.Now()
	var d *daemon.Daemon
	if r.scheduler == "ceiling" {
		err = ceiling(ctx, o, r)
	} else {
		d, err = r.launch(o)
	}
	if err != nil {
		return err
	}
	first, last, err := await(ctx, bindings, o.pods)
	if err != nil {
		return err
	}
	after, err := r.plane.APIServer().Usage()
	if err != nil {
		return err
	}
	r.result["first_bind_s"] = round(first.Sub(began).Seconds())
	r.result["pods_per_s"] = round(float64(o.pods-1) / last.Sub(first).Seconds())
	r.result["pods_per_s_with_start"] = round(float64(o.pods) / last.Sub(began).Seconds())
	r.result["apiserver_cpu_s"] = round((after.CPU - server.CPU).Seconds())
	if d == nil {
		return nil
	}
	defer func() { _ = d.Kill() }()
	at, err := d.Usage()
	if err != nil {
		return err
	}
	r.result["cpu_s_at_last_bind"] = round(at.CPU.Seconds())
	time.Sleep(quiet) // Events that wait for bindings are written now
	end, err := r.plane.APIServer().Usage()
	if err != nil {
		return err
	}
	r.result["apiserver_cpu_s_with_events"] = round((end.CPU - server.CPU).Seconds())
	if err := r.usage(d); err != nil {
		return err
	}
	r.result["cpu_s_per_1000_pods"] = round(r.result["cpu_s"].(float64) / float64(o.pods) * 1000)
	return nil
}

// await returns when the first and the n-th pod got their nodes.
func await(ctx context.Context, bindings <-chan load.Binding, n int) (first, last time.Time, err error) {
	for i := range n {
		select {
		case b := <-bindings:
			if i == 0 {
				first = b.Seen
			}
			last = b.Seen
		case <-ctx.Done():
			return first, last, ctx.Err()
		case <-time.After(time.Minute):
			return first, last, errors.New("no pod was bound for a minute")
		}
	}
	return first, last, nil
}
