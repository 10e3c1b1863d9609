package history

import (
	"context"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"berth.dev/berth/tests/cluster/internal/load"
)

// Bindings is load.Bindings for the pods of one namespace, from etcd: it misses nothing while the API server is down.
// The channel is closed when ctx ends.
func Bindings(ctx context.Context, etcd, namespace string) (<-chan load.Binding, error) {
	client, err := connect(etcd)
	if err != nil {
		return nil, err
	}
	changes := client.Watch(ctx, "/registry/pods/"+namespace+"/", clientv3.WithPrefix(), clientv3.WithCreatedNotify())
	<-changes // the first event of the pod is known
	out := make(chan load.Binding, 100_000)
	go func() {
		defer client.Close()
		defer close(out)
		bound := map[string]bool{} // by key
		for answer := range changes {
			for _, e := range answer.Events {
				if b := binding(e, bound); b != nil {
					out <- *b
				}
			}
		}
	}()
	return out, nil
}

// binding returns the pod's binding, if this event is the first one with a node.
func binding(e *clientv3.Event, bound map[string]bool) *load.Binding {
	if e.Type == clientv3.EventTypeDelete {
		delete(bound, string(e.Kv.Key))
		return nil
	}
	event, err := decode(e)
	if err != nil || event == nil || event.Pod.Spec.NodeName == "" || bound[string(e.Kv.Key)] {
		return nil
	}
	bound[string(e.Kv.Key)] = true
	return &load.Binding{Pod: event.Pod.Name, Seen: time.Now(), Revision: event.Revision}
}
