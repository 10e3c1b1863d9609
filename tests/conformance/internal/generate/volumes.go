package generate

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

const (
	disk   = "disk.example.com"
	waits  = "waits" // no provisioner; binds at the first pod
	makes  = "makes" // a provisioner creates volumes at the first pod
	zoned  = "zoned" // the same, in zone a only
	atOnce = "at-once"
)

// newStorage creates classes, volumes, claims, drivers, and their information about nodes. Pods name the claims by
// number.
func (g *gen) newStorage() []runtime.Object {
	list := g.newClasses()
	for i := range g.between(2, 12) {
		list = append(list, g.newVolume(i))
	}
	for i := range g.between(3, 14) {
		list = append(list, g.newClaim(i))
	}
	if g.chance(0.5) {
		list = append(list, g.newCapacities()...)
	}
	return append(list, g.newAttachments()...)
}

func (g *gen) newClasses() []runtime.Object {
	class := func(name, provisioner string, mode storagev1.VolumeBindingMode) *storagev1.StorageClass {
		c := &storagev1.StorageClass{TypeMeta: metav1.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "StorageClass"},
			ObjectMeta: g.meta("", name), Provisioner: provisioner, VolumeBindingMode: &mode}
		c.ReclaimPolicy = ptr(v1.PersistentVolumeReclaimDelete)
		return c
	}
	inA := class(zoned, disk, storagev1.VolumeBindingWaitForFirstConsumer)
	inA.AllowedTopologies = []v1.TopologySelectorTerm{{MatchLabelExpressions: []v1.TopologySelectorLabelRequirement{
		{Key: v1.LabelTopologyZone, Values: pick(g, []string{"a"}, []string{"a", "b"}, []string{""})}}}}
	if g.chance(0.1) {
		inA.AllowedTopologies = append(inA.AllowedTopologies, v1.TopologySelectorTerm{})
	}
	list := []runtime.Object{class(waits, "kubernetes.io/no-provisioner", storagev1.VolumeBindingWaitForFirstConsumer), inA,
		class(atOnce, disk, storagev1.VolumeBindingImmediate)}
	if g.chance(0.9) {
		list = append(list, class(makes, pick(g, disk, disk, "kubernetes.io/aws-ebs"), storagev1.VolumeBindingWaitForFirstConsumer))
	}
	return list
}

func (g *gen) size() resource.Quantity {
	return resource.MustParse(pick(g, "1Gi", "5Gi", "5Gi", "10Gi", "0", "20Gi"))
}

