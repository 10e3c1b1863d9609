package bench

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// victimCPU is the capacity of a node of a preempting policy, in thousandths of a CPU.
const victimCPU = 4000

// victims fill every node. They started at different times, so that nodes differ as choices for preemption.
func (m *maker) victims() []*v1.Pod {
	var pods []*v1.Pod
	for node := range m.size.Nodes {
		for i := range m.policy.perNode {
			p := m.newPod(fmt.Sprintf("low-%05d-%02d", node, i), "old")
			requestCPU(p, int64(victimCPU/m.policy.perNode))
			m.bind(p, node)
			started := metav1.Unix(p.CreationTimestamp.Unix()-m.Int64N(30*24*3600), 0)
			p.Status.StartTime = &started
			pods = append(pods, p)
		}
	}
	return pods
}

func (m *maker) preemptor(i int) *v1.Pod {
	p := m.newPod(fmt.Sprintf("high-%06d", i), "web")
	requestCPU(p, 1000)
	priority, policy := int32(1000), v1.PreemptLowerPriority
	p.Spec.Priority, p.Spec.PreemptionPolicy = &priority, &policy
	return p
}

func requestCPU(p *v1.Pod, milli int64) {
	p.Spec.Containers[0].Resources.Requests = v1.ResourceList{v1.ResourceCPU: *resource.NewMilliQuantity(milli, resource.DecimalSI)}
}
