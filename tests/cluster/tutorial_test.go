package cluster

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"berth.dev/berth/tests/cluster/internal/controlplane"
)

// Enters the commands of the tutorial verbatim: a plugin is built in an empty folder, schedules a pod in a running scheduler, and
// is replaced by another version, which schedules the next pod.
func TestTheTutorial(t *testing.T) {
	onlyBerth(t, "plugins in libraries")
	w := newWorld(t, 10*time.Minute) // it builds the plugin twice
	w.node("node1")
	w.node("node2")
	r := w.reader()
	said := map[string][]string{} // the time limit, by a text in the block
	for _, block := range tutorial(w.file("docs/plugins/tutorial.md")) {
		output := r.enters(block)
		if strings.Contains(block, "&& mv ") {
			r.usesVersion("2.0.0")
		}
		for _, command := range []string{"plugin list --running", "get pod nginx-pod "} {
			if strings.Contains(block, command) {
				said[command] = append(said[command], output)
			}
		}
		if strings.Contains(block, "get pod nginx-pod-2") {
			r.tells(output, `(?m)^nginx-pod-2 .* node1 `)
		}
	}
	if len(said["plugin list --running"]) != 2 || len(said["get pod nginx-pod "]) != 1 {
		t.Fatalf("the tutorial shows other things than this test knows of: %q", said)
	}
	r.tells(said["get pod nginx-pod "][0], `(?m)^nginx-pod .* node2 `)
	r.tells(said["plugin list --running"][0], `(?m)^MyScorePlugin +1\.0\.0 +sha256:[0-9a-f]+ +1 +active `)
	r.tells(said["plugin list --running"][1], `(?m)^MyScorePlugin +2\.0\.0 +sha256:[0-9a-f]+ +2 +active `)
	w.prove()
}

// tutorial is the text of its sh and console blocks.
func tutorial(text string) (blocks []string) {
	for _, match := range regexp.MustCompile("(?ms)^```(?:sh|console)\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, match[1])
	}
	return blocks
}

// reader is a shell whose kubectl uses the test's namespace.
type reader struct {
	*world
	address string // where the scheduler that the reader starts listens
	input   *os.File
	entered chan struct{} // one for each block that has been carried out
	ended   chan error    // of the shell
	blocks  int
}

func (w *world) reader() *reader {
	w.t.Helper()
	ports, err := controlplane.FreePorts(1)
	w.must(err)
	r := &reader{world: w, address: fmt.Sprintf("127.0.0.1:%d", ports[0]), entered: make(chan struct{}, 1), ended: make(chan error, 1)}
	script, input, err := os.Pipe()
	w.must(err)
	done, told, err := os.Pipe()
	w.must(err)
	r.input = input
	shell := exec.Command("bash", "-euo", "pipefail", "/dev/fd/3")
	shell.Dir = root
	shell.Env = append(os.Environ(), "HOME="+w.home(), "TMPDIR="+w.t.TempDir(), "KUBECONFIG=", "PATH="+programsDir+":"+os.Getenv("PATH"))
	shell.ExtraFiles = []*os.File{script, told}
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	w.must(shell.Start())
	_, _ = script.Close(), told.Close()
	w.t.Cleanup(func() {
		_ = input.Close()
		_ = syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) // the scheduler too, if the tutorial did not end it
		_ = done.Close()
	})
	go func() { r.ended <- shell.Wait() }()
	go func() {
		for lines := bufio.NewScanner(done); lines.Scan(); {
			r.entered <- struct{}{}
		}
	}()
	return r
}

// home has the kubeconfig of an administrator in the test's namespace.
func (w *world) home() string {
	w.t.Helper()
	config, err := clientcmd.LoadFromFile(w.plane.AdminFile)
	w.must(err)
	config.Contexts[config.CurrentContext].Namespace = w.ns
	home := filepath.Join(w.dir, "home")
	w.must(os.MkdirAll(filepath.Join(home, ".kube"), 0o755))
	w.must(clientcmd.WriteToFile(*config, filepath.Join(home, ".kube/config")))
	return home
}

// enters runs one block, waits until it is done, and returns its output. It uses build/dev, and a free port for the
// scheduler.
func (r *reader) enters(block string) string {
	r.t.Helper()
	r.blocks++
	output := filepath.Join(r.dir, fmt.Sprintf("block-%02d", r.blocks))
	block = strings.NewReplacer("build/release", "build/dev", "127.0.0.1:10261", r.address,
		"berth-scheduler --config", "berth-scheduler --secure-port 0 --admin-address "+r.address+" --config").Replace(block)
	_, err := fmt.Fprintf(r.input, "exec >%s 2>&1\n%s\necho >&4\n", output, block)
	r.must(err)
	failed := ""
	select {
	case <-r.entered:
	case err := <-r.ended:
		failed = fmt.Sprintf("ends with %v", err)
	case <-r.ctx.Done():
		failed = "does not end"
	}
	text, err := os.ReadFile(output)
	r.must(err)
	if failed != "" {
		r.t.Fatalf("%s\n%s:\n%s", block, failed, text)
	}
	return string(text)
}

// usesVersion waits until the scheduler uses this version of MyScorePlugin.
func (r *reader) usesVersion(version string) {
	r.t.Helper()
	r.eventually(soon, func() error {
		out, err := exec.Command(filepath.Join(root, "build/dev/bin/berthctl"), "plugin", "list", "--running", r.address).CombinedOutput()
		if err == nil && !regexp.MustCompile(`(?m)^MyScorePlugin +`+regexp.QuoteMeta(version)+" ").Match(out) {
			err = fmt.Errorf("version %s is not active: %s", version, out)
		}
		return err
	})
}

func (r *reader) tells(text, pattern string) {
	r.t.Helper()
	if !regexp.MustCompile(pattern).MatchString(text) {
		r.t.Errorf("there is no %q in\n%s", pattern, text)
	}
}
