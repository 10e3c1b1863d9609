package upstream

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
)

// apiServer is the transport below client-go. It stores a scheduler's writes (bindings, status patches, and deletions
// of victims) for the judge, which then delivers them through the informers.
type apiServer struct {
	mu      sync.Mutex
	patches map[string][]byte // "namespace/name" of the pod -> strategic merge patch of its status
	binding map[string][]byte // "namespace/name" of the pod -> Binding
	deleted []string          // "namespace/name" of pods, in the order of the requests
}

func newAPIServer() *apiServer {
	return &apiServer{patches: map[string][]byte{}, binding: map[string][]byte{}}
}

// RoundTrip answers POST .../pods/NAME/binding, PATCH .../pods/NAME/status, and DELETE .../pods/NAME. Any other request
// is an error.
func (a *apiServer) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		_ = req.Body.Close()
	}
	// /api/v1/namespaces/NS/pods/NAME[/VERB]
	parts := strings.Split(strings.TrimPrefix(req.URL.Path, "/"), "/")
	if len(parts) == 6 {
		parts = append(parts, "")
	}
	if len(parts) != 7 || parts[4] != "pods" {
		return nil, fmt.Errorf("unexpected request %s %s", req.Method, req.URL.Path)
	}
	key := parts[3] + "/" + parts[5]
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case req.Method == http.MethodPost && parts[6] == "binding":
		a.binding[key] = body
	case req.Method == http.MethodPatch && parts[6] == "status":
		a.patches[key] = body
	case req.Method == http.MethodDelete && parts[6] == "":
		a.deleted = append(a.deleted, key)
	default:
		return nil, fmt.Errorf("unexpected request %s %s", req.Method, req.URL.Path)
	}
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": []string{"application/json"}},
		Body:       io.NopCloser(bytes.NewReader([]byte(`{"kind":"Pod","apiVersion":"v1"}`))),
		Request:    req,
	}, nil
}

// takePatch removes and returns the status patch written for a pod, nil if there was none.
func (a *apiServer) takePatch(key string) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.patches[key]
	delete(a.patches, key)
	return p
}

// patched lists the pods with a status patch that was not taken yet, by key.
func (a *apiServer) patched() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Sorted(maps.Keys(a.patches))
}

// takeBinding removes and returns the Binding written for a pod, nil if there was none.
func (a *apiServer) takeBinding(key string) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.binding[key]
	delete(a.binding, key)
	return b
}

// takeDeleted returns the pods that were deleted since the last call.
func (a *apiServer) takeDeleted() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	deleted := a.deleted
	a.deleted = nil
	return deleted
}

// client is a real clientset over the fake transport, without client-side rate limits.
func (a *apiServer) client() (kubernetes.Interface, error) {
	return kubernetes.NewForConfig(&rest.Config{Host: "http://127.0.0.1:1", Transport: a, QPS: -1})
}

// recorder signals the Scheduled event, the last visible action of a binding cycle.
type recorder struct {
	bound chan string
}

var _ events.EventRecorderLogger = &recorder{}

func (r *recorder) Eventf(regarding, _ runtime.Object, _, reason, _, note string, args ...interface{}) {
	if reason == "Scheduled" {
		r.bound <- fmt.Sprintf(note, args...)
	}
}

func (r *recorder) WithLogger(klog.Logger) events.EventRecorderLogger { return r }
