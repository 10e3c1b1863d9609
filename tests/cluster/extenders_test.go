package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
)

// extender is an HTTP extender with its own state: the nodes that it accepts, their scores, and the nodes on which pods
// may be preempted. It binds through the API server, as an extender must.
type extender struct {
	w   *world
	url string

	mu     sync.Mutex
	closed map[string]string // node -> why not
	scores map[string]int64
	spare  string   // a node on which no pod may be preempted
	asked  []string // "filter p", "bind p", once each
}

func (w *world) extender() *extender {
	w.t.Helper()
	e := &extender{w: w, closed: map[string]string{}, scores: map[string]int64{}}
	server := httptest.NewServer(e)
	w.t.Cleanup(server.Close)
	e.url = server.URL
	return e
}

// config is the extender's configuration with all its verbs. A scheduler gives an extender 5 s by default, which a busy
// machine can take.
func (e *extender) config(more string) string {
	return fmt.Sprintf("extenders: [{urlPrefix: %q, filterVerb: filter, prioritizeVerb: prioritize, weight: 10, bindVerb: bind, "+
		"preemptVerb: preempt, httpTimeout: 30s%s}]", e.url+"/", more)
}

// thinks changes the extender's answers.
func (e *extender) thinks(change func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change()
}

func (e *extender) wasAsked(what string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Contains(e.asked, what)
}

func (e *extender) note(verb, pod string) {
	e.asked = append(e.asked, verb+" "+pod)
}

func (e *extender) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	verb := strings.TrimPrefix(r.URL.Path, "/")
	var out any
	var err error
	switch verb {
	case "filter", "prioritize":
		var args extenderv1.ExtenderArgs
		if err = json.NewDecoder(r.Body).Decode(&args); err == nil {
			out, err = e.judge(verb, &args)
		}
	case "bind":
		var args extenderv1.ExtenderBindingArgs
		if err = json.NewDecoder(r.Body).Decode(&args); err == nil {
			out, err = e.bind(&args)
		}
	case "preempt":
		var args extenderv1.ExtenderPreemptionArgs
		if err = json.NewDecoder(r.Body).Decode(&args); err == nil {
			out, err = e.preempt(&args)
		}
	}
	if err != nil {
		e.w.t.Errorf("the extender was asked to %s and cannot: %v", verb, err)
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(out)
}

func (e *extender) judge(verb string, args *extenderv1.ExtenderArgs) (any, error) {
	if args.Pod == nil || args.Pod.Namespace != e.w.ns || args.Pod.UID == "" || len(args.Pod.Spec.Containers) != 1 {
		return nil, fmt.Errorf("the pod is %+v", args.Pod)
	}
	if (args.Nodes == nil) == (args.NodeNames == nil) {
		return nil, fmt.Errorf("nodes %v, names %v", args.Nodes, args.NodeNames)
	}
	e.note(verb, args.Pod.Name)
	var names []string
	if args.NodeNames != nil {
		names = *args.NodeNames
	} else {
		for _, n := range args.Nodes.Items {
			if n.UID == "" || n.Status.Allocatable.Cpu().IsZero() {
				return nil, fmt.Errorf("node %s is not whole: %+v", n.Name, n)
			}
			names = append(names, n.Name)
		}
	}
	if verb == "prioritize" {
		list := extenderv1.HostPriorityList{}
		for _, name := range names {
			list = append(list, extenderv1.HostPriority{Host: name, Score: e.scores[name]})
		}
		return list, nil
	}
	out := &extenderv1.ExtenderFilterResult{FailedNodes: extenderv1.FailedNodesMap{}}
	for _, name := range names {
		if why, closed := e.closed[name]; closed {
			out.FailedNodes[name] = why
		}
	}
	if args.NodeNames != nil {
		left := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return out.FailedNodes[name] != "" })
		out.NodeNames = &left
		return out, nil
	}
	out.Nodes = &corev1.NodeList{Items: slices.DeleteFunc(args.Nodes.Items, func(n corev1.Node) bool { return out.FailedNodes[n.Name] != "" })}
	return out, nil
}

func (e *extender) bind(args *extenderv1.ExtenderBindingArgs) (any, error) {
	e.note("bind", args.PodName)
	err := e.w.client.CoreV1().Pods(args.PodNamespace).Bind(e.w.ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Namespace: args.PodNamespace, Name: args.PodName, UID: args.PodUID},
		Target:     corev1.ObjectReference{Kind: "Node", Name: args.Node},
	}, metav1.CreateOptions{})
	return &extenderv1.ExtenderBindingResult{}, err
}

