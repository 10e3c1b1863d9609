package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"berth.dev/berth/tests/conformance/internal/result"
)

// A kind is what a suggestion changes.
type kind int

const (
	requests kind = iota
	tolerations
	nodeAffinity
	spread
	podAffinity
	ports
	kinds
)

// paths has, for each kind, how the paths of its operations begin or what they contain.
var paths = [kinds][]string{
	requests:     {"/resources/"},
	tolerations:  {"/spec/tolerations"},
	nodeAffinity: {"/spec/nodeSelector", "/spec/affinity/nodeAffinity"},
	spread:       {"/spec/topologySpreadConstraints"},
	podAffinity:  {"/spec/affinity/podAffinity", "/spec/affinity/podAntiAffinity"},
	ports:        {"/hostPort", "/spec/hostNetwork"},
}

// Suggested counts the checked suggestions.
type Suggested struct {
	Pending  int        // pods that wait at the end
	All      int        // suggestions
	Kinds    [kinds]int // suggestions that contain a change of the kind
	Combined int        // suggestions of several kinds, or of several tolerations
	Valid    int        // suggestions for pods that the API server accepts as they are
	Created  int        // of these, for pods that the API server does not complete
	Deletes  int        // suggestions to delete other pods
	Least    int        // lowered requests of which one unit more was tried
}

// Add adds the counts of another Suggested.
func (s *Suggested) Add(o Suggested) {
	s.Pending += o.Pending
	s.All += o.All
	for k := range s.Kinds {
		s.Kinds[k] += o.Kinds[k]
	}
	s.Combined += o.Combined
	s.Valid += o.Valid
	s.Created += o.Created
	s.Least += o.Least
	s.Deletes += o.Deletes
}

func (s Suggested) String() string {
	return fmt.Sprintf("pending=%d checked=%d requests=%d tolerations=%d node-affinity=%d spread=%d pod-affinity=%d host-ports=%d deletes=%d combined=%d valid=%d created=%d least=%d",
		s.Pending, s.All, s.Kinds[requests], s.Kinds[tolerations], s.Kinds[nodeAffinity], s.Kinds[spread], s.Kinds[podAffinity], s.Kinds[ports],
		s.Deletes, s.Combined, s.Valid, s.Created, s.Least)
}

func (s *Suggested) count(one *result.Suggestion) {
	s.All++
	if len(one.Deletes) != 0 {
		s.Deletes++
	}
	found := kindsOf(one)
	for _, k := range found {
		s.Kinds[k]++
	}
	tolerated := 0
	for _, op := range one.Patch {
		if strings.HasPrefix(op.Path, paths[tolerations][0]) {
			tolerated++
		}
	}
	if len(found) > 1 || tolerated > 1 {
		s.Combined++
	}
}

func kindsOf(one *result.Suggestion) []kind {
	var found []kind
	for k := range kinds {
		if slices.ContainsFunc(one.Patch, func(op result.Operation) bool {
			return slices.ContainsFunc(paths[k], func(part string) bool { return strings.Contains(op.Path, part) })
		}) {
			found = append(found, k)
		}
	}
	return found
}

// requestOf returns the name of the resource whose request the path names, "" if it names none.
func requestOf(path string) v1.ResourceName {
	_, name, found := strings.Cut(path, "/resources/requests/")
	if !found {
		return ""
	}
	return v1.ResourceName(strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~"))
}

// wholeRequests returns whether all of the pod's requests for the resource are whole in the unit of the scheduler, so
// that their sum is not rounded.
func wholeRequests(pod *v1.Pod, name v1.ResourceName) bool {
	whole := true
	look := func(list v1.ResourceList) {
		q := list[name]
		rounded := resource.NewQuantity(q.Value(), q.Format)
		if name == v1.ResourceCPU {
			rounded = resource.NewMilliQuantity(q.MilliValue(), q.Format)
		}
		whole = whole && q.Cmp(*rounded) == 0
	}
	look(pod.Spec.Overhead)
	for _, c := range slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers) {
		look(c.Resources.Requests)
	}
	return whole
}

// raised adds one unit of the scheduler to a quantity in JSON.
func raised(name v1.ResourceName, value json.RawMessage) json.RawMessage {
	var q resource.Quantity
	if err := json.Unmarshal(value, &q); err != nil {
		return value
	}
	unit := "1"
	if name == v1.ResourceCPU {
		unit = "1m"
	}
	q.Add(resource.MustParse(unit))
	text, err := json.Marshal(&q)
	if err != nil {
		return value
	}
	return text
}
