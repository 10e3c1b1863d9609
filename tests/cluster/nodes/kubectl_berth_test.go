package nodes

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"berth.dev/berth/tests/cluster/internal/controlplane"
)

// user is somebody with a kubeconfig whose context has the namespace of the test.
type user struct {
	*world
	name, kubeconfig string
}

func (w *world) user(name string, credentials *clientcmdapi.AuthInfo) user {
	w.t.Helper()
	config := clientcmdapi.NewConfig()
	config.Clusters["test"] = &clientcmdapi.Cluster{Server: plane.URL, CertificateAuthorityData: plane.CA()}
	config.AuthInfos["me"] = credentials
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "me", Namespace: w.ns}
	config.CurrentContext = "test"
	file := filepath.Join(w.dir, name+".kubeconfig")
	w.must(clientcmd.WriteToFile(*config, file))
	return user{w, name, file}
}

// withCertificate is a user with a client certificate that the API server, and so the scheduler, trusts.
func (w *world) withCertificate(name string) user {
	w.t.Helper()
	certificate, err := plane.ClientCertificate(name)
	w.must(err)
	chain, key, err := controlplane.PEM(certificate)
	w.must(err)
	return w.user(name, &clientcmdapi.AuthInfo{ClientCertificateData: chain, ClientKeyData: key})
}

// berth runs `kubectl berth` as a user does.
func (u user) berth(args ...string) (string, error) {
	u.t.Helper()
	kubectl := plane.KubectlProgram()
	cmd := exec.CommandContext(u.ctx, kubectl, append([]string{"berth"}, args...)...)
	path := strings.Join([]string{filepath.Dir(kubectl), filepath.Join(top, "build/dev/bin"), "/usr/bin", "/bin"}, ":")
	cmd.Env = []string{"PATH=" + path, "HOME=" + u.dir, "KUBECONFIG=" + u.kubeconfig}
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		return string(out), fmt.Errorf("kubectl berth %v: %w: %s", args, err, exit.Stderr)
	}
	return string(out), err
}

// why asks until the answer has this summary. The scheduler and the API server learn permissions with a delay.
func (u user) why(summary string, args ...string) {
	u.t.Helper()
	u.eventually(40*time.Second, func() error {
		out, err := u.berth(append([]string{"why", "-o", "json"}, args...)...)
		if err != nil {
			return err
		}
		var answer struct{ Summary string }
		if err := json.Unmarshal([]byte(out), &answer); err != nil || !strings.Contains(answer.Summary, summary) {
			return fmt.Errorf("%s is told %q, %w", u.name, out, err)
		}
		return nil
	})
}

// refused asks until the error has this text.
func (u user) refused(text string, args ...string) {
	u.t.Helper()
	u.eventually(40*time.Second, func() error {
		out, err := u.berth(append([]string{"why"}, args...)...)
		if err == nil || !strings.Contains(err.Error(), text) {
			return fmt.Errorf("%s is told %q and the error %w, want it with %q", u.name, out, err, text)
		}
		return nil
	})
}

// documented applies the Role and the ClusterRole of docs/decisions.md, the Role in the namespace of the scheduler.
func (w *world) documented(namespace string) {
	w.t.Helper()
	page, err := os.ReadFile(filepath.Join(top, "docs/decisions.md"))
	w.must(err)
	var roles []string
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(block[1], "rbac.authorization.k8s.io") {
			roles = append(roles, strings.ReplaceAll(block[1], "namespace: kube-system", "namespace: "+namespace))
		}
	}
	if len(roles) != 2 {
		w.t.Fatalf("docs/decisions.md has %d roles", len(roles))
	}
	file := filepath.Join(w.dir, "roles.yaml")
	w.must(os.WriteFile(file, []byte(strings.Join(roles, "---\n")), 0o644))
	w.kubectl("apply", "-f", file)
	w.t.Cleanup(func() { w.kubectl("delete", "-f", file) })
}

// bind gives the user berth-explain, the Role of that name in the namespace, or the ClusterRole if the namespace is "".
func (u user) bind(namespace string) {
	u.t.Helper()
	meta := metav1.ObjectMeta{Name: u.ns + "-" + u.name, Namespace: namespace}
	ref := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "berth-explain"}
	subjects := []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: u.name}}
	rbac, err := u.client.RbacV1(), error(nil)
	if namespace == "" {
		ref.Kind = "ClusterRole"
		_, err = rbac.ClusterRoleBindings().Create(u.ctx, &rbacv1.ClusterRoleBinding{ObjectMeta: meta, RoleRef: ref, Subjects: subjects}, metav1.CreateOptions{})
		u.t.Cleanup(func() { u.kubectl("delete", "clusterrolebinding", meta.Name) })
	} else {
		_, err = rbac.RoleBindings(namespace).Create(u.ctx, &rbacv1.RoleBinding{ObjectMeta: meta, RoleRef: ref, Subjects: subjects}, metav1.CreateOptions{})
		u.t.Cleanup(func() { u.kubectl("-n", namespace, "delete", "rolebinding", meta.Name) })
	}
	u.must(err)
}

func nowhere(pod *corev1.Pod) { pod.Spec.NodeSelector = map[string]string{"berth.test/none": "yes"} }

// The static pod is on the network of its node, so the Lease names the node. Users with a certificate and with a token need the
// permissions of docs/decisions.md, and no others.
func TestKubectlBerthAsksTheStaticPod(t *testing.T) {
	w := newWorld(t, 4*time.Minute)
	w.ready(metav1.NamespaceSystem, staticPod, time.Minute)
	w.pod("stuck", "", nowhere)
	w.documented(metav1.NamespaceSystem)
	const summary = "0 of 2 nodes fit"

	jane := w.withCertificate("jane")
	jane.refused("The user needs the Role berth-explain in the namespace kube-system", "stuck")
	jane.bind(metav1.NamespaceSystem)
	jane.refused(`answered 403: forbidden: User "jane" cannot get path "/admin/v1/pods/`+w.ns+`/stuck"`, "stuck")
	jane.bind("")
	jane.why(summary, "stuck")

	nobody := w.user(string(controlplane.Nobody), &clientcmdapi.AuthInfo{Token: plane.Token(controlplane.Nobody)})
	nobody.bind(metav1.NamespaceSystem)
	nobody.bind("")
	nobody.why(summary, w.ns+"/stuck")
	list, err := nobody.berth("plugin", "list")
	w.must(err)
	if !strings.Contains(list, "NodeResourcesFit") {
		t.Errorf("the plugins are %s", list)
	}
	nobody.refused("there is no Lease kube-system/none", "stuck", "--scheduler-lease", "none")
	w.unrestarted(metav1.NamespaceSystem, staticPod)
}

// The replicas of the chart have networks of their own, and the Lease names the pod. The one that leads answers.
func TestKubectlBerthAsksTheLeaderOfTheChart(t *testing.T) {
	w := newWorld(t, 4*time.Minute)
	r := w.install(10259, "")
	w.pod("stuck", w.ns, nowhere)
	w.documented(w.ns)
	jane := w.withCertificate("jane")
	jane.bind(w.ns)
	jane.bind("")
	scheduler := []string{"--scheduler-namespace", w.ns, "--scheduler-lease", w.ns}
	jane.why("0 of 2 nodes fit", append(scheduler, "stuck")...)
	// Only the leader has decisions.
	out, err := jane.berth(append([]string{"why", "stuck", "--nodes"}, scheduler...)...)
	w.must(err)
	if !strings.Contains(out, controlNode) || !strings.Contains(out, otherNode) {
		t.Errorf("the leader %s says %s", r.leader().Name, out)
	}
}
