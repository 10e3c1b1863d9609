package generate

import (
	"slices"
	"strconv"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
)

// stepGen is the step being created. A step changes each object at most once.
type stepGen struct {
	*gen
	objs    []runtime.Object
	touched map[string]bool
}

// step draws one to ten changes.
func (g *gen) step() []runtime.Object {
	s := &stepGen{gen: g, touched: map[string]bool{}}
	for range g.between(1, 10) {
		if g.odd && g.chance(0.4) {
			pick(g, s.respellNode, s.respellNode, s.respellWaiting, s.respellBound, s.nudgeNode, s.nudgeNode, s.nudgeWaiting, s.nudgeBound)()
			continue
		}
		pick(g, s.addNode, s.removeNode, s.changeNode, s.changeNode, s.changeNode, s.changeNode, s.unlock,
			s.addPod, s.addPod, s.removePod, s.removePod, s.changeWaiting, s.changeWaiting, s.changeWaiting, s.changeBound)()
	}
	return s.objs
}

// claim marks an object as changed in this step and returns whether it was unmarked.
func (s *stepGen) claim(key string) bool {
	free := !s.touched[key]
	s.touched[key] = true
	return free
}

// bump gives an object the next resourceVersion.
func bump(version string) string {
	n, err := strconv.Atoi(version)
	if err != nil {
		panic(err)
	}
	return strconv.Itoa(n + 100000)
}

// respell adds an object to write with other notations of its quantities.
func (s *stepGen) respell(obj runtime.Object) {
	s.respelt[obj] = true
	s.objs = append(s.objs, obj)
}

func (s *stepGen) addNode() {
	if len(s.removed) != 0 && s.chance(0.3) {
		n := s.removed[0]
		if !s.claim("node/" + n.Name) {
			return
		}
		s.removed = s.removed[1:]
		back := n.DeepCopy()
		back.ObjectMeta = s.meta("", n.Name)
		back.Labels = n.Labels
		s.nodes = append(s.nodes, back)
		s.objs = append(s.objs, back.DeepCopy())
		return
	}
	n := s.newNode()
	s.claim("node/" + n.Name)
	s.objs = append(s.objs, n.DeepCopy())
}

// someNode draws an existing node that this step has not changed, nil if there is none.
func (s *stepGen) someNode() *v1.Node {
	if len(s.nodes) == 0 {
		return nil
	}
	n := pick(s.gen, s.nodes...)
	if !s.claim("node/" + n.Name) {
		return nil
	}
	n.ResourceVersion = bump(n.ResourceVersion)
	return n
}

func (s *stepGen) removeNode() {
	n := s.someNode()
	if n == nil {
		return
	}
	gone := n.DeepCopy()
	gone.DeletionTimestamp = ptr(birth)
	gone.DeletionGracePeriodSeconds = ptr(int64(0))
	s.objs = append(s.objs, gone)
	s.nodes = slices.DeleteFunc(s.nodes, func(o *v1.Node) bool { return o == n })
	s.removed = append(s.removed, n)
}

func (s *stepGen) changeNode() {
	n := s.someNode()
	if n == nil {
		return
	}
	for range pick(s.gen, 1, 1, 1, 2) {
		s.changeOneThing(n)
	}
	s.objs = append(s.objs, n.DeepCopy())
}

func (s *stepGen) changeOneThing(n *v1.Node) {
	switch s.IntN(8) {
	case 0, 1:
		s.setAllocatable(n)
	case 2:
		s.grow(n)
	case 3:
		labels := s.nodeLabels(n.Name)
		if value, ok := n.Labels[blockLabel]; ok {
			labels[blockLabel] = value
		}
		n.Labels = labels
	case 4:
		n.Spec.Taints = s.nodeTaints()
	case 5:
		n.Spec.Taints = slices.DeleteFunc(n.Spec.Taints, func(t v1.Taint) bool { return t.Key == v1.TaintNodeUnschedulable })
		s.setUnschedulable(n, !n.Spec.Unschedulable)
	case 6:
		n.Status.Images = s.nodeImages()
	default:
		n.Status.Conditions[0].Status = pick(s.gen, v1.ConditionTrue, v1.ConditionFalse)
		n.Annotations = map[string]string{"note": strconv.Itoa(s.serial)}
	}
}

// grow raises one allocatable resource, often by just one unit.
func (s *stepGen) grow(n *v1.Node) {
	name := pick(s.gen, v1.ResourceCPU, v1.ResourceMemory, v1.ResourcePods, "example.com/gpu")
	q := n.Status.Allocatable[name]
	if name == v1.ResourceCPU {
		q.Add(*resource.NewMilliQuantity(int64(pick(s.gen, 1, 100, 4000)), resource.DecimalSI))
	} else if q.Value() < 1<<62 { // beyond an int64 Berth uses the largest number
		q.Add(*resource.NewQuantity(int64(pick(s.gen, 1, 10, 1<<30)), resource.DecimalSI))
	}
	n.Status.Allocatable[name] = q
}

