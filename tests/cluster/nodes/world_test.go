package nodes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"berth.dev/berth/tests/cluster/internal/await"
	"berth.dev/berth/tests/cluster/internal/history"
	"berth.dev/berth/tests/cluster/internal/node"
)

// world is one test's part of the cluster: a namespace.
type world struct {
	t      *testing.T
	ctx    context.Context
	client kubernetes.Interface
	ns     string
	dir    string // for what the test writes
}

// newWorld makes a namespace; patience limits the duration of the test.
func newWorld(t *testing.T, patience time.Duration) *world {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	t.Cleanup(stop)
	ns := strings.Trim(strings.ToLower(regexp.MustCompile(`[A-Z]`).ReplaceAllString(strings.TrimPrefix(t.Name(), "Test"), "-$0")), "-")
	w := &world{t: t, ctx: ctx, client: plane.Client, ns: ns, dir: filepath.Join(logs, ns)}
	w.must(os.MkdirAll(w.dir, 0o755))
	_, err := w.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}}, metav1.CreateOptions{})
	w.must(err)
	t.Cleanup(w.clean)
	return w
}

// clean first saves what helps to debug a failure, and then deletes the namespace.
func (w *world) clean() {
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	for file, args := range map[string]string{
		"pods.txt": "get pods -A -o wide", "events.txt": "get events -A --sort-by=.metadata.creationTimestamp", "pods.yaml": "get pods -o yaml",
		"describe.txt": "describe pods,nodes,deployments",
	} {
		out, err := plane.Kubectl(ctx, append([]string{"-n", w.ns}, strings.Fields(args)...)...)
		if err = errors.Join(err, os.WriteFile(filepath.Join(w.dir, file), []byte(out), 0o644)); err != nil {
			w.t.Log(err)
		}
	}
	if _, err := plane.Kubectl(ctx, "delete", "namespace", w.ns, "--timeout=50s"); err != nil {
		w.t.Error(err)
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	await.Must(w.t, err)
}

// eventually calls ask until it returns nil, and fails the test with its last error after patience.
func (w *world) eventually(patience time.Duration, ask func() error) {
	w.t.Helper()
	await.Until(w.ctx, w.t, patience, ask)
}

// newPod returns a pod for this scheduler ("": the default) that runs until it is deleted.
func (w *world) newPod(name, scheduler string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.ns},
		Spec: corev1.PodSpec{SchedulerName: scheduler, Containers: []corev1.Container{{
			Name: "main", Image: node.PauseImage, ImagePullPolicy: corev1.PullNever,
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("5m")}},
		}}},
	}
}

func (w *world) pod(name, scheduler string, change ...func(*corev1.Pod)) {
	w.t.Helper()
	pod := w.newPod(name, scheduler)
	for _, f := range change {
		f(pod)
	}
	_, err := w.client.CoreV1().Pods(w.ns).Create(w.ctx, pod, metav1.CreateOptions{})
	w.must(err)
}

// asMuchAsTheStaticPod sets the requests of a pod to those of the static pod, so that both nodes get pods.
func asMuchAsTheStaticPod(pod *corev1.Pod) {
	pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("100m")
}

func condition(pod *corev1.Pod, kind corev1.PodConditionType) corev1.PodCondition {
	for _, c := range pod.Status.Conditions {
		if c.Type == kind {
			return c
		}
	}
	return corev1.PodCondition{}
}

// ready waits until the kubelet has said that the pod is ready.
func (w *world) ready(namespace, name string, patience time.Duration) *corev1.Pod {
	w.t.Helper()
	var pod *corev1.Pod
	w.eventually(patience, func() (err error) {
		pod, err = w.client.CoreV1().Pods(namespace).Get(w.ctx, name, metav1.GetOptions{})
		if err == nil && condition(pod, corev1.PodReady).Status != corev1.ConditionTrue {
			err = fmt.Errorf("pod %s is not ready: %+v; %+v", name, pod.Status.Conditions, pod.Status.ContainerStatuses)
		}
		return err
	})
	return pod
}

// unrestarted checks that no container of the pod was restarted.
func (w *world) unrestarted(namespace, name string) {
	w.t.Helper()
	pod, err := w.client.CoreV1().Pods(namespace).Get(w.ctx, name, metav1.GetOptions{})
	w.must(err)
	for _, c := range pod.Status.ContainerStatuses {
		if c.RestartCount != 0 || !c.Ready {
			w.t.Errorf("container %s of pod %s: %+v", c.Name, name, c)
		}
	}
}

// events waits until at least this many Events have the reason. Their sources publish them asynchronously.
func (w *world) events(reason string, atLeast int) []corev1.Event {
	w.t.Helper()
	var found []corev1.Event
	w.eventually(10*time.Second, func() error {
		events, err := w.client.CoreV1().Events(w.ns).List(w.ctx, metav1.ListOptions{FieldSelector: "reason=" + reason})
		if err != nil {
			return err
		}
		if found = events.Items; len(found) < atLeast {
			return fmt.Errorf("there are %d events %s, want %d", len(found), reason, atLeast)
		}
		return nil
	})
	return found
}

// get returns the answer to a GET request from the network of a node, with a bearer token unless the token is "".
func (w *world) get(node, url, token string) string {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.ctx, http.MethodGet, url, nil)
	w.must(err)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	client := nodes[node].Client()
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	w.must(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	w.must(err)
	if resp.StatusCode != http.StatusOK {
		w.t.Fatalf("GET %s: %s: %s", url, resp.Status, body)
	}
	return string(body)
}

// log returns what a container has written to its standard output and error.
func (w *world) log(pod *corev1.Pod, container string) string {
	w.t.Helper()
	file := filepath.Join(nodes[pod.Spec.NodeName].Logs, "pods", fmt.Sprintf("%s_%s_%s", pod.Namespace, pod.Name, pod.UID), container, "0.log")
	text, err := os.ReadFile(file)
	w.must(err)
	return string(text)
}

func (w *world) kubectl(args ...string) string {
	w.t.Helper()
	out, err := plane.Kubectl(w.ctx, args...)
	w.must(err)
	return out
}

// helm runs the Helm of BERTH_HELM, which scripts/test sets, as the administrator.
func (w *world) helm(args ...string) {
	w.t.Helper()
	program := os.Getenv("BERTH_HELM")
	if program == "" {
		w.t.Skip("BERTH_HELM names no Helm; scripts/test builds one")
	}
	cmd := exec.CommandContext(w.ctx, program, append([]string{"--kubeconfig", plane.AdminFile, "--namespace", w.ns}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("helm %v: %v: %s", args, err, out)
	}
}

// proveAll checks the complete history of the cluster: no pod has ever had a second node, and no node was overcommitted.
func (w *world) proveAll() {
	w.t.Helper()
	events, err := history.Read(w.ctx, plane.Etcd, 0)
	w.must(err)
	proof := history.Prove(events, 0)
	for _, violation := range append(proof.Moved, proof.Overfull...) {
		w.t.Error(violation)
	}
	w.t.Logf("%d pods had a node, and only one", len(proof.Bound))
}
