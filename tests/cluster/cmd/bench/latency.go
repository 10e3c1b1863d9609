package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/load"
	"berth.dev/berth/tests/cluster/internal/wire"
)

const (
	pause   = 50 * time.Millisecond // between two pods
	warmUps = 40                    // pods that do not count, while the scheduler starts

	// A packet with at least so much data is the watch event of a pod, or a binding: settings, acknowledgments, and
	// window updates of HTTP/2 are smaller.
	eventBytes, bindingBytes = 300, 120
)

// latency creates one pod after the other in a cluster without other work, and measures the time from the packet of the
// watch event that tells the scheduler of a pod to the packet of the request that binds it.
func latency(ctx context.Context, o *options, r *run) error {
	client := r.plane.Client
	if err := load.Nodes(ctx, client, o.nodes); err != nil {
		return err
	}
	server, err := portOf(r.plane.URL)
	if err != nil {
		return err
	}
	d, err := r.launch(o)
	if err != nil {
		return err
	}
	defer func() { _ = d.Kill() }()
	capture, err := wire.Start(server)
	if err != nil {
		return err
	}
	var created []time.Time
	for i := range warmUps + int(time.Duration(o.seconds)*time.Second/pause) {
		created = append(created, time.Now())
		if _, err := client.CoreV1().Pods(load.Namespace).Create(ctx, load.Pod(fmt.Sprintf("late-%05d", i)), metav1.CreateOptions{}); err != nil {
			return err
		}
		time.Sleep(pause)
	}
	packets := capture.Stop()
	own, err := d.Connections(server)
	if err != nil {
		return err
	}
	all, err := answers(packets, created[warmUps:], own)
	if err != nil {
		return err
	}
	r.latencies(all)
	return r.usage(d)
}

func portOf(address string) (uint16, error) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, err
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	return uint16(port), err
}

// answers are the times from the first event to the first binding after each of these moments, on connections from these
// ports of the scheduler.
func answers(packets []wire.Packet, moments []time.Time, own []uint16) ([]time.Duration, error) {
	var all []time.Duration
	next := 0
	for i, moment := range moments {
		var event time.Time
		for ; next < len(packets); next++ {
			p := packets[next]
			if i+1 < len(moments) && !p.Sent.Before(moments[i+1]) {
				break
			}
			switch {
			case p.Sent.Before(moment) || len(all) > i:
			case event.IsZero() && p.Bytes >= eventBytes && slices.Contains(own, p.To):
				event = p.Sent
			case !event.IsZero() && p.Bytes >= bindingBytes && slices.Contains(own, p.From):
				all = append(all, p.Sent.Sub(event))
			}
		}
		if len(all) != i+1 {
			return nil, fmt.Errorf("no event and binding within %v of pod %d", pause, i)
		}
	}
	return all, nil
}
