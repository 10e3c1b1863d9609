package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/controlplane"
)

// installs defines a resource of manifests/crds, and permits the scheduler to watch it until the test ends.
func (w *world) installs(manifest, resource string) {
	w.t.Helper()
	w.defines(manifest, resource)
	w.permits(resource)
}

// defines applies a custom resource definition of manifests/crds.
func (w *world) defines(manifest, resource string) {
	w.t.Helper()
	_, err := w.plane.Kubectl(w.ctx, "apply", "-f", filepath.Join(root, "manifests/crds", manifest))
	w.must(err)
	_, err = w.plane.Kubectl(w.ctx, "wait", "--for=condition=Established", "--timeout=30s", "crd/"+resource)
	w.must(err)
}

// permits lets the scheduler read a resource, such as podgroups.scheduling.x-k8s.io, until the test ends.
func (w *world) permits(resource string) {
	w.t.Helper()
	name := w.ns + "-" + resource
	plural, group, _ := strings.Cut(resource, ".")
	// kubectl would refuse a resource that does not exist yet.
	_, err := w.client.RbacV1().ClusterRoles().Create(w.ctx, &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name},
		Rules: []rbacv1.PolicyRule{{APIGroups: []string{group}, Resources: []string{plural}, Verbs: []string{"get", "list", "watch"}}},
	}, metav1.CreateOptions{})
	w.must(err)
	_, err = w.plane.Kubectl(w.ctx, "create", "clusterrolebinding", name, "--clusterrole="+name,
		"--user="+string(controlplane.BerthScheduler))
	w.must(err)
	w.t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
		defer stop()
		_, err := w.plane.Kubectl(ctx, "delete", "clusterrole,clusterrolebinding", name)
		w.must(err)
	})
}

// apply applies manifests in the world's namespace.
func (w *world) apply(name, manifests string) {
	w.t.Helper()
	w.applyIn(w.ns, name, manifests)
}

// applyIn applies manifests in a namespace. "": all of them name theirs.
func (w *world) applyIn(ns, name, manifests string) {
	w.t.Helper()
	file := filepath.Join(w.dir, name+".yaml")
	w.must(os.WriteFile(file, []byte(manifests), 0o600))
	args := []string{"apply", "-f", file}
	if ns != "" {
		args = append(args, "-n", ns)
	}
	_, err := w.plane.Kubectl(w.ctx, args...)
	w.must(err)
}

// whole waits until n pods with this prefix have a node.
func (w *world) whole(prefix string, n int, patience time.Duration) {
	w.t.Helper()
	w.eventually(patience, func() error {
		bound, all, err := w.countOf(prefix + "-")
		if err == nil && bound < n {
			err = fmt.Errorf("%d of %d pods %s-* have a node, not %d", bound, all, prefix, n)
		}
		return err
	})
}

// beside creates another namespace, whose pods are deleted at the end of the test.
func (w *world) beside(suffix string) string {
	w.t.Helper()
	ns := w.ns + "-" + suffix
	_, err := w.client.CoreV1().Namespaces().Create(w.ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}}, metav1.CreateOptions{})
	w.must(err)
	w.t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
		defer stop()
		var now int64
		w.must(w.client.CoreV1().Pods(ns).DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: &now}, metav1.ListOptions{}))
	})
	return ns
}

// podIn creates a pod for the world's scheduler in another namespace.
func (w *world) podIn(ns, name string, options ...podOption) {
	w.t.Helper()
	p := w.newPod(name, options...)
	p.Namespace = ns
	_, err := w.client.CoreV1().Pods(ns).Create(w.ctx, p, metav1.CreateOptions{})
	w.must(err)
}
