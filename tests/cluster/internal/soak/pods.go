package soak

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/fakelet"
	"berth.dev/berth/tests/cluster/internal/load"
)

// Kinds of pods, as their names begin.
const (
	plain = "plain" // may go anywhere: where it goes shows who decided
	tight = "tight" // fits only on small nodes, which are full most of the time
	guest = "guest" // is of the profile that comes and goes
)

// Most pods of these kinds that may wait at a time; more are not made until some are bound.
var mostWaiting = map[string]int{tight: 40, guest: 16}

const (
	pool       = "pool" // label and taint of the small nodes
	tightNodes = 10     // of two pods each
)

// makeNodes makes the nodes and returns each one's class: what it is labelled with.
func makeNodes(ctx context.Context, o Options) (map[string]string, error) {
	classes := map[string]string{}
	specs := make([]fakelet.NodeSpec, o.Nodes)
	for i := range specs {
		spec := fakelet.NodeSpec{Name: load.NodeName(i), CPU: "32", Memory: "128Gi"}
		class := i % (versions + 1)
		switch {
		case i < tightNodes:
			spec.CPU, spec.Labels = "1", map[string]string{pool: tight}
			spec.Taints = []corev1.Taint{{Key: pool, Value: tight, Effect: corev1.TaintEffectNoSchedule}}
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

// stream makes pods until it is finished, and deletes each when it has been on its node for its lifetime.
type stream struct {
	o       Options
	stop    context.CancelFunc
	ended   chan struct{}
	mu      sync.Mutex
	created map[string]time.Time // when each was on its way to the API server
	waiting map[string]int       // for a node, by kind
	bound   int
	failed  []string // what the API server refused
}

func startPods(ctx context.Context, o Options) (*stream, error) {
	bindings, err := load.Bindings(ctx, o.Plane.Client)
	if err != nil {
		return nil, err
	}
	making, stop := context.WithCancel(ctx)
	p := &stream{o: o, stop: stop, ended: make(chan struct{}), created: map[string]time.Time{}, waiting: map[string]int{}}
	go p.end(ctx, bindings)
	go p.make(making)
	return p, nil
}

func (p *stream) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.created)
}

func (p *stream) make(ctx context.Context) {
	defer close(p.ended)
	var all sync.WaitGroup
	defer all.Wait()
	room := make(chan struct{}, 32) // so many are on their way at most
	tick := time.NewTicker(time.Second / time.Duration(p.o.Rate))
	defer tick.Stop()
	kinds := [10]string{plain, plain, plain, tight, plain, plain, plain, guest, plain, plain}
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		kind := kinds[i%len(kinds)]
		if !p.wanted(kind) {
			continue
		}
		room <- struct{}{}
		pod := p.pod(kind, i)
		p.mu.Lock()
		p.created[pod.Name] = time.Now()
		p.waiting[kind]++
		p.mu.Unlock()
		all.Go(func() {
			defer func() { <-room }()
			// One that was begun is ended: what has been created has to be known.
			if _, err := p.o.Plane.Client.CoreV1().Pods(p.o.Namespace).Create(context.WithoutCancel(ctx), pod, metav1.CreateOptions{}); err != nil {
				p.refused(err)
			}
		})
	}
}

func (p *stream) wanted(kind string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	most, limited := mostWaiting[kind]
	return !limited || p.waiting[kind] < most
}

func (p *stream) refused(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed = append(p.failed, err.Error())
}

func (p *stream) pod(kind string, i int) *corev1.Pod {
	pod := load.Pod(fmt.Sprintf("%s-%06d", kind, i))
	pod.Namespace, pod.Spec.SchedulerName = p.o.Namespace, p.o.Namespace
	switch kind {
	case guest:
		pod.Spec.SchedulerName = guestOf(p.o.Namespace)
	case tight:
		pod.Spec.NodeSelector = map[string]string{pool: tight}
		pod.Spec.Tolerations = []corev1.Toleration{{Key: pool, Operator: corev1.TolerationOpExists}}
		pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("500m")
	}
	return pod
}

func kindOf(name string) string {
	kind, _, _ := strings.Cut(name, "-")
	return kind
}

// end deletes pods when their time is over. It goes on until ctx ends.
func (p *stream) end(ctx context.Context, bindings <-chan load.Binding) {
	var now int64
	for {
		select {
		case <-ctx.Done():
			return
		case b := <-bindings:
			p.mu.Lock()
			_, ours := p.created[b.Pod]
			if ours {
				p.bound++
				p.waiting[kindOf(b.Pod)]--
			}
			p.mu.Unlock()
			if ours {
				time.AfterFunc(lifetime, func() {
					_ = p.o.Plane.Client.CoreV1().Pods(p.o.Namespace).Delete(ctx, b.Pod, metav1.DeleteOptions{GracePeriodSeconds: &now})
				})
			}
		}
	}
}

// finish makes no more pods and waits until all have nodes. unbound: how many have not.
func (p *stream) finish(ctx context.Context) (created map[string]time.Time, unbound int) {
	p.stop()
	<-p.ended
	until := time.Now().Add(patience)
	for {
		p.mu.Lock()
		unbound = len(p.created) - len(p.failed) - p.bound
		p.mu.Unlock()
		if unbound == 0 || time.Now().After(until) || sleep(ctx, 100*time.Millisecond) != nil {
			return p.created, unbound
		}
	}
}
