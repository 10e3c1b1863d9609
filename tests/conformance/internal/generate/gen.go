// Package generate creates clusters for comparing simulators: seeded, with complete objects as an API server returns
// them, and with many values for which two implementations may differ. The same family and seed always give the same
// files.
package generate

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// An aspect is one group of fields a family stresses.
type aspect int

const (
	resources aspect = iota
	taints
	affinity
	images
	ports
	gates
	names // controllers and Services, which default spreading uses
	queue // priorities, several profiles
	spread
	podAffinity
	owners // controllers and Services, which default spreading counts
	preemption
	volumes
	extenders
	stuck // obstacles that a change of the pod removes
	aspects
)

// families gives, for each family, the probability that an object shows each aspect.
var families = map[string][aspects]float64{
	"resources":  {resources: 1, taints: 0.05, affinity: 0.05, names: 0.05, queue: 0.1},
	"taints":     {taints: 1, resources: 0.15, names: 0.2, queue: 0.1},
	"affinity":   {affinity: 1, resources: 0.1, names: 0.15, taints: 0.05, queue: 0.1},
	"images":     {images: 1, resources: 0.1, taints: 0.05, queue: 0.1},
	"ports":      {ports: 1, resources: 0.1, names: 0.1, queue: 0.2},
	"gates":      {gates: 0.5, resources: 0.3, taints: 0.3, ports: 0.2, affinity: 0.3, names: 0.1, queue: 0.5},
	"queue":      {queue: 1, resources: 0.8, gates: 0.15, taints: 0.2, ports: 0.2, affinity: 0.2, names: 0.25},
	"spread":     {spread: 0.8, affinity: 0.2, taints: 0.2, names: 0.1, queue: 0.2, resources: 0.05},
	"affine":     {podAffinity: 0.8, affinity: 0.05, names: 0.1, queue: 0.2, resources: 0.05},
	"owned":      {owners: 0.9, spread: 0.1, podAffinity: 0.1, taints: 0.1, queue: 0.1, resources: 0.05},
	"related":    {spread: 0.4, podAffinity: 0.4, owners: 0.4, affinity: 0.2, taints: 0.2, names: 0.15, queue: 0.3, resources: 0.2, ports: 0.1, images: 0.1},
	"preemption": {preemption: 0.95, resources: 0.8, names: 0.15, ports: 0.1, queue: 0.1},
	"volumes":    {volumes: 0.8, affinity: 0.3, resources: 0.05, names: 0.05, queue: 0.2},
	"whole": {preemption: 0.6, resources: 0.5, taints: 0.2, affinity: 0.15, images: 0.2, ports: 0.15, gates: 0.05, names: 0.1, queue: 0.3,
		spread: 0.25, podAffinity: 0.25, owners: 0.3},
	"extended": {extenders: 1, resources: 0.4, taints: 0.15, affinity: 0.15, names: 0.2, queue: 0.2, preemption: 0.5},
	"pending":  {stuck: 0.8, resources: 0.15, taints: 0.3, affinity: 0.05, ports: 0.1, spread: 0.1, podAffinity: 0.1, names: 0.05},
	"mixed": {resources: 0.5, taints: 0.35, affinity: 0.35, images: 0.5, ports: 0.25, gates: 0.15, names: 0.15,
		queue: 0.5},
}

// Families lists the families in the order in which clusters use them.
func Families() []string {
	return []string{"resources", "taints", "affinity", "images", "ports", "gates", "queue", "mixed", "spread", "affine", "owned", "related", "preemption", "volumes", "whole", "extended", "pending"}
}

// Cluster is one case: a configuration, the initial objects, and the later changes.
type Cluster struct {
	Family  string
	Seed    uint64
	Config  map[string]any
	Objects []runtime.Object
	Steps   [][]runtime.Object
	respelt map[runtime.Object]bool // all of whose quantities are written in an unusual notation
}

