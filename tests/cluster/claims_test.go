package cluster

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

const (
	selectedNode  = "volume.kubernetes.io/selected-node"
	bindCompleted = "pv.kubernetes.io/bind-completed"
	noProvisioner = "kubernetes.io/no-provisioner"
)

// joining is the time that kube-controller-manager may take to bind a claim and its volume: what it misses at first, it
// finds in its next pass over all claims, every 15 s.
const joining = 45 * time.Second

// storageClass creates the class with the world's name, whose claims wait for their first consumer.
func (w *world) storageClass(provisioner string, change ...func(*storagev1.StorageClass)) {
	w.t.Helper()
	mode := storagev1.VolumeBindingWaitForFirstConsumer
	class := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: w.ns}, Provisioner: provisioner, VolumeBindingMode: &mode}
	for _, f := range change {
		f(class)
	}
	_, err := w.client.StorageV1().StorageClasses().Create(w.ctx, class, metav1.CreateOptions{})
	w.must(err)
	w.t.Cleanup(func() {
		now, ours := metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "test=" + w.ns}
		w.must(w.client.StorageV1().StorageClasses().Delete(w.ctx, w.ns, now))
		w.must(w.client.CoreV1().PersistentVolumeClaims(w.ns).DeleteCollection(w.ctx, now, metav1.ListOptions{}))
		w.must(w.client.CoreV1().PersistentVolumes().DeleteCollection(w.ctx, now, ours))
	})
}

// claim creates a claim of the world's class, and gives the scheduler time to see it. Neither scheduler shows when it
// has, and both try a pod that they see before its claim.
func (w *world) claim(name string) {
	w.t.Helper()
	w.must(w.createClaim(name))
	time.Sleep(500 * time.Millisecond)
}

func (w *world) createClaim(name string) error {
	_, err := w.client.CoreV1().PersistentVolumeClaims(w.ns).Create(w.ctx, &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.PersistentVolumeClaimSpec{
			StorageClassName: &w.ns, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
		},
	}, metav1.CreateOptions{})
	return err
}

// selected is nil if the scheduler has selected the nodes of n claims.
func (w *world) selected(n int) error {
	claims, err := w.client.CoreV1().PersistentVolumeClaims(w.ns).List(w.ctx, metav1.ListOptions{ResourceVersion: "0"})
	if err != nil {
		return err
	}
	for _, claim := range claims.Items {
		if claim.Annotations[selectedNode] != "" {
			n--
		}
	}
	if n > 0 {
		return fmt.Errorf("not all of %d claims have a selected node yet", n)
	}
	return nil
}

// volume creates an unbound volume of the world's class on only one node.
func (w *world) volume(name, node string) *corev1.PersistentVolume {
	here := corev1.NodeSelectorRequirement{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{node}}
	return &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: w.ns + "-" + name, Labels: map[string]string{"test": w.ns}},
		Spec: corev1.PersistentVolumeSpec{
			StorageClassName: w.ns, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Capacity:                      corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")},
			PersistentVolumeReclaimPolicy: corev1.PersistentVolumeReclaimRetain,
			PersistentVolumeSource:        corev1.PersistentVolumeSource{Local: &corev1.LocalVolumeSource{Path: "/mnt"}},
			NodeAffinity: &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{
				NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{here}}}}},
		},
	}
}

func (w *world) createVolume(v *corev1.PersistentVolume) error {
	_, err := w.client.CoreV1().PersistentVolumes().Create(w.ctx, v, metav1.CreateOptions{})
	return err
}

// uses is a pod with this claim.
func uses(claim string) podOption {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: claim, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}})
	}
}

// claims watches the namespace's claims from the start of the test, and calls see with each state until it returns true
// or the test ends.
func (w *world) claims(ctx context.Context, see func(*corev1.PersistentVolumeClaim) bool) error {
	seen, err := w.client.CoreV1().PersistentVolumeClaims(w.ns).Watch(ctx, metav1.ListOptions{ResourceVersion: strconv.FormatInt(w.since, 10)})
	if err != nil {
		return err
	}
	defer seen.Stop()
	for e := range seen.ResultChan() {
		if claim, ok := e.Object.(*corev1.PersistentVolumeClaim); ok && e.Type != watch.Deleted && see(claim) {
			return nil
		}
	}
	return errors.New("the watch of claims has ended")
}

// provision acts as a storage driver: it creates a volume on the selected node for each claim that has one, after the
// delay. kube-controller-manager binds the two.
func (w *world) provision(delay time.Duration) {
	w.t.Helper()
	made := map[string]bool{}
	ctx, stop := context.WithCancel(w.ctx)
	var provisioner sync.WaitGroup
	w.t.Cleanup(func() { stop(); provisioner.Wait() })
	provisioner.Go(func() {
		err := w.claims(ctx, func(claim *corev1.PersistentVolumeClaim) bool {
			if node := claim.Annotations[selectedNode]; node != "" && !made[claim.Name] {
				made[claim.Name] = true
				time.Sleep(delay)
				if err := w.createVolume(w.provisioned(claim, node)); err != nil {
					w.t.Errorf("no volume for claim %s: %v", claim.Name, err)
				}
			}
			return false
		})
		if ctx.Err() == nil {
			w.t.Errorf("the provisioner of the test has failed: %v", err)
		}
	})
}

// provisioned is the volume that a storage driver creates for a claim.
func (w *world) provisioned(claim *corev1.PersistentVolumeClaim, node string) *corev1.PersistentVolume {
	v := w.volume(claim.Name, node)
	v.Spec.ClaimRef = &corev1.ObjectReference{
		APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID,
	}
	v.Spec.PersistentVolumeSource = corev1.PersistentVolumeSource{
		CSI: &corev1.CSIPersistentVolumeSource{Driver: "fake.berth.dev", VolumeHandle: claim.Name},
	}
	return v
}

// boundBehind fails the test unless the claim had its volume before the pod had its node. The controller writes the
// claim's phase later, and no scheduler waits for that.
func (w *world) boundBehind(pod, name string) {
	w.t.Helper()
	claimed := ""
	w.must(w.claims(w.ctx, func(claim *corev1.PersistentVolumeClaim) bool {
		claimed = claim.ResourceVersion
		return claim.Name == name && claim.Spec.VolumeName != "" && claim.Annotations[bindCompleted] == "yes"
	}))
	bound := int64(0)
	for _, e := range w.podHistory() {
		if bound == 0 && e.Pod.Name == pod && e.Pod.Spec.NodeName != "" {
			bound = e.Revision
		}
	}
	if at, err := strconv.ParseInt(claimed, 10, 64); err != nil || at > bound {
		w.t.Errorf("claim %s had its volume at revision %s, and pod %s its node at %d already (%v)", name, claimed, pod, bound, err)
	}
}