// newVolume draws sources, zones by label and by affinity, and a few that are taken or not ready.
func (g *gen) newVolume(i int) *v1.PersistentVolume {
	pv := &v1.PersistentVolume{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolume"}, ObjectMeta: g.meta("", fmt.Sprintf("volume-%d", i))}
	pv.Spec.StorageClassName = pick(g, waits, waits, makes, "")
	// All sizes differ, because upstream takes any of several volumes with the smallest size.
	pv.Spec.Capacity = v1.ResourceList{v1.ResourceStorage: *resource.NewQuantity(int64(pick(g, 1, 5, 10, 20))<<30+int64(i), resource.BinarySI)}
	pv.Spec.AccessModes = pick(g, []v1.PersistentVolumeAccessMode{v1.ReadWriteOnce}, []v1.PersistentVolumeAccessMode{v1.ReadWriteOnce, v1.ReadOnlyMany},
		[]v1.PersistentVolumeAccessMode{v1.ReadWriteOncePod, v1.ReadWriteOnce})
	pv.Spec.VolumeMode = ptr(pick(g, v1.PersistentVolumeFilesystem, v1.PersistentVolumeFilesystem, v1.PersistentVolumeBlock))
	pv.Spec.CSI = &v1.CSIPersistentVolumeSource{Driver: pick(g, disk, "other.example.com"), VolumeHandle: fmt.Sprintf("handle-%d", i)}
	pv.Status.Phase = pick(g, v1.VolumeAvailable, v1.VolumeAvailable, v1.VolumeAvailable, v1.VolumeBound, v1.VolumeReleased)
	if g.chance(0.3) {
		pv.Labels = map[string]string{v1.LabelTopologyZone: pick(g, "a", "b", "a__b", "a__", " a ")}
	}
	if g.chance(0.1) {
		pv.Labels = map[string]string{v1.LabelFailureDomainBetaZone: pick(g, "a", "b"), v1.LabelTopologyRegion: "r1"}
	}
	if g.chance(0.4) {
		pv.Spec.NodeAffinity = &v1.VolumeNodeAffinity{Required: &v1.NodeSelector{NodeSelectorTerms: []v1.NodeSelectorTerm{{
			MatchExpressions: []v1.NodeSelectorRequirement{{Key: pick(g, v1.LabelTopologyZone, "disk"), Operator: v1.NodeSelectorOpIn,
				Values: []string{pick(g, "a", "b", "ssd")}}}}}}}
	}
	return pv
}

func claimName(i int) string { return fmt.Sprintf("claim-%d", i) }

// newClaim draws claims that are bound, waiting, to be bound immediately, or lost.
func (g *gen) newClaim(i int) *v1.PersistentVolumeClaim {
	c := &v1.PersistentVolumeClaim{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}}
	c.ObjectMeta = g.meta(pick(g, namespaces...), claimName(i))
	c.Spec.StorageClassName = ptr(pick(g, waits, waits, makes, zoned, atOnce, "nowhere", ""))
	if g.chance(0.05) {
		c.Spec.StorageClassName = nil
	}
	c.Spec.AccessModes = []v1.PersistentVolumeAccessMode{pick(g, v1.ReadWriteOnce, v1.ReadWriteOnce, v1.ReadOnlyMany, v1.ReadWriteOncePod)}
	c.Spec.VolumeMode = ptr(v1.PersistentVolumeFilesystem)
	c.Status.Phase = v1.ClaimPending
	if g.chance(0.95) {
		c.Spec.Resources.Requests = v1.ResourceList{v1.ResourceStorage: g.size()}
	}
	switch {
	case g.chance(0.45):
		c.Spec.VolumeName = fmt.Sprintf("volume-%d", g.between(0, 12))
		c.Status.Phase = pick(g, v1.ClaimBound, v1.ClaimBound, v1.ClaimBound, v1.ClaimLost)
		if g.chance(0.9) {
			c.Annotations = map[string]string{"pv.kubernetes.io/bind-completed": "yes"}
		}
	case g.chance(0.1):
		c.Annotations = map[string]string{"volume.kubernetes.io/selected-node": g.nodeName(0.9)}
	}
	if g.chance(0.05) {
		c.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{v1.LabelTopologyZone: "a"}}
	}
	return c
}

func (g *gen) newCapacities() []runtime.Object {
	driver := &storagev1.CSIDriver{TypeMeta: metav1.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "CSIDriver"}, ObjectMeta: g.meta("", disk)}
	driver.Spec.StorageCapacity = ptr(g.chance(0.8))
	list := []runtime.Object{driver}
	for i := range g.between(1, 4) {
		c := &storagev1.CSIStorageCapacity{TypeMeta: metav1.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "CSIStorageCapacity"},
			ObjectMeta: g.meta("default", fmt.Sprintf("capacity-%d", i)), StorageClassName: pick(g, makes, zoned), Capacity: ptr(g.size())}
		if g.chance(0.3) {
			c.MaximumVolumeSize = ptr(g.size())
		}
		if g.chance(0.9) {
			c.NodeTopology = &metav1.LabelSelector{MatchLabels: map[string]string{v1.LabelTopologyZone: pick(g, "a", "b")}}
		}
		list = append(list, c)
	}
	return list
}

// newCSINode sets the number of volumes that a node can attach.
func (g *gen) newCSINode(node string) *storagev1.CSINode {
	n := &storagev1.CSINode{TypeMeta: metav1.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "CSINode"}, ObjectMeta: g.meta("", node)}
	for _, driver := range some(g, 0.7, disk, "other.example.com", "ebs.csi.aws.com") {
		d := storagev1.CSINodeDriver{Name: driver, NodeID: node}
		if g.chance(0.9) {
			d.Allocatable = &storagev1.VolumeNodeResources{Count: ptr(int32(pick(g, 0, 1, 1, 2, 3)))}
		}
		n.Spec.Drivers = append(n.Spec.Drivers, d)
	}
	return n
}

