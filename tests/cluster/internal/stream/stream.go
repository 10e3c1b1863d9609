// Package stream creates pods at a steady rate, like a busy cluster: each pod is deleted after its lifetime on its
// node.
package stream

import (
	"context"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"berth.dev/berth/tests/cluster/internal/load"
)

// Options describe the pods and their number.
type Options struct {
	Client    kubernetes.Interface
	Namespace string
	Rate      int           // per second
	Lifetime  time.Duration // of a pod on its node
	Kinds     []string      // of the pods, in turn; the start of a pod's name, up to the "-"
	// The largest number of pending pods of a kind; while there are as many, its turns are skipped. No limit for others.
	MostWaiting map[string]int
	Pod         func(kind string, i int) *corev1.Pod // pod i; in Namespace, with a name that starts with kind and "-"
	// The bindings of the pods, for a stream that continues while the API server is down: it repeats each request until
	// the API server has answered it. nil: those that an informer sees; a request that fails is not repeated.
	Bindings <-chan load.Binding
}

// Stream creates pods until it is finished. Any goroutine may call its methods.
type Stream struct {
	o       Options
	stop    context.CancelFunc
	ended   chan struct{}
	mu      sync.Mutex
	created map[string]time.Time // when each was on its way to the API server
	waiting map[string]int       // for a node, by kind
	bound   int
	last    time.Time     // when the last binding was seen, or Pause was called
	pause   time.Duration // the longest between two of those since then
	failed  []string      // what the API server refused
}

// Start creates pods from now on. They are deleted until ctx ends.
func Start(ctx context.Context, o Options) (*Stream, error) {
	bindings := o.Bindings
	if bindings == nil {
		var err error
		if bindings, err = load.Bindings(ctx, o.Client); err != nil {
			return nil, err
		}
	}
	making, stop := context.WithCancel(ctx)
	s := &Stream{o: o, stop: stop, ended: make(chan struct{}), created: map[string]time.Time{}, waiting: map[string]int{}, last: time.Now()}
	go s.end(ctx, bindings)
	go s.make(making)
	return s, nil
}

// Count returns how many pods were created so far.
func (s *Stream) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.created)
}

// Waiting returns how many pods have no node yet.
func (s *Stream) Waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.created) - len(s.failed) - s.bound
}

// Bound is the number of pods that were seen to get a node.
func (s *Stream) Bound() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bound
}

// Pause is the longest time without a binding since the last call, or since the stream began. The time since the last
// binding counts.
func (s *Stream) Pause() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	longest := max(s.pause, now.Sub(s.last))
	s.last, s.pause = now, 0
	return longest
}

func (s *Stream) make(ctx context.Context) {
	defer close(s.ended)
	var all sync.WaitGroup
	defer all.Wait()
	room := make(chan struct{}, 32) // the largest number of concurrent requests
	tick := time.NewTicker(time.Second / time.Duration(s.o.Rate))
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		kind := s.o.Kinds[i%len(s.o.Kinds)]
		if !s.wanted(kind) {
			continue
		}
		room <- struct{}{}
		pod := s.o.Pod(kind, i)
		s.mu.Lock()
		s.created[pod.Name] = time.Now()
		s.waiting[kind]++
		s.mu.Unlock()
		all.Go(func() {
			defer func() { <-room }()
			// Completes a started request, because all created pods must be known.
			if err := s.create(context.WithoutCancel(ctx), pod); err != nil {
				s.refused(err)
			}
		})
	}
}

// create sends the pod once, or repeats it until the API server has the pod.
func (s *Stream) create(ctx context.Context, pod *corev1.Pod) error {
	return s.repeat(func() error {
		_, err := s.o.Client.CoreV1().Pods(s.o.Namespace).Create(ctx, pod, metav1.CreateOptions{})
		if s.persistent() && apierrors.IsAlreadyExists(err) { // the answer to an earlier request was lost
			return nil
		}
		return err
	})
}

func (s *Stream) persistent() bool { return s.o.Bindings != nil }

// The interval between two requests, and their largest number: two minutes in total.
const (
	pauseToRepeat = 200 * time.Millisecond
	mostRepeats   = 600
)

func (s *Stream) repeat(request func() error) error {
	err := request()
	for n := 0; err != nil && s.persistent() && n < mostRepeats; n++ {
		time.Sleep(pauseToRepeat)
		err = request()
	}
	return err
}

func (s *Stream) wanted(kind string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	most, limited := s.o.MostWaiting[kind]
	return !limited || s.waiting[kind] < most
}

func (s *Stream) refused(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = append(s.failed, err.Error())
}

// KindOf is the kind of the pod of this name.
func KindOf(name string) string {
	kind, _, _ := strings.Cut(name, "-")
	return kind
}

// end deletes pods at the end of their lifetime, until ctx ends.
func (s *Stream) end(ctx context.Context, bindings <-chan load.Binding) {
	var now int64
	for {
		select {
		case <-ctx.Done():
			return
		case b := <-bindings:
			if !s.isBound(b) {
				continue
			}
			time.AfterFunc(s.o.Lifetime, func() {
				_ = s.repeat(func() error {
					err := s.o.Client.CoreV1().Pods(s.o.Namespace).Delete(ctx, b.Pod, metav1.DeleteOptions{GracePeriodSeconds: &now})
					if ctx.Err() != nil || apierrors.IsNotFound(err) {
						return nil
					}
					return err
				})
			})
		}
	}
}

// isBound records a binding; false if the pod is not the stream's.
func (s *Stream) isBound(b load.Binding) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ours := s.created[b.Pod]
	if ours {
		s.bound++
		s.waiting[KindOf(b.Pod)]--
		s.pause = max(s.pause, b.Seen.Sub(s.last))
		s.last = b.Seen
	}
	return ours
}

// Made is the result of a finished stream.
type Made struct {
	Created map[string]time.Time // pods, and when each was sent to the API server
	Refused []string             // the API server's errors for pods that it did not create
	Unbound int                  // pods without a node
}

// Finish stops creating pods and waits until all have nodes, at most for patience.
func (s *Stream) Finish(ctx context.Context, patience time.Duration) Made {
	s.stop()
	<-s.ended
	for until := time.Now().Add(patience); s.Waiting() > 0 && time.Now().Before(until) && ctx.Err() == nil; {
		time.Sleep(100 * time.Millisecond)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return Made{Created: s.created, Refused: s.failed, Unbound: len(s.created) - len(s.failed) - s.bound}
}
