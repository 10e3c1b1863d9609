// Package history reads every revision of every pod and node from etcd, which keeps them all in a test control plane,
// and checks them: each pod is bound once, and no node is overcommitted.
//
// It reads etcd and not a watch of the API server, because the API server's watch cache does not contain revisions from
// before its restart.
package history

import (
	"context"
	"fmt"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// Event is one object at one revision. Exactly one of Pod and Node is set.
type Event struct {
	Revision int64
	Pod      *corev1.Pod
	Node     *corev1.Node
	Deleted  bool // the object is in its state before the deletion
}

// The range contains nodes (minions), pods, and little else, so one watch returns them in order.
const from, to = "/registry/minions/", "/registry/pods0"

// end is a separate key in that range, written to find the end of the history.
const end = "/registry/pods-berth-history"

// Read returns all events after this revision so far, in order.
func Read(ctx context.Context, etcd string, after int64) ([]Event, error) {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	var events []Event
	err := Each(ctx, etcd, after, func(event Event) { events = append(events, event) })
	return events, err
}

// Each calls do with all events after this revision so far, in order. Use it instead of Read if there are too many to
// store.
func Each(ctx context.Context, etcd string, after int64, do func(Event)) error {
	return each(ctx, etcd, from, after, func(e *clientv3.Event) error {
		event, err := decode(e)
		if event != nil {
			do(*event)
		}
		return err
	})
}

// each calls do with all events after this revision so far whose keys are in [first, to).
func each(ctx context.Context, etcd, first string, after int64, do func(*clientv3.Event) error) error {
	client, err := connect(etcd)
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, stop := context.WithCancel(ctx) // ends the watch
	defer stop()
	mark, err := client.Put(ctx, end, "")
	if err != nil {
		return err
	}
	for answer := range client.Watch(ctx, first, clientv3.WithRange(to), clientv3.WithRev(after+1), clientv3.WithPrevKV()) {
		if err := answer.Err(); err != nil {
			return fmt.Errorf("etcd does not tell the past: %w", err)
		}
		for _, e := range answer.Events {
			if e.Kv.ModRevision >= mark.Header.Revision {
				return nil
			}
			if err := do(e); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("etcd did not tell the past in time: %w", ctx.Err())
}

// Now is etcd's revision at this moment.
func Now(ctx context.Context, etcd string) (int64, error) {
	client, err := connect(etcd)
	if err != nil {
		return 0, err
	}
	defer client.Close()
	answer, err := client.Get(ctx, end)
	if err != nil {
		return 0, err
	}
	return answer.Header.Revision, nil
}

func connect(etcd string) (*clientv3.Client, error) {
	return clientv3.New(clientv3.Config{Endpoints: []string{etcd}, DialTimeout: 10 * time.Second})
}

// decode returns nil for objects other than pods and nodes.
func decode(e *clientv3.Event) (*Event, error) {
	key := string(e.Kv.Key)
	if !strings.HasPrefix(key, "/registry/pods/") && !strings.HasPrefix(key, from) {
		return nil, nil
	}
	event := &Event{Revision: e.Kv.ModRevision, Deleted: e.Type == clientv3.EventTypeDelete}
	value := e.Kv
	if event.Deleted {
		value = e.PrevKv
	}
	if value == nil {
		return nil, fmt.Errorf("etcd lost what %s was before revision %d", key, e.Kv.ModRevision)
	}
	obj, err := runtime.Decode(scheme.Codecs.UniversalDeserializer(), value.Value)
	if err != nil {
		return nil, fmt.Errorf("%s at revision %d: %w", key, e.Kv.ModRevision, err)
	}
	switch obj := obj.(type) {
	case *corev1.Pod:
		event.Pod = obj
	case *corev1.Node:
		event.Node = obj
	default:
		return nil, fmt.Errorf("%s at revision %d holds a %T", key, e.Kv.ModRevision, obj)
	}
	return event, nil
}
