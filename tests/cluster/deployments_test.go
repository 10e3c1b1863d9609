package cluster

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

// Default constraints: a Deployment's pods are spread evenly over all zones, although the nodes of one zone are
// smaller.
func TestADeploymentIsSpreadOverZones(t *testing.T) {
	asKubeScheduler(t, time.Minute, func(w *world) []string {
		w.zones(map[string]int{"west": 2, "east": 2, "south": 2})
		for i := range 2 {
			w.running(fmt.Sprintf("heavy-%d", i), fmt.Sprintf("west-%d", i), cpu("1"))
		}
		w.start(w.profile())
		w.deployment("app", 30, cpu("50m"))
		if most, fewest := w.spread("app", corev1.LabelTopologyZone, 30); most-fewest > 1 {
			w.t.Errorf("a zone has %d pods and another %d", most, fewest)
		}
		if most, fewest := w.spread("app", corev1.LabelHostname, 30); most-fewest > 2 {
			w.t.Errorf("a node has %d pods and another %d", most, fewest)
		}
		return []string{}
	})
}

// A required constraint holds: if one zone has a single node for four pods, the other zones may not exceed it by two.
func TestADeploymentIsHeldToItsSpread(t *testing.T) {
	asKubeScheduler(t, time.Minute, func(w *world) []string {
		w.zones(map[string]int{"east": 3, "south": 2})
		w.node("west-0", func(n *fakelet.NodeSpec) {
			n.Pods, n.Labels = "4", map[string]string{corev1.LabelTopologyZone: "west"}
		})
		w.start(w.profile())
		w.deployment("app", 30, cpu("50m"), func(p *corev1.Pod) {
			p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
				MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule,
				LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "app"}},
			}}
		})
		told := w.waiting("app", 16)
		if most, fewest := w.spread("app", corev1.LabelTopologyZone, 14); most != 5 || fewest != 4 {
			w.t.Errorf("a zone has %d pods and another %d", most, fewest)
		}
		const want = "0/6 nodes are available: 1 Too many pods, 5 node(s) didn't match pod topology spread constraints." +
			noClaims + " preemption: 0/6 nodes are available: 6 No preemption victims found for incoming pod."
		if len(told) != 1 || told[0] != want {
			w.t.Errorf("the waiting pods have the message %q, want %q", told, want)
		}
		// Another node in the small zone makes all pods schedulable.
		w.node("west-1", func(n *fakelet.NodeSpec) { n.Labels = map[string]string{corev1.LabelTopologyZone: "west"} })
		if most, fewest := w.spread("app", corev1.LabelTopologyZone, 30); most != 10 || fewest != 10 {
			w.t.Errorf("a zone has %d pods and another %d", most, fewest)
		}
		return told
	})
}

// apart repels pods of the app from each other's nodes; together attracts pods to the app's zone.
func apart(app string) podOption {
	return func(p *corev1.Pod) {
		affinity(p).PodAntiAffinity = &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term(app, corev1.LabelHostname)}}
	}
}

func together(app, label string) podOption {
	return func(p *corev1.Pod) {
		affinity(p).PodAffinity = &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term(app, label)}}
	}
}

func affinity(p *corev1.Pod) *corev1.Affinity {
	if p.Spec.Affinity == nil {
		p.Spec.Affinity = &corev1.Affinity{}
	}
	return p.Spec.Affinity
}

func term(app, label string) corev1.PodAffinityTerm {
	return corev1.PodAffinityTerm{LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}, TopologyKey: label}
}

// The pods of one Deployment repel each other. The pods of the other wait until they can be placed near one of them.
func TestDeploymentsKeepTogetherAndApart(t *testing.T) {
	asKubeScheduler(t, time.Minute, func(w *world) []string {
		w.nodes("node", 5)
		w.start(w.profile())
		w.deployment("web", 4, cpu("50m"), apart("web"), together("cache", corev1.LabelHostname))
		told := w.waiting("web", 4)
		const alone = "0/5 nodes are available: 5 node(s) didn't match pod affinity rules." +
			noClaims + " preemption: 0/5 nodes are available: 5 Preemption is not helpful for scheduling."
		if len(told) != 1 || told[0] != alone {
			w.t.Errorf("without pods to follow they have the message %q, want %q", told, alone)
		}
		w.deployment("cache", 3, cpu("50m"), apart("cache"))
		if most, _ := w.spread("cache", corev1.LabelHostname, 3); most != 1 {
			w.t.Errorf("a node has %d pods that keep off each other", most)
		}
		if most, _ := w.spread("web", corev1.LabelHostname, 3); most != 1 {
			w.t.Errorf("a node has %d pods that keep off each other", most)
		}
		caches := w.per("cache", corev1.LabelHostname)
		for node, n := range w.per("web", corev1.LabelHostname) {
			if node != "" && n > 0 && caches[node] == 0 {
				w.t.Errorf("node %s has a pod and not the one it follows", node)
			}
		}
		const full = "0/5 nodes are available: 2 node(s) didn't match pod affinity rules, 3 node(s) didn't match pod anti-affinity rules." +
			noClaims + " preemption: 0/5 nodes are available: 2 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod."
		w.eventually(10*time.Second, func() error {
			if rest := w.waiting("web", 1); rest[0] != full {
				return fmt.Errorf("the waiting pod has the message %q, want %q", rest[0], full)
			}
			return nil
		})
		return append(told, full)
	})
}