// New creates the cluster of a family and a seed.
func New(family string, seed uint64) (*Cluster, error) {
	doses, ok := families[family]
	if !ok {
		return nil, fmt.Errorf("there is no family %q; there are %v", family, Families())
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(family))
	g := &gen{Rand: rand.New(rand.NewPCG(seed, h.Sum64())), doses: doses, sure: true, started: map[string]int{}, respelt: map[runtime.Object]bool{}}
	g.huge = g.shows(resources) && g.chance(0.04)
	g.walled = g.shows(taints) && g.chance(0.4)
	c := &Cluster{Family: family, Seed: seed, Config: g.config()}
	if g.relates() {
		c.Objects = append(g.newNamespaces(), g.newOwners()...)
	}
	g.odd = family == "resources"
	g.hundred = g.odd && g.chance(0.15)
	for range g.clusterSize(60) {
		g.newNode()
	}
	for range g.clusterSize(80) {
		g.newPod()
	}
	if g.doses[stuck] > 0 {
		g.holdPort()
	}
	if g.doses[preemption] > 0 {
		g.fill()
		g.partPorts()
		budgets := g.newBudgets()
		g.disrupt(budgets)
		c.Objects = append(c.Objects, budgets...)
	}
	if g.doses[volumes] > 0 {
		storage := g.newStorage()
		g.placeClaims(storage)
		c.Objects = append(c.Objects, storage...)
	}
	c.Objects = append(c.Objects, g.initial()...)
	if g.chance(0.75) && !g.failing {
		for range g.between(1, 4) {
			c.Steps = append(c.Steps, g.step())
		}
	}
	c.respelt = g.respelt
	return c, nil
}

// gen is the state of the generation of one cluster.
type gen struct {
	*rand.Rand
	doses    [aspects]float64
	profiles []string
	huge     bool // some quantities are near or beyond 2^63
	hundred  bool // nodes have a hundred extended resources, and some pods request all of them
	odd      bool // quantities have every notation, and change by less than the unit to which they are rounded
	walled   bool // all nodes carry the taint wallKey, so pods that do not tolerate it must wait
	nodes    []*v1.Node
	removed  []*v1.Node
	owners   []owner
	started  map[string]int // pods on a node, by its name
	pods     []*podState
	respelt  map[runtime.Object]bool
	serial   int
	sure     bool // no profile disables a plugin: pods that are meant to wait do wait
	failing  bool // some extender fails attempts, so a retry may come before or after a step
	unlocked bool // some node has the label or the resource that blocked pods wait for
}

// podState is a pod and its certain properties, whatever a simulator decides.
type podState struct {
	*v1.Pod
	bound   bool // had its node from the start
	waiting bool // cannot be bound yet: gated, or blocked on purpose
}

func (g *gen) chance(p float64) bool { return g.Float64() < p }

// between draws from lo to hi, both included.
func (g *gen) between(lo, hi int) int { return lo + g.IntN(hi-lo+1) }

// shows draws whether an object shows an aspect.
func (g *gen) shows(a aspect) bool { return g.chance(g.doses[a]) }

// clusterSize draws mostly small sizes: they find the same differences and can be read.
func (g *gen) clusterSize(limit int) int {
	switch {
	case g.chance(0.5):
		return g.between(1, 8)
	case g.chance(0.7):
		return g.between(5, limit/3)
	}
	return g.between(limit/3, limit)
}

func pick[T any](g *gen, list ...T) T { return list[g.IntN(len(list))] }

// some draws each element with probability p, in order.
func some[T any](g *gen, p float64, list ...T) []T {
	var out []T
	for _, e := range list {
		if g.chance(p) {
			out = append(out, e)
		}
	}
	return out
}

func ptr[T any](v T) *T { return &v }

// initial lists all objects, usually nodes first, and otherwise mixed: pods may come before their nodes.
func (g *gen) initial() []runtime.Object {
	var objs []runtime.Object
	for _, n := range g.nodes {
		objs = append(objs, n.DeepCopy())
	}
	for _, p := range g.pods {
		objs = append(objs, p.DeepCopy())
	}
	if g.chance(0.15) {
		g.Shuffle(len(objs), func(i, j int) { objs[i], objs[j] = objs[j], objs[i] })
	}
	return objs
}
