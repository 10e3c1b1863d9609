package bench

import (
	"fmt"
	"math/rand/v2"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
)

// Policy is a kind of cluster whose pods use one part of the default profile.
type Policy struct {
	Name string
	Doc  string
	// Target is in decisions per second over 5,000 nodes; of a preempting policy, in multiples of the pods that
	// kube-scheduler preempts per second. 0: none.
	Target float64
	// Growth: the policy is measured with other sizes too.
	Growth bool
	// Suite: the policy uses plugins that kube-scheduler does not have, so it is measured without kube-scheduler.
	Suite bool
	// First is how many pods the shorter of the two runs, whose time is subtracted, schedules. 0: one.
	First int

	profile func() map[string]any // plugins and pluginConfig; nil: the default profile
	node    func(m *maker, i int) *v1.Node
	shape   func(m *maker, p *v1.Pod, i int) // changes the i-th pod for this policy; nil: a plain pod
	// Bound pods are plain pods of the app "old"; with alike they have the shape and the app of the pending pods.
	alike  string
	extras func(m *maker) []k8sruntime.Object
	// perNode: this number of low-priority pods fills each node, and pending pods must preempt them. 0: no preemption.
	perNode int
}

// firstPods is how many pods the shorter run schedules.
func (p *Policy) firstPods() int { return max(1, p.First) }

// Preempts returns whether pods fit only after they preempt others.
func (p *Policy) Preempts() bool { return p.perNode != 0 }

// Policies lists all, in the order in which they are measured.
func Policies() []Policy {
	return []Policy{
		{Name: "plain", Doc: "equal pods", Target: 15000, Growth: true},
		{Name: "owned", Doc: "pods of a ReplicaSet behind a Service", Target: 5000, shape: owned(1), extras: owners(1)},
		{Name: "requests", Doc: "requests differ from pod to pod", Target: 10000, shape: anyRequests},
		{Name: "hetero", Doc: "requests, labels, tolerations and node affinity differ, nodes too", Target: 10000, shape: heterogeneous, node: mixedNode},
		{Name: "zone-spread", Doc: "maxSkew 5 over zones", Target: 3000, Growth: true, shape: zoneSpread},
		{Name: "host-anti", Doc: "required anti-affinity to one's own app, by hostname", Target: 3000, Growth: true, shape: hostAnti},
		{Name: "zone-affinity", Doc: "required affinity to one's own app, by zone", Target: 3000, shape: zoneAffinity},
		{Name: "preferred-anti", Doc: "preferred anti-affinity to one's own app, by hostname", Target: 3000, shape: preferredAnti},
		{Name: "owned-20", Doc: "20 ReplicaSets behind 20 Services, their pods in turn; bound pods alike", Target: 5000, shape: owned(20), extras: owners(20), alike: "web"},
		{Name: "zone-spread-alike", Doc: "bound pods are of the same app and spread too", Target: 3000, shape: zoneSpread, alike: "web"},
		{Name: "host-anti-alike", Doc: "bound pods, of another app, have such an anti-affinity too", Target: 3000, shape: hostAnti, alike: "old"},
		{Name: "zone-affinity-alike", Doc: "bound pods are of the same app and have the affinity too", Target: 3000, shape: zoneAffinity, alike: "web"},
		{Name: "preferred-anti-alike", Doc: "bound pods are of the same app and have the preference too", Target: 3000, shape: preferredAnti, alike: "web"},
		{Name: "preempt-10", Doc: "10 pods of low priority fill each node, 1 CPU is wanted: 3 victims each", Target: 20, perNode: 10},
		{Name: "preempt-30", Doc: "30 pods of low priority fill each node, 1 CPU is wanted: 8 victims each", Target: 20, perNode: 30},
	}
}

// policyOf returns the policy with this name, or an error if there is none.
func policyOf(name string) (Policy, error) {
	for _, p := range Policies() {
		if p.Name == name {
			return p, nil
		}
	}
	return Policy{}, fmt.Errorf("no policy is called %s", name)
}

// Size is the size of a cluster.
type Size struct {
	Nodes   int
	Bound   int // pods on nodes, in turn; preempting policies have their own number
	Pending int
	Few     int // the part of them that kube-scheduler schedules
}

// maker creates one cluster, which depends only on policy, size and seed.
type maker struct {
	*rand.Rand
	policy *Policy
	size   Size
	serial int
}

// cluster is the result of maker.
type cluster struct {
	standing []k8sruntime.Object // nodes, bound pods and the rest
	pending  []k8sruntime.Object
}

func (p *Policy) cluster(size Size, seed uint64) cluster {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, uint64(size.Nodes))), policy: p, size: size, serial: size.Nodes}
	var c cluster
	c.standing = append(c.standing, m.namespace("default"))
	if p.extras != nil {
		c.standing = append(c.standing, p.extras(m)...)
	}
	for i := range size.Nodes {
		c.standing = append(c.standing, m.node(i))
	}
	if p.Preempts() {
		c.standing = append(c.standing, asObjects(m.victims())...)
	} else {
		c.standing = append(c.standing, asObjects(m.bound())...)
	}
	for i := range size.Pending {
		if p.Preempts() {
			c.pending = append(c.pending, m.preemptor(i))
		} else {
			c.pending = append(c.pending, m.pending(i))
		}
	}
	return c
}

func (m *maker) namespace(name string) *v1.Namespace {
	return &v1.Namespace{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"}, ObjectMeta: m.meta("", name)}
}

func (m *maker) meta(namespace, name string) metav1.ObjectMeta {
	m.serial++
	return meta(namespace, name, m.serial)
}

func (m *maker) node(i int) *v1.Node {
	switch {
	case m.policy.Preempts():
		return newNode(i, victimCPU/1000, 64, i%3)
	case m.policy.node != nil:
		return m.policy.node(m, i)
	}
	return newNode(i, 32, 64, i%3)
}

func (m *maker) bound() []*v1.Pod {
	var pods []*v1.Pod
	for i := range m.size.Bound {
		p := m.newPod(fmt.Sprintf("bound-%06d", i), "old")
		if m.policy.alike != "" {
			p.Labels["app"] = m.policy.alike
			m.policy.shape(m, p, i)
		}
		m.bind(p, i%m.size.Nodes)
		pods = append(pods, p)
	}
	return pods
}

func (m *maker) pending(i int) *v1.Pod {
	p := m.newPod(fmt.Sprintf("pod-%06d", i), "web")
	if m.policy.shape != nil {
		m.policy.shape(m, p, i)
	}
	return p
}

func (m *maker) newPod(name, app string) *v1.Pod {
	m.serial++
	p := newPod(name, m.serial)
	p.Labels = map[string]string{"app": app}
	request(p, 100, 128)
	return p
}

func (m *maker) bind(p *v1.Pod, node int) {
	started := metav1.Unix(p.CreationTimestamp.Unix(), 0)
	p.Spec.NodeName = nodeName(node)
	p.Status = v1.PodStatus{Phase: v1.PodRunning, StartTime: &started}
}