func (g *gen) newAttachments() []runtime.Object {
	var list []runtime.Object
	for i := range g.between(0, 3) {
		a := &storagev1.VolumeAttachment{TypeMeta: metav1.TypeMeta{APIVersion: "storage.k8s.io/v1", Kind: "VolumeAttachment"}, ObjectMeta: g.meta("", fmt.Sprintf("attachment-%d", i))}
		a.Spec = storagev1.VolumeAttachmentSpec{Attacher: disk, NodeName: g.nodeName(0.9),
			Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: ptr(fmt.Sprintf("volume-%d", g.between(0, 12)))}}
		list = append(list, a)
	}
	for _, n := range g.nodes {
		if g.chance(0.7) {
			list = append(list, g.newCSINode(n.Name))
		}
	}
	return list
}

// setVolumes draws claims, existing or not, and inline disks.
func (g *gen) setVolumes(p *v1.Pod) {
	if !g.shows(volumes) {
		return
	}
	add := func(source v1.VolumeSource) {
		p.Spec.Volumes = append(p.Spec.Volumes, v1.Volume{Name: fmt.Sprintf("v%d", len(p.Spec.Volumes)), VolumeSource: source})
	}
	for range pick(g, 0, 1, 1, 1, 2) {
		add(v1.VolumeSource{PersistentVolumeClaim: &v1.PersistentVolumeClaimVolumeSource{ClaimName: claimName(g.between(0, 13))}})
	}
	if !g.chance(0.3) {
		return
	}
	readOnly := g.chance(0.4)
	switch g.IntN(4) {
	case 0:
		add(v1.VolumeSource{GCEPersistentDisk: &v1.GCEPersistentDiskVolumeSource{PDName: pick(g, "pd-1", "pd-2"), ReadOnly: readOnly}})
	case 1:
		add(v1.VolumeSource{AWSElasticBlockStore: &v1.AWSElasticBlockStoreVolumeSource{VolumeID: pick(g, "vol-1", "vol-2", "aws://a/vol-1")}})
	case 2:
		add(v1.VolumeSource{ISCSI: &v1.ISCSIVolumeSource{TargetPortal: "t", IQN: pick(g, "iqn.1", "iqn.2"), ReadOnly: readOnly}})
	default:
		add(v1.VolumeSource{RBD: &v1.RBDVolumeSource{CephMonitors: pick(g, []string{"m1"}, []string{"m1", "m2"}, []string{"m2"}),
			RBDImage: pick(g, "i1", "i2"), RBDPool: "rbd", ReadOnly: readOnly}})
	}
}

// placeClaims moves most claims to the namespaces of the pods that name them, and gives some volumes to the claims
// bound to them.
func (g *gen) placeClaims(storage []runtime.Object) {
	home := map[string]string{}
	for _, p := range g.pods {
		for i := range p.Spec.Volumes {
			if c := p.Spec.Volumes[i].PersistentVolumeClaim; c != nil {
				home[c.ClaimName] = p.Namespace
			}
		}
	}
	bound := map[string]*v1.PersistentVolumeClaim{}
	for _, obj := range storage {
		if c, ok := obj.(*v1.PersistentVolumeClaim); ok {
			if ns, named := home[c.Name]; named && g.chance(0.9) {
				c.Namespace = ns
			}
			bound[c.Spec.VolumeName] = c
		}
	}
	for _, obj := range storage {
		pv, ok := obj.(*v1.PersistentVolume)
		if !ok || bound[pv.Name] == nil || !g.chance(0.7) {
			continue
		}
		c := bound[pv.Name]
		pv.Spec.ClaimRef = &v1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: c.Namespace, Name: c.Name, UID: pick(g, c.UID, c.UID, types.UID("another"))}
	}
}
