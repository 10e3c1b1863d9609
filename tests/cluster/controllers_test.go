package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/process"
)

// controllersLease is the Lease that replicas of berth-controllers share by default.
const controllersLease = "sched-plugins-controllers"

// controllers is one running berth-controllers.
type controllers struct {
	*process.Process
	url string // of its health and metrics
}

var controllersIdentity = regexp.MustCompile(`"Leader election" .*identity="([^"]+)"`)

// identity is its holderIdentity in the Lease; "" before it has logged that.
func (c *controllers) identity() string {
	text, _ := os.ReadFile(c.Log())
	if found := controllersIdentity.FindSubmatch(text); found != nil {
		return string(found[1])
	}
	return ""
}

// defineControllers applies the definitions of the objects, and the permissions of manifests/controllers.yaml. It leaves out
// the Deployment: its pods would disturb other tests.
func (w *world) defineControllers() {
	w.t.Helper()
	w.defines("podgroup.yaml", podGroups)
	w.defines("elasticquota.yaml", elasticQuotas)
	text, err := os.ReadFile(filepath.Join(root, "manifests/controllers.yaml"))
	w.must(err)
	var kept []string
	running := regexp.MustCompile(`(?m)^kind: (Deployment|PodDisruptionBudget|NetworkPolicy)$`)
	for _, object := range strings.Split(string(text), "\n---\n") {
		if !running.MatchString(object) {
			kept = append(kept, object)
		}
	}
	w.applyIn("", "permissions", strings.Join(kept, "\n---\n"))
}

// startControllers runs berth-controllers until the end of the test, and returns when it is ready.
func (w *world) startControllers(extra ...string) *controllers {
	w.t.Helper()
	w.daemons++
	name := fmt.Sprintf("controllers-%d", w.daemons)
	kubeconfig, err := w.plane.Kubeconfig(w.ns+"-"+name, controlplane.BerthControllers, "")
	w.must(err)
	ports, err := controlplane.FreePorts(2)
	w.must(err)
	address := fmt.Sprintf("127.0.0.1:%d", ports[0])
	path := os.Getenv("BERTH_CONTROLLERS")
	if path == "" {
		path = filepath.Join(root, "build/dev/bin/berth-controllers")
	}
	args := append([]string{"--kubeconfig=" + kubeconfig, "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", ports[1]),
		"--probeAddr=" + address, "-v=4"}, extra...)
	p, err := process.Start(filepath.Join(w.dir, name+".log"), path, args...)
	w.must(err)
	c := &controllers{Process: p, url: "http://" + address}
	w.t.Cleanup(func() { w.must(c.Kill()) })
	w.must(c.Until(w.ctx, func(ctx context.Context) error { return process.Get(ctx, process.Trusting, c.url+"/readyz") }))
	return c
}

func onNode(name string) podOption { return func(p *corev1.Pod) { p.Spec.NodeName = name } }

