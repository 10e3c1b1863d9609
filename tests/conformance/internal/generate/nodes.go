package generate

import (
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// The keys that blocked pods wait for. Initially no node has them.
const (
	wallKey     = "berth.test/wall"
	blockLabel  = "berth.test/blocked"
	unobtainium = "example.com/unobtainium"
)

var birth = metav1.NewTime(time.Date(2025, 12, 1, 8, 0, 0, 0, time.UTC))

// meta sets the metadata that the API server would set.
func (g *gen) meta(namespace, name string) metav1.ObjectMeta {
	g.serial++
	return metav1.ObjectMeta{
		Namespace:         namespace,
		Name:              name,
		UID:               types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", g.serial)),
		ResourceVersion:   fmt.Sprint(1000 + g.serial),
		Generation:        1,
		CreationTimestamp: birth,
	}
}

// newNode creates a node and counts it as existing.
func (g *gen) newNode() *v1.Node {
	name := fmt.Sprintf("node-%d", g.serial)
	n := &v1.Node{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
		ObjectMeta: g.meta("", name),
		Status: v1.NodeStatus{
			Conditions: []v1.NodeCondition{{
				Type: v1.NodeReady, Status: pick(g, v1.ConditionTrue, v1.ConditionTrue, v1.ConditionFalse), Reason: "KubeletReady",
			}},
		},
	}
	n.Labels = g.nodeLabels(name)
	g.setAllocatable(n)
	n.Spec.Taints = g.nodeTaints()
	g.setUnschedulable(n, g.shows(names) && g.chance(0.4))
	n.Status.Images = g.nodeImages()
	g.nodes = append(g.nodes, n)
	return n
}

// setUnschedulable cordons as kubectl does, with or without the taint the node controller adds.
func (g *gen) setUnschedulable(n *v1.Node, cordoned bool) {
	n.Spec.Unschedulable = cordoned
	if cordoned && g.chance(0.6) {
		n.Spec.Taints = append(n.Spec.Taints, v1.Taint{Key: v1.TaintNodeUnschedulable, Effect: v1.TaintEffectNoSchedule})
	}
}

var (
	diskValues = []string{"ssd", "hdd", "nvme", ""}
	numValues  = []string{"0", "1", "2", "5", "05", "10", "-3", "abc", "9223372036854775807", "9223372036854775808", "1.5", ""}
	zoneValues = []string{"a", "b", "c", ""}
)

// nodeLabels draws zones of all kinds (none, region only, zone only, both, the older keys) and labels to select by.
func (g *gen) nodeLabels(name string) map[string]string {
	labels := map[string]string{v1.LabelHostname: name}
	if g.chance(0.6) {
		labels[v1.LabelTopologyZone] = pick(g, zoneValues...)
	}
	if g.chance(0.3) {
		labels[v1.LabelTopologyRegion] = pick(g, "r1", "r2", "")
	}
	if g.chance(0.08) {
		labels[v1.LabelFailureDomainBetaZone] = pick(g, zoneValues...)
	}
	if g.chance(0.05) {
		labels[v1.LabelFailureDomainBetaRegion] = pick(g, "r1", "r2", "")
	}
	if g.shows(affinity) || g.chance(0.2) {
		if g.chance(0.8) {
			labels["disk"] = pick(g, diskValues...)
		}
		if g.chance(0.7) {
			labels["num"] = pick(g, numValues...)
		}
		if g.chance(0.3) {
			labels["example.com/gpu"] = pick(g, "true", "false")
		}
	}
	return labels
}

var (
	roomyCPU    = []string{"8", "16", "32", "64"}
	roomyMemory = []string{"16Gi", "32Gi", "64Gi"}
	nodeCPU     = []string{"1", "2", "4", "4000m", "3999m", "250m", "1500m", "0.1", "64", "0", "1n", "1"}
	nodeMemory  = []string{"1Gi", "2Gi", "8Gi", "8589934592", "1000Mi", "1G", "500M", "123456789", "0", "1", "1536Mi"}
	nodePods    = []string{"110", "110", "110", "110", "110", "110", "20", "10", "3", "2", "1", "0"}
	oddCPU      = []string{"3999.9999999", "4000000001n", "15e-1", "0.0000000001", "1499999999n", "2000.5m", "1001u", "0.004k"}
	oddMemory   = []string{"7.5Gi", "0.0000001Ei", "8589934591999999999n", "8589934592000000001n", "1073741823.5", "0.3Mi", "1e9", "123456789012345678901n",
		"0.01Ti"}
	nodeOthers = map[v1.ResourceName][]string{
		v1.ResourceEphemeralStorage: {"10Gi", "100Gi", "1", "0", "10737418241"},
		"hugepages-2Mi":             {"64Mi", "2Mi", "0"},
		"hugepages-1Gi":             {"1Gi", "2Gi"},
		"example.com/gpu":           {"1", "2", "8", "0"},
		"example.com/foo":           {"3", "100"},
		"other.org/bar":             {"5", "1"},
		"kubernetes.io/thing":       {"4", "10"},
		"attachable-volumes-aws":    {"25"},
		"weird":                     {"7"},
	}
	otherNames = []v1.ResourceName{
		v1.ResourceEphemeralStorage, "hugepages-2Mi", "hugepages-1Gi", "example.com/gpu", "example.com/foo", "other.org/bar",
		"kubernetes.io/thing", "attachable-volumes-aws", "weird",
	}
	// Beyond every double.
	hugeMemory = []string{"1Ei", "900Pi", "8191Ti", "90Pi", "1152921504606846977", "9007199254740993", "9Ei", "9223372036854775807"}
	// For pods: a thousandth of a sum over containers must fit into an int64. Otherwise upstream wraps or returns 0, and
	// Berth returns the largest number (see README.md).
	hugePodMemory = []string{"64Ti", "70368744177665", "32Ti", "35184372088833"}
	hugeCPU       = []string{"922337203685477", "922337203685476999m", "9007199254741", "9007199254740993m"}
	hugePresent   = 0.4
)

func (g *gen) setAllocatable(n *v1.Node) {
	list := v1.ResourceList{}
	if !g.shows(resources) {
		list[v1.ResourceCPU] = resource.MustParse(pick(g, roomyCPU...))
		list[v1.ResourceMemory] = resource.MustParse(pick(g, roomyMemory...))
		list[v1.ResourcePods] = resource.MustParse(pick(g, "110", "110", "250", "5"))
		if g.chance(0.2) {
			list["example.com/gpu"] = resource.MustParse("4")
		}
	} else {
		g.tightAllocatable(list)
	}
	n.Status.Allocatable = list
	n.Status.Capacity = list.DeepCopy()
}

func (g *gen) tightAllocatable(list v1.ResourceList) {
	set := func(p float64, name v1.ResourceName, values []string) {
		if g.chance(p) {
			list[name] = resource.MustParse(pick(g, values...))
		}
	}
	if g.chance(0.65) {
		set(1, v1.ResourceCPU, roomyCPU)
		set(1, v1.ResourceMemory, roomyMemory)
	} else {
		set(0.93, v1.ResourceCPU, nodeCPU)
		set(0.93, v1.ResourceMemory, nodeMemory)
	}
	if g.odd {
		set(0.15, v1.ResourceCPU, oddCPU)
		set(0.15, v1.ResourceMemory, oddMemory)
	}
	if g.huge {
		set(hugePresent, v1.ResourceMemory, hugeMemory)
		set(hugePresent/2, v1.ResourceCPU, hugeCPU)
	}
	set(0.95, v1.ResourcePods, nodePods)
	for _, name := range otherNames {
		set(0.5, name, nodeOthers[name])
	}
	if g.hundred {
		g.addHundred(list, "2", "2", "2", "3", "1")
	}
}
