package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/daemon"
)

// threads returns how many threads of each name the process has.
func threads(pid int) (map[string]int, error) {
	dir := fmt.Sprintf("/proc/%d/task/", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	names := map[string]int{}
	for _, entry := range entries {
		text, err := os.ReadFile(dir + entry.Name() + "/comm")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		names[strings.TrimSpace(string(text))]++
	}
	return names, nil
}

// others names the threads that the process has and should not have, and those that it lacks.
func others(have, want map[string]int) error {
	var wrong []string
	for name, n := range have {
		if n > want[name] {
			wrong = append(wrong, fmt.Sprintf("%d × %s, not %d", n, name, want[name]))
		}
	}
	for name, n := range want {
		if have[name] < n {
			wrong = append(wrong, fmt.Sprintf("%d × %s, not %d", have[name], name, n))
		}
	}
	sort.Strings(wrong)
	if len(wrong) > 0 {
		return fmt.Errorf("threads at rest: %s", strings.Join(wrong, "; "))
	}
	return nil
}

// A leader with default plugins that has nothing to do has these six threads and no others (docs/architecture.md). What
// starts for a task has ended 30 seconds later.
func TestThreadsAtRest(t *testing.T) {
	onlyBerth(t, "thread with such a name")
	w := newWorld(t, 2*time.Minute)
	_ = w.client.CoordinationV1().Leases(leaseNamespace).Delete(w.ctx, leaseName, metav1.DeleteOptions{})
	w.node("node")
	d := w.start(w.profile(election), func(o *daemon.Options) { o.LeaderElect = true })
	w.pod("pod")
	w.bound("pod", 20*time.Second)
	w.ask("GET", d.URL+"/metrics") // a thread makes the answer
	want := map[string]int{
		"berth-scheduler": 1, // scheduling thread
		"berth-log":       1,
		"watchdog":        1,
		"housekeeper":     1,
		"http-server":     1,
		"api-io":          1,
	}
	var have map[string]int
	w.eventually(50*time.Second, func() error {
		var err error
		if have, err = threads(d.Pid()); err != nil {
			return err
		}
		return others(have, want)
	})
	t.Logf("threads at rest: %v", have)
}
