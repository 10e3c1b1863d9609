// Package extender is an HTTP extender for both sides of a comparison. It is stateless: its answers depend only on its
// path and on the content of the request, not on its formatting.
package extender

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	v1 "k8s.io/api/core/v1"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
)

// Manner contains the frequencies, in percent, of an extender's behaviors. It is part of the extender's URL.
type Manner struct {
	Seed         uint64
	Refuse       int // a node fails
	Unresolvable int // ... for good
	Drop         int // a node is left out without a reason
	Twice        int // a refused node is in both lists of failures
	Beyond       int // an answer names a node that was not in the request
	Fail         int // a pod gets errors instead of answers
}

// Path is the first part of the extender's URL's path.
func (m Manner) Path() string {
	return fmt.Sprintf("%d.%d.%d.%d.%d.%d.%d", m.Seed, m.Refuse, m.Unresolvable, m.Drop, m.Twice, m.Beyond, m.Fail)
}

func parse(path string) (m Manner, verb string, err error) {
	text, verb, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	numbers := strings.Split(text, ".")
	into := []*int{&m.Refuse, &m.Unresolvable, &m.Drop, &m.Twice, &m.Beyond, &m.Fail}
	if len(numbers) != len(into)+1 {
		return m, "", fmt.Errorf("%q is no manner", text)
	}
	if m.Seed, err = strconv.ParseUint(numbers[0], 10, 64); err != nil {
		return m, "", err
	}
	for i, number := range numbers[1:] {
		if *into[i], err = strconv.Atoi(number); err != nil {
			return m, "", err
		}
	}
	return m, verb, nil
}

// Here is the address at which this process serves extenders.
var Here = sync.OnceValue(func() string {
	at, err := serve("127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return at
})

// serve listens on a loopback address until the process ends, and returns the address.
func serve(address string) (string, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return "", err
	}
	go func() { _ = http.Serve(listener, http.HandlerFunc(answer)) }()
	return "http://" + listener.Addr().String(), nil
}

// ServeFor listens on the addresses of the configuration's extenders.
func ServeFor(cfg *config.KubeSchedulerConfiguration) error {
	serving := map[string]bool{}
	for i := range cfg.Extenders {
		at, err := url.Parse(cfg.Extenders[i].URLPrefix)
		if err != nil {
			return err
		}
		if serving[at.Host] {
			continue
		}
		serving[at.Host] = true
		if _, err := serve(at.Host); err != nil {
			return fmt.Errorf("an extender of the case cannot be served: %w", err)
		}
	}
	return nil
}

func answer(w http.ResponseWriter, r *http.Request) {
	m, verb, err := parse(r.URL.Path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	var out any
	switch verb {
	case "filter", "prioritize":
		var args extenderv1.ExtenderArgs
		if err = decode(r.Body, &args); err == nil {
			out, err = m.judge(verb, &args)
		}
	case "bind":
		var args extenderv1.ExtenderBindingArgs
		if err = decode(r.Body, &args); err == nil {
			out, err = m.bind(&args)
		}
	case "preempt":
		var args extenderv1.ExtenderPreemptionArgs
		if err = decode(r.Body, &args); err == nil {
			out, err = m.preempt(&args)
		}
	default:
		err = fmt.Errorf("there is no verb %q", verb)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

// decode reads a request twice: as it is, and as Go writes it. The canonical text of a quantity depends on the text that
// it was read from ("0.9765625Ki" becomes "1000", and "1000" becomes "1k"), and Berth sends the text of
// the manifest where kube-scheduler sends a canonical one. To an extender both mean the same.
func decode[T any](body io.Reader, args *T) error {
	var sent T
	if err := json.NewDecoder(body).Decode(&sent); err != nil {
		return err
	}
	text, err := json.Marshal(&sent)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, args)
}

// seen is the part of a pod that an extender's answers depend on: everything that a scheduler does not set.
func seen(pod *v1.Pod) string {
	if pod == nil {
		return "nobody"
	}
	return text(pod.Namespace, pod.Name, pod.UID, pod.Labels, pod.Annotations, pod.Spec, pod.Status.NominatedNodeName, pod.Status.Phase)
}

func text(parts ...any) string {
	data, err := json.Marshal(parts)
	if err != nil {
		panic(err)
	}
	return string(data)
}
