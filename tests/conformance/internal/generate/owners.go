package generate

import (
	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// newNamespaces creates the namespaces of pods, with labels for the selectors of terms.
func (g *gen) newNamespaces() []runtime.Object {
	var list []runtime.Object
	for i, name := range []string{"default", "team-a", "team-b"} {
		ns := &v1.Namespace{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"}, ObjectMeta: g.meta("", name)}
		ns.Labels = map[string]string{"kubernetes.io/metadata.name": name}
		if i > 0 && g.chance(0.8) {
			ns.Labels["team"] = pick(g, "a", "b")
		}
		list = append(list, ns)
	}
	return list
}

// owner is a controller that pods can belong to.
type owner struct {
	reference metav1.OwnerReference
	namespace string
}

// newOwners creates Services and controllers with selectors for the labels of pods.
func (g *gen) newOwners() []runtime.Object {
	var list []runtime.Object
	for range g.between(1, 3) {
		list = append(list, g.newService())
	}
	for range g.between(1, 4) {
		list = append(list, g.newController())
	}
	return list
}

func (g *gen) newService() *v1.Service {
	s := &v1.Service{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Service"}}
	s.ObjectMeta = g.meta(pick(g, namespaces...), "")
	s.Name = "service-" + s.ResourceVersion
	if g.chance(0.9) {
		s.Spec.Selector = map[string]string{"app": pick(g, appValues...)}
		if g.chance(0.2) {
			s.Spec.Selector["tier"] = pick(g, "front", "back")
		}
	}
	if g.chance(0.05) {
		s.Spec.Selector = map[string]string{}
	}
	return s
}

func (g *gen) newController() runtime.Object {
	meta := g.meta(pick(g, namespaces...), "")
	meta.Name = "controller-" + meta.ResourceVersion
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": pick(g, appValues...)}}
	if g.chance(0.3) {
		selector.MatchExpressions = []metav1.LabelSelectorRequirement{g.labelRequirement()}
	}
	own := func(version, kind string) metav1.TypeMeta {
		g.owners = append(g.owners, owner{namespace: meta.Namespace, reference: metav1.OwnerReference{
			APIVersion: version, Kind: kind, Name: meta.Name, UID: meta.UID, Controller: ptr(true), BlockOwnerDeletion: ptr(true)}})
		return metav1.TypeMeta{APIVersion: version, Kind: kind}
	}
	switch g.IntN(4) {
	case 0:
		return &v1.ReplicationController{TypeMeta: own("v1", "ReplicationController"), ObjectMeta: meta,
			Spec: v1.ReplicationControllerSpec{Selector: selector.MatchLabels}}
	case 1:
		return &appsv1.StatefulSet{TypeMeta: own("apps/v1", "StatefulSet"), ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Selector: selector}}
	}
	return &appsv1.ReplicaSet{TypeMeta: own("apps/v1", "ReplicaSet"), ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Selector: selector}}
}

// setOwner gives the pod a controller: an existing one, a deleted one, or one of an unknown kind.
func (g *gen) setOwner(p *v1.Pod) {
	if !g.shows(owners) {
		return
	}
	if len(g.owners) == 0 || g.chance(0.1) {
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: pick(g, "apps/v1", "example.com/v1"), Kind: pick(g, "ReplicaSet", "Thing"),
			Name: "gone", UID: types.UID("gone"), Controller: ptr(g.chance(0.7))}}
		return
	}
	o := pick(g, g.owners...)
	p.Namespace = o.namespace
	p.OwnerReferences = []metav1.OwnerReference{o.reference}
}
