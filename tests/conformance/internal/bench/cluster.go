package bench

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// cluster creates the nodes and pods. The same workload always gives the same objects; sizes depend on the index.
func (w *Workload) cluster() ([]*v1.Node, []*v1.Pod) {
	nodes := make([]*v1.Node, w.Nodes)
	for i := range nodes {
		nodes[i] = w.node(i)
	}
	pods := make([]*v1.Pod, w.Pods)
	for i := range pods {
		pods[i] = w.pod(i)
	}
	return nodes, pods
}

func (w *Workload) node(i int) *v1.Node {
	cpu, memory, zone := int64(32), int64(128), 0
	if w.MixedNodes {
		size := []int64{8, 16, 32, 64}[i%4]
		cpu, memory, zone = size, size*[]int64{2, 4, 8}[i%3], i%3
	}
	return newNode(i, cpu, memory, zone)
}

// newNode creates a node with these CPUs and GiB.
func newNode(i int, cpu, memory int64, zone int) *v1.Node {
	n := &v1.Node{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
		ObjectMeta: meta("", nodeName(i), i),
		Status: v1.NodeStatus{Allocatable: v1.ResourceList{
			v1.ResourceCPU:    *resource.NewQuantity(cpu, resource.DecimalSI),
			v1.ResourceMemory: *resource.NewQuantity(memory<<30, resource.BinarySI),
			v1.ResourcePods:   *resource.NewQuantity(110, resource.DecimalSI),
		}},
	}
	n.Labels = map[string]string{v1.LabelHostname: n.Name, v1.LabelTopologyZone: fmt.Sprintf("zone-%d", zone)}
	n.Status.Capacity = n.Status.Allocatable.DeepCopy()
	n.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue, Reason: "KubeletReady"}}
	return n
}

func nodeName(i int) string { return fmt.Sprintf("node-%05d", i) }

func (w *Workload) pod(i int) *v1.Pod {
	cpu, memory := int64(100), int64(128)
	if w.Heterogeneous {
		cpu, memory = 50+int64(i*37%400), 64+int64(i*53%960)
	}
	p := newPod(fmt.Sprintf("pod-%06d", i), w.Nodes+i)
	request(p, cpu, memory)
	return p
}

// newPod creates a pending pod without requests.
func newPod(name string, serial int) *v1.Pod {
	return &v1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: meta("default", name, serial),
		Spec: v1.PodSpec{
			SchedulerName: "default-scheduler",
			RestartPolicy: v1.RestartPolicyAlways,
			DNSPolicy:     v1.DNSClusterFirst,
			Priority:      new(int32),
			Containers:    []v1.Container{{Name: "app", Image: "registry.k8s.io/pause:3.10"}},
			Tolerations: []v1.Toleration{
				{Key: v1.TaintNodeNotReady, Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoExecute},
				{Key: v1.TaintNodeUnreachable, Operator: v1.TolerationOpExists, Effect: v1.TaintEffectNoExecute},
			},
		},
		Status: v1.PodStatus{Phase: v1.PodPending},
	}
}

// request sets the pod's requests, in thousandths of a CPU and MiB.
func request(p *v1.Pod, cpu, memory int64) {
	p.Spec.Containers[0].Resources.Requests = v1.ResourceList{
		v1.ResourceCPU:    *resource.NewMilliQuantity(cpu, resource.DecimalSI),
		v1.ResourceMemory: *resource.NewQuantity(memory<<20, resource.BinarySI),
	}
}

func meta(namespace, name string, serial int) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: namespace, Name: name, ResourceVersion: fmt.Sprint(serial + 1), Generation: 1,
		UID:               types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", serial)),
		CreationTimestamp: metav1.Unix(1767225600, 0),
	}
}

func asObjects[T runtime.Object](list []T) []runtime.Object {
	objs := make([]runtime.Object, len(list))
	for i, o := range list {
		objs[i] = o
	}
	return objs
}