// unlock gives a node the key that blocked pods wait for. After that, nothing about them is certain.
func (s *stepGen) unlock() {
	n := s.someNode()
	if n == nil {
		return
	}
	switch s.IntN(3) {
	case 0:
		n.Labels[blockLabel] = "true"
	case 1:
		n.Status.Allocatable[unobtainium] = resource.MustParse(pick(s.gen, "1", "3"))
	default:
		n.Spec.Taints = slices.DeleteFunc(n.Spec.Taints, func(t v1.Taint) bool { return t.Key == wallKey })
	}
	s.unlocked = true
	for _, p := range s.pods {
		if len(p.Spec.SchedulingGates) == 0 {
			p.waiting = false
		}
	}
	s.objs = append(s.objs, n.DeepCopy())
}

func (s *stepGen) addPod() {
	p := s.newPod()
	s.claim("pod/" + p.Name)
	s.objs = append(s.objs, p.DeepCopy())
}

// somePod draws a pod that satisfies want and that this step has not changed, nil if it finds none.
func (s *stepGen) somePod(want func(p *podState) bool) *podState {
	var list []*podState
	for _, p := range s.pods {
		if want(p) && !s.touched["pod/"+p.Name] {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil
	}
	p := pick(s.gen, list...)
	s.claim("pod/" + p.Name)
	p.ResourceVersion = bump(p.ResourceVersion)
	return p
}

// removePod deletes any pod, in whatever state it is.
func (s *stepGen) removePod() {
	p := s.somePod(func(*podState) bool { return true })
	if p == nil {
		return
	}
	gone := p.DeepCopy()
	gone.DeletionTimestamp = ptr(birth)
	gone.DeletionGracePeriodSeconds = ptr(int64(0))
	s.objs = append(s.objs, gone)
	s.pods = slices.DeleteFunc(s.pods, func(o *podState) bool { return o == p })
}

// changeWaiting changes a pod that certainly has no node yet.
func (s *stepGen) changeWaiting() {
	p := s.somePod(isWaiting)
	if p == nil {
		return
	}
	switch {
	case len(p.Spec.SchedulingGates) != 0 && s.chance(0.75):
		p.Spec.SchedulingGates = p.Spec.SchedulingGates[:s.IntN(len(p.Spec.SchedulingGates))]
	case s.chance(0.4):
		p.Spec.Tolerations = append(p.Spec.Tolerations, s.toleration())
		if s.walled {
			p.Spec.Tolerations = append(p.Spec.Tolerations, v1.Toleration{Key: wallKey, Operator: v1.TolerationOpExists})
		}
	case s.chance(0.5):
		s.scale(p.Pod)
	default:
		p.Labels["app"] = pick(s.gen, "web", "db", "batch")
	}
	p.waiting = s.sure && len(p.Spec.SchedulingGates) != 0 || s.stillBlocked(p)
	s.objs = append(s.objs, p.DeepCopy())
}

// stillBlocked returns whether a pod without gates certainly remains unscheduled.
func (s *stepGen) stillBlocked(p *podState) bool {
	if s.unlocked || !s.sure {
		return false
	}
	if p.Spec.NodeSelector[blockLabel] != "" {
		return true
	}
	q, asks := p.Spec.Containers[0].Resources.Requests[unobtainium]
	return asks && !q.IsZero() && p.Spec.Resources == nil && len(p.Spec.InitContainers) == 0
}

// scale lowers or raises the requests of a pod.
func (s *stepGen) scale(p *v1.Pod) {
	requests := p.Spec.Containers[0].Resources.Requests
	if s.chance(0.4) {
		delete(requests, unobtainium)
	}
	for name, q := range requests {
		if name == unobtainium {
			continue
		}
		q = *resource.NewMilliQuantity(q.MilliValue()/int64(2), resource.DecimalSI)
		if name != v1.ResourceCPU {
			q = *resource.NewQuantity(q.Value(), resource.DecimalSI)
		}
		requests[name] = q
	}
}

// changeBound changes a pod that was bound initially: it ends, is resized, or gets another label.
func (s *stepGen) changeBound() {
	p := s.somePod(isRunning)
	if p == nil {
		return
	}
	switch {
	case s.chance(0.25):
		p.Status.Phase = pick(s.gen, v1.PodSucceeded, v1.PodFailed)
	case s.chance(0.6):
		s.scale(p.Pod)
		if s.chance(0.5) {
			s.resize(p.Pod)
		}
	default:
		p.Labels["app"] = pick(s.gen, "web", "db", "batch")
	}
	s.objs = append(s.objs, p.DeepCopy())
	if p.Status.Phase == v1.PodSucceeded || p.Status.Phase == v1.PodFailed {
		s.pods = slices.DeleteFunc(s.pods, func(o *podState) bool { return o == p })
	}
}
