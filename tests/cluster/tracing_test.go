package cluster

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"berth.dev/berth/tests/cluster/internal/daemon"
)

// otlpSpan is a span as OTLP's JSON has it.
type otlpSpan struct {
	TraceID           string `json:"traceId"`
	SpanID            string `json:"spanId"`
	ParentSpanID      string `json:"parentSpanId"`
	Name              string `json:"name"`
	Kind              int    `json:"kind"`
	StartTimeUnixNano uint64 `json:"startTimeUnixNano,string"`
	EndTimeUnixNano   uint64 `json:"endTimeUnixNano,string"`
	Attributes        []struct {
		Key   string `json:"key"`
		Value struct {
			StringValue string `json:"stringValue"`
			IntValue    string `json:"intValue"`
		} `json:"value"`
	} `json:"attributes"`
}

func (s otlpSpan) attribute(key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.StringValue + a.Value.IntValue
		}
	}
	return ""
}

// collector is an OTLP collector that keeps all spans.
type collector struct {
	*httptest.Server
	mutex sync.Mutex
	spans []otlpSpan
	wrong []string // requests that are not OTLP
}

func newCollector(t *testing.T) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(c.serve))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) serve(w http.ResponseWriter, r *http.Request) {
	var body struct {
		ResourceSpans []struct {
			ScopeSpans []struct {
				Spans []otlpSpan `json:"spans"`
			} `json:"scopeSpans"`
		} `json:"resourceSpans"`
	}
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if r.Method != http.MethodPost || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/json" || err != nil {
		c.wrong = append(c.wrong, fmt.Sprintf("%s %s: %v", r.Method, r.URL, err))
	}
	for _, resource := range body.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, "{}")
}

// attempt returns the root of the pod's bound attempt and the spans below it, by name.
func (c *collector) attempt(pod string) (otlpSpan, map[string]otlpSpan, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, root := range c.spans {
		if root.ParentSpanID != "" || root.attribute("k8s.pod.name") != pod || root.attribute("berth.result") != "scheduled" {
			continue
		}
		below := map[string]otlpSpan{}
		for _, span := range c.spans {
			if span.TraceID == root.TraceID && span.SpanID != root.SpanID {
				below[span.Name] = span
			}
		}
		return root, below, nil
	}
	return otlpSpan{}, nil, fmt.Errorf("%d spans, and no root of pod %s", len(c.spans), pod)
}

const bindingSpan = "POST /api/v1/namespaces/{namespace}/pods/{name}/binding"

// TestABoundPodLeavesASpanForEachStep checks the spans of one attempt at a collector.
func TestABoundPodLeavesASpanForEachStep(t *testing.T) {
	onlyBerth(t, "tracing")
	w := newWorld(t, time.Minute)
	c := newCollector(t)
	w.nodes("node", 2)
	w.start(w.profile(), func(o *daemon.Options) {
		o.Config += "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n" +
			"tracing: {endpoint: '" + c.URL + "', samplingRatePerMillion: 1000000}\n"
	})
	w.pod("pod")
	pod := w.bound("pod", 10*time.Second)
	var root otlpSpan
	var below map[string]otlpSpan
	w.eventually(30*time.Second, func() error { // a batch waits five seconds
		var err error
		if root, below, err = c.attempt("pod"); err != nil {
			return err
		}
		if _, found := below[bindingSpan]; !found {
			return fmt.Errorf("the span of the binding is missing: %v", below)
		}
		return nil
	})
	for key, want := range map[string]string{
		"k8s.namespace.name": w.ns, "k8s.pod.uid": string(pod.UID), "k8s.node.name": pod.Spec.NodeName, "berth.profile": w.ns,
	} {
		if have := root.attribute(key); have != want {
			t.Errorf("%s of the root is %q, want %q", key, have, want)
		}
	}
	for _, name := range []string{"PreFilter", "Filter", "PreScore", "Score", "Reserve", "PreBindPreFlight", "PreBind", "Bind"} {
		span, found := below[name]
		if !found {
			t.Errorf("no span %s", name)
			continue
		}
		if span.ParentSpanID != root.SpanID {
			t.Errorf("span %s is below %s, want the root %s", name, span.ParentSpanID, root.SpanID)
		}
		if span.StartTimeUnixNano < root.StartTimeUnixNano || span.EndTimeUnixNano > root.EndTimeUnixNano {
			t.Errorf("span %s is not within the root", name)
		}
	}
	binding := below[bindingSpan]
	if binding.ParentSpanID != below["Bind"].SpanID || binding.attribute("http.response.status_code") != "201" || binding.Kind != 3 {
		t.Errorf("the span of the binding is %+v, the one of Bind %+v", binding, below["Bind"])
	}
	if len(c.wrong) > 0 {
		t.Errorf("not OTLP: %v", c.wrong)
	}
	w.prove()
}