// ends sets the final phase of a pod, as the kubelet does.
func (w *world) ends(pod string, phase corev1.PodPhase) {
	w.t.Helper()
	patch := fmt.Sprintf(`{"status":{"phase":%q}}`, phase)
	_, err := w.client.CoreV1().Pods(w.ns).Patch(w.ctx, pod, types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
	w.must(err)
}

// shows waits until the fields of the object's status are as wanted.
func (w *world) shows(object, fields, want string) {
	w.t.Helper()
	w.eventually(20*time.Second, func() error {
		got, err := w.plane.Kubectl(w.ctx, "get", "-n", w.ns, object, "-o", "jsonpath="+fields)
		if err == nil && got != want {
			err = fmt.Errorf("%s shows %q, not %q", object, got, want)
		}
		return err
	})
}

const groupStatus = "{.status.phase} {.status.running} {.status.succeeded} {.status.failed}"

func TestControllersLeadAGroupThroughItsPhases(t *testing.T) {
	onlyBerth(t, "controllers")
	w := newWorld(t, 2*time.Minute)
	w.defineControllers()
	w.startControllers("--leader-elect=false")
	w.node("n")
	w.group("pg", 2)
	w.shows("podgroup/pg", "{.status.phase}", "Pending")
	for _, name := range []string{"a", "b", "c"} {
		w.pod(name, memberOf("pg"), gate("wait/here"))
	}
	w.shows("podgroup/pg", "{.status.phase}", "Scheduling")
	for _, name := range []string{"a", "b", "c"} {
		w.must(w.client.CoreV1().Pods(w.ns).Delete(w.ctx, name, metav1.DeleteOptions{}))
	}
	w.shows("podgroup/pg", "{.status.phase}", "Pending")
	for _, name := range []string{"d", "e", "f"} {
		w.pod(name, memberOf("pg"), onNode("n"))
	}
	w.shows("podgroup/pg", "{.status.phase} {.status.running}", "Running 3")
	w.ends("d", corev1.PodFailed)
	w.shows("podgroup/pg", "{.status.phase} {.status.running} {.status.failed}", "Running 2 1")
	w.ends("e", corev1.PodFailed)
	w.shows("podgroup/pg", "{.status.phase} {.status.running} {.status.failed}", "Failed 1 2")
	w.pod("g", memberOf("pg"), onNode("n"))
	w.shows("podgroup/pg", "{.status.phase} {.status.running} {.status.failed}", "Running 2 2")
	w.ends("f", corev1.PodSucceeded)
	w.ends("g", corev1.PodSucceeded)
	w.shows("podgroup/pg", groupStatus, "Finished 0 2 2")
}

func TestControllersFollowTheUseOfAQuota(t *testing.T) {
	onlyBerth(t, "controllers")
	w := newWorld(t, 2*time.Minute)
	w.defineControllers()
	w.startControllers("--leader-elect=false")
	w.node("n")
	w.apply("quota", "apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: ElasticQuota\nmetadata: {name: eq, namespace: "+w.ns+
		"}\nspec: {max: {cpu: 10, memory: 1Gi}}\n")
	const used = "{.status.used.cpu} {.status.used.memory}"
	w.shows("elasticquota/eq", used, "0 0")
	w.pod("a", onNode("n"), cpu("1500m"))
	w.pod("b", onNode("n"), cpu("1"))
	w.pod("waits", cpu("1"))
	w.shows("elasticquota/eq", used, "2500m 0")
	w.ends("a", corev1.PodSucceeded)
	w.shows("elasticquota/eq", used, "1 0")
	w.must(w.client.CoreV1().Pods(w.ns).Delete(w.ctx, "b", metav1.DeleteOptions{}))
	w.shows("elasticquota/eq", used, "0 0")
	w.eventually(20*time.Second, func() error {
		events, err := w.client.CoreV1().Events(w.ns).List(w.ctx, metav1.ListOptions{FieldSelector: "reason=Synced"})
		if err == nil && (len(events.Items) != 1 || events.Items[0].Message != "Elastic Quota "+w.ns+"/eq synced successfully") {
			err = fmt.Errorf("the Events are %v", events.Items)
		}
		return err
	})
}

func TestAnotherControllerGoesOn(t *testing.T) {
	onlyBerth(t, "controllers")
	w := newWorld(t, 3*time.Minute)
	w.defineControllers()
	leases := w.client.CoordinationV1().Leases(leaseNamespace)
	if err := leases.Delete(w.ctx, controllersLease, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	var members []*controllers
	for range 2 {
		members = append(members, w.startControllers("--leader-elect-lease-duration=5s", "--leader-elect-renew-deadline=4s",
			"--leader-elect-retry-period=500ms"))
	}
	leader := func(patience time.Duration) (found int) {
		w.eventually(patience, func() error {
			lease, err := leases.Get(w.ctx, controllersLease, metav1.GetOptions{})
			if err != nil {
				return err
			}
			for i, c := range members {
				if lease.Spec.HolderIdentity != nil && c.identity() != "" && c.identity() == *lease.Spec.HolderIdentity {
					found = i
					return nil
				}
			}
			return fmt.Errorf("no replica holds the Lease: %v", lease.Spec)
		})
		return found
	}
	w.node("n")
	w.group("before", 1)
	w.shows("podgroup/before", "{.status.phase}", "Pending")
	first := leader(10 * time.Second)
	w.must(members[first].Kill())
	w.group("after", 1)
	w.pod("a", memberOf("after"), onNode("n"))
	w.shows("podgroup/after", "{.status.phase} {.status.running}", "Running 1")
	if second := leader(time.Second); second == first {
		t.Errorf("replica %d holds the Lease after its end", first)
	}
	// A graceful shutdown releases the Lease, so the next replica does not wait until the Lease expires.
	w.must(members[1-first].Stop(10 * time.Second))
	lease, err := leases.Get(w.ctx, controllersLease, metav1.GetOptions{})
	w.must(err)
	if holder := lease.Spec.HolderIdentity; holder != nil && *holder != "" {
		t.Errorf("%s holds the Lease after its end", *holder)
	}
}
