package nodes

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/controlplane"
)

// release is the Helm chart with two replicas, installed in the namespace of a test, whose name is also the scheduler's.
type release struct {
	*world
	port int // of the replicas
}

// The values of all releases here: every plugin comes from a volume, which an init container fills.
const volume = `
shippedPlugins: false
pluginVolumes: [{name: all, initImage: "berth-plugins:%s"}]
`

// install installs the chart and waits until both replicas are ready. values is YAML.
func (w *world) install(port int, values string) *release {
	w.t.Helper()
	r := &release{w, port}
	file := filepath.Join(w.dir, "values.yaml")
	text := fmt.Sprintf("scheduler: {name: %s}\nsecurePort: %d\n", w.ns, port) + fmt.Sprintf(volume, w.version()) + values
	w.must(os.WriteFile(file, []byte(text), 0o644))
	w.helm("upgrade", "--install", w.ns, filepath.Join(top, "manifests/chart"), "--values", file)
	w.t.Cleanup(r.keep)
	began := time.Now()
	r.ready()
	w.t.Logf("both replicas are ready after %.1f s", time.Since(began).Seconds())
	return r
}

// ready waits until there are two replicas, and both are ready.
func (r *release) ready() {
	r.t.Helper()
	r.eventually(90*time.Second, func() error {
		ready := 0
		for _, pod := range r.replicas() {
			if condition(&pod, corev1.PodReady).Status == corev1.ConditionTrue {
				ready++
			}
		}
		if ready != 2 {
			return fmt.Errorf("%d of 2 replicas are ready", ready)
		}
		return nil
	})
}

// keep writes the logs of the replicas where those of the test are: kubelets delete the logs of deleted pods.
func (r *release) keep() {
	files, err := filepath.Glob(filepath.Join(logs, "node-*", "pods", r.ns+"_"+r.ns+"-*", "*", "*.log"))
	for _, file := range files {
		text, failed := os.ReadFile(file)
		pod := strings.Split(filepath.Base(filepath.Dir(filepath.Dir(file))), "_")[1]
		err = errors.Join(err, failed, os.WriteFile(filepath.Join(r.dir, pod+"."+filepath.Base(filepath.Dir(file))+".log"), text, 0o644))
	}
	r.must(err)
}

// version is the version of the images and of the chart.
func (w *world) version() string {
	text, err := os.ReadFile(filepath.Join(top, "CMakeLists.txt"))
	w.must(err)
	return string(regexp.MustCompile(`(?m)^project\(berth VERSION ([0-9.]+)`).FindSubmatch(text)[1])
}

// replicas returns the pods of the Deployment without a deletion timestamp.
func (r *release) replicas() []corev1.Pod {
	r.t.Helper()
	pods, err := r.client.CoreV1().Pods(r.ns).List(r.ctx, metav1.ListOptions{LabelSelector: "app.kubernetes.io/component=scheduler"})
	r.must(err)
	var living []corev1.Pod
	for _, pod := range pods.Items {
		if pod.DeletionTimestamp == nil {
			living = append(living, pod)
		}
	}
	return living
}

// leader returns the replica that the Lease names.
func (r *release) leader() corev1.Pod {
	r.t.Helper()
	var leader corev1.Pod
	r.eventually(30*time.Second, func() error {
		lease, err := r.client.CoordinationV1().Leases(r.ns).Get(r.ctx, r.ns, metav1.GetOptions{})
		if err != nil || lease.Spec.HolderIdentity == nil {
			return errors.Join(err, errors.New("the Lease has no holder"))
		}
		for _, pod := range r.replicas() {
			// The identity is the host's name, which on the network of the node is the node's, and something unique.
			if name, _, _ := strings.Cut(*lease.Spec.HolderIdentity, "_"); name == pod.Name || (pod.Spec.HostNetwork && name == pod.Spec.NodeName) {
				leader = pod
				return nil
			}
		}
		return fmt.Errorf("no replica is %s", *lease.Spec.HolderIdentity)
	})
	return leader
}

// metric returns the value of a replica's series whose labels contain this text; 0 if there is none. The API server authorizes
// the administrator to read it on the secure port.
func (r *release) metric(pod *corev1.Pod, name, labels string) float64 {
	r.t.Helper()
	url := fmt.Sprintf("https://%s:%d/metrics", pod.Status.PodIP, r.port)
	for line := range strings.Lines(r.get(pod.Spec.NodeName, url, plane.Token(controlplane.Admin))) {
		series, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if (series == name || strings.HasPrefix(series, name+"{")) && strings.Contains(series, labels) {
			number, err := strconv.ParseFloat(value, 64)
			r.must(err)
			return number
		}
	}
	return 0
}

// oneLeads checks that exactly one replica reports that it leads.
func (r *release) oneLeads() {
	r.t.Helper()
	r.eventually(20*time.Second, func() error {
		sum := 0.0
		for _, pod := range r.replicas() {
			sum += r.metric(&pod, "leader_election_master_status", "")
		}
		if sum != 1 {
			return fmt.Errorf("%g replicas lead", sum)
		}
		return nil
	})
}