func (e *extender) preempt(args *extenderv1.ExtenderPreemptionArgs) (any, error) {
	e.note("preempt", args.Pod.Name)
	left := map[string]*extenderv1.MetaVictims{}
	for node, victims := range args.NodeNameToVictims {
		meta := &extenderv1.MetaVictims{NumPDBViolations: victims.NumPDBViolations}
		for _, v := range victims.Pods {
			if v.Spec.NodeName != node || v.Namespace != e.w.ns {
				return nil, fmt.Errorf("victim %s of node %s is %+v", v.Name, node, v.Spec)
			}
			meta.Pods = append(meta.Pods, &extenderv1.MetaPod{UID: string(v.UID)})
		}
		left[node] = meta
	}
	for node, victims := range args.NodeNameToMetaVictims {
		left[node] = victims
	}
	delete(left, e.spare)
	return &extenderv1.ExtenderPreemptionResult{NodeNameToMetaVictims: left}, nil
}

// eachWay runs a scene with an extender that receives whole nodes and victims, and with one that caches nodes.
func eachWay(t *testing.T, scene func(w *world, more string) []string) {
	for name, more := range map[string]string{"whole": "", "names": ", nodeCacheCapable: true"} {
		t.Run(name, func(t *testing.T) {
			asKubeScheduler(t, time.Minute, func(w *world) []string { return scene(w, more) })
		})
	}
}

// The extender rejects, scores, and binds pods that the plugins accept.
func TestAnExtenderDecides(t *testing.T) {
	eachWay(t, func(w *world, more string) []string {
		e := w.extender()
		w.node("a")
		w.node("b")
		w.node("c")
		e.closed["a"] = "a is closed"
		e.scores["b"], e.scores["c"] = 2, 7
		w.start(w.profile(e.config(more)))
		first := w.pod("first")
		if node := w.bound("first", 10*time.Second).Spec.NodeName; node != "c" {
			w.t.Errorf("the pod is on node %s", node)
		}
		w.event(first, "Scheduled")
		for _, verb := range []string{"filter", "prioritize", "bind"} {
			if !e.wasAsked(verb + " first") {
				w.t.Errorf("the extender was not asked to %s", verb)
			}
		}
		e.thinks(func() { e.closed["b"], e.closed["c"] = "too loud", "too loud" })
		w.pod("second")
		w.refused("second", "0/3 nodes are available: 1 a is closed, 2 too loud."+noClaims+
			" preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.")
		// Any event may change the extender's answer.
		e.thinks(func() { delete(e.closed, "b") })
		_, err := w.client.CoreV1().Nodes().Patch(w.ctx, "a", types.MergePatchType, []byte(`{"metadata":{"labels":{"x":"y"}}}`), metav1.PatchOptions{})
		w.must(err)
		if node := w.bound("second", 15*time.Second).Spec.NodeName; node != "b" {
			w.t.Errorf("the pod is on node %s", node)
		}
		return w.story("first", "second")
	})
}

// The extender spares one victim, and the other one is deleted.
func TestAnExtenderSparesANode(t *testing.T) {
	eachWay(t, func(w *world, more string) []string {
		w.twoVictims(ends("1s"))
		e := w.extender()
		e.spare = "a"
		w.start(w.profile(e.config(more)))
		w.pod("high", cpu("1"), class("high"))
		if node := w.bound("high", 15*time.Second).Spec.NodeName; node != "b" {
			w.t.Errorf("the preemptor is on node %s", node)
		}
		w.gone("middle", time.Second)
		if !e.wasAsked("preempt high") || !e.wasAsked("bind high") {
			w.t.Errorf("the extender was asked %q", e.asked)
		}
		return w.story("low", "middle", "high")
	})
}

// An unreachable extender that may be ignored has no effect.
func TestAnAbsentExtenderIsIgnored(t *testing.T) {
	asKubeScheduler(t, time.Minute, func(w *world) []string {
		w.node("a")
		w.start(w.profile("extenders: [{urlPrefix: 'http://127.0.0.1:1', filterVerb: filter, ignorable: true}]"))
		pod := w.pod("lucky")
		w.bound("lucky", 10*time.Second)
		w.event(pod, "Scheduled")
		return w.story("lucky")
	})
}

// An unreachable extender that may not be ignored fails every pod.
func TestAnAbsentExtenderFailsPods(t *testing.T) {
	asKubeScheduler(t, time.Minute, func(w *world) []string {
		w.node("a")
		w.start(w.profile("extenders: [{urlPrefix: 'http://127.0.0.1:1', filterVerb: filter}]"))
		pod := w.pod("unlucky")
		want := `Post "http://127.0.0.1:1/filter": dial tcp 127.0.0.1:1: connect: connection refused`
		// cpprestsdk does not distinguish the two.
		exactly := func(text string) string { return strings.ReplaceAll(text, " (or no route to host)", "") }
		if e := w.event(pod, "FailedScheduling"); exactly(e.Note) != want {
			w.t.Errorf("the event says\n%q, want\n%q", e.Note, want)
		}
		w.eventually(10*time.Second, func() error {
			pod, err := w.get("unlucky")
			if c := condition(pod, corev1.PodScheduled); err == nil && (c.Reason != "SchedulerError" || exactly(c.Message) != want) {
				err = fmt.Errorf("the condition is %+v", *c)
			}
			return err
		})
		told := w.story("unlucky")
		for i := range told {
			told[i] = exactly(told[i])
		}
		return told
	})
}
