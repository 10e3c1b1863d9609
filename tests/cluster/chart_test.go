package cluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// helm runs the Helm of BERTH_HELM, which scripts/test sets, as the administrator of the control plane.
func (w *world) helm(args ...string) (string, error) {
	w.t.Helper()
	program := os.Getenv("BERTH_HELM")
	if program == "" {
		w.t.Skip("BERTH_HELM names no Helm; scripts/test builds one")
	}
	cmd := exec.CommandContext(w.ctx, program, append([]string{"--kubeconfig", w.plane.AdminFile, "--namespace", w.ns}, args...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (w *world) mustHelm(args ...string) string {
	w.t.Helper()
	out, err := w.helm(args...)
	if err != nil {
		w.t.Fatalf("helm %v: %v: %s", args, err, out)
	}
	return out
}

const (
	chart       = "manifests/chart"
	chartValues = "tests/chart/values"
)

// may returns whether a ServiceAccount of the world has a permission.
func (w *world) may(account string, permission authorizationv1.ResourceAttributes) bool {
	w.t.Helper()
	if permission.Namespace == "" {
		permission.Namespace = w.ns
	}
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: "system:serviceaccount:" + w.ns + ":" + account, ResourceAttributes: &permission}}
	review, err := w.client.AuthorizationV1().SubjectAccessReviews().Create(w.ctx, review, metav1.CreateOptions{})
	w.must(err)
	return review.Status.Allowed
}

// Everything that the chart can render passes the server's validation and admission.
func TestTheServerAcceptsEveryRenderedChart(t *testing.T) {
	w := newWorld(t, 2*time.Minute)
	files, err := filepath.Glob(filepath.Join(root, chartValues, "*.yaml"))
	w.must(err)
	if len(files) < 5 {
		t.Fatalf("%d files of values; where are the others?", len(files))
	}
	for _, values := range files {
		// The server has no ServiceMonitor: its kind comes with the Prometheus operator.
		text := w.mustHelm("template", "release", filepath.Join(root, chart), "--values", values, "--set", "serviceMonitor.enabled=false")
		rendered := filepath.Join(w.dir, filepath.Base(values))
		w.must(os.WriteFile(rendered, []byte(text), 0o600))
		out, err := w.plane.Kubectl(w.ctx, "apply", "--dry-run=server", "-f", rendered)
		if err != nil {
			t.Errorf("%s: %v", values, err)
		}
		t.Logf("%s", out)
	}
}

// An operator installs the chart with the values of the example i-scheduler, and then removes plugins: the permissions change
// with them, and no pod is replaced, because a running scheduler reads its plugins again.
func TestTheChartInstallsAndUpgrades(t *testing.T) {
	w := newWorld(t, 2*time.Minute)
	install := []string{"upgrade", "--install", "i-scheduler", filepath.Join(root, chart), "--values", filepath.Join(root, chartValues, "seed-i-scheduler.yaml")}
	w.mustHelm(install...)
	t.Cleanup(func() { w.mustHelm("uninstall", "i-scheduler", "--ignore-not-found") })

	first, err := w.client.AppsV1().Deployments(w.ns).Get(w.ctx, "i-scheduler", metav1.GetOptions{})
	w.must(err)
	if first.Spec.Replicas == nil || *first.Spec.Replicas != 2 {
		t.Errorf("the Deployment has %v replicas", first.Spec.Replicas)
	}
	w.eventually(30*time.Second, func() error { // its pods are created: no admission plugin rejects them
		pods, err := w.client.CoreV1().Pods(w.ns).List(w.ctx, metav1.ListOptions{LabelSelector: "app.kubernetes.io/instance=i-scheduler"})
		if err != nil || len(pods.Items) != 2 {
			return fmt.Errorf("%d pods of the Deployment: %v", len(pods.Items), err)
		}
		return nil
	})
	podGroups := authorizationv1.ResourceAttributes{Verb: "list", Group: "scheduling.x-k8s.io", Resource: "podgroups"}
	for _, one := range []struct {
		permission authorizationv1.ResourceAttributes
		want       bool
	}{
		{permission: authorizationv1.ResourceAttributes{Verb: "create", Resource: "pods", Subresource: "binding"}, want: true},
		{permission: authorizationv1.ResourceAttributes{Verb: "create", Group: "authentication.k8s.io", Resource: "tokenreviews"}, want: true},
		{permission: authorizationv1.ResourceAttributes{Verb: "create", Group: "authorization.k8s.io", Resource: "subjectaccessreviews"}, want: true},
		{permission: authorizationv1.ResourceAttributes{Verb: "create", Group: "coordination.k8s.io", Resource: "leases"}, want: true},
		{permission: authorizationv1.ResourceAttributes{Verb: "update", Group: "coordination.k8s.io", Resource: "leases", Name: "i-scheduler"}, want: true},
		{permission: authorizationv1.ResourceAttributes{Verb: "update", Group: "coordination.k8s.io", Resource: "leases", Name: "kube-scheduler"}},
		{permission: authorizationv1.ResourceAttributes{Verb: "list", Resource: "persistentvolumes"}, want: true},
		{permission: authorizationv1.ResourceAttributes{Verb: "list", Resource: "secrets"}},
		{permission: podGroups, want: true},
		{permission: authorizationv1.ResourceAttributes{Verb: "get", Resource: "configmaps", Name: "extension-apiserver-authentication", Namespace: "kube-system"}, want: true},
		{permission: authorizationv1.ResourceAttributes{Verb: "get", Resource: "configmaps", Name: "kubeadm-config", Namespace: "kube-system"}},
	} {
		if got := w.may("i-scheduler", one.permission); got != one.want {
			t.Errorf("the ServiceAccount has the permission %+v: %t", one.permission, got)
		}
	}

	w.mustHelm(append(install, "--set", "plugins.enabled={Priority}")...)
	second, err := w.client.AppsV1().Deployments(w.ns).Get(w.ctx, "i-scheduler", metav1.GetOptions{})
	w.must(err)
	if first.Generation != second.Generation {
		t.Errorf("the upgrade changes the Deployment: generation %d, then %d", first.Generation, second.Generation)
	}
	config, err := w.client.CoreV1().ConfigMaps(w.ns).Get(w.ctx, "i-scheduler-config", metav1.GetOptions{})
	w.must(err)
	if text := config.Data["scheduler-config.yaml"]; !strings.Contains(text, "Priority") || strings.Contains(text, "Coscheduling") {
		t.Errorf("after the upgrade the configuration is %s", text)
	}
	w.eventually(10*time.Second, func() error { // the API server's authorizer learns of the change from a watch
		if w.may("i-scheduler", podGroups) {
			return errors.New("without Coscheduling the ServiceAccount may list podgroups")
		}
		return nil
	})

	if out, err := w.helm(append(install, "--set", "scheduler.leaderElect=false")...); err == nil || !strings.Contains(out, "without leader election") {
		t.Errorf("two replicas without leader election: %v: %s", err, out)
	}
	w.mustHelm("uninstall", "i-scheduler")
	if _, err := w.client.RbacV1().ClusterRoles().Get(w.ctx, "berth:"+w.ns+":i-scheduler", metav1.GetOptions{}); err == nil {
		t.Error("the ClusterRole outlives the release")
	}
}
