package bench

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"berth.dev/berth/tests/conformance/internal/generate"
)

// Files are one cluster on disk: its objects, and the pending pods: all, the first few, or only as many as the shorter run schedules.
type Files struct {
	Config, Standing, Pending, Few, First string
}

// Write creates the policy's cluster in a new directory.
func (p *Policy) Write(dir string, size Size, seed uint64) (Files, error) {
	f := Files{Config: filepath.Join(dir, "config.yaml"), Standing: filepath.Join(dir, "cluster.json"),
		Pending: filepath.Join(dir, "pending.json"), Few: filepath.Join(dir, "few.json"), First: filepath.Join(dir, "first.json")}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return f, err
	}
	config, err := generate.YAML(p.config())
	if err != nil {
		return f, err
	}
	if err := os.WriteFile(f.Config, config, 0o644); err != nil {
		return f, err
	}
	c := p.cluster(size, seed)
	if err := writeList(f.Standing, c.standing); err != nil {
		return f, err
	}
	if err := writeList(f.Pending, c.pending); err != nil {
		return f, err
	}
	if err := writeList(f.Few, c.pending[:min(size.Few, size.Pending)]); err != nil {
		return f, err
	}
	return f, writeList(f.First, c.pending[:p.firstPods()])
}

// Remove deletes the cluster's objects, which are large.
func (f Files) Remove() error {
	for _, path := range []string{f.Standing, f.Pending, f.Few, f.First} {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// config is the default profile with the policy's plugins, which scores every node.
func (p *Policy) config() map[string]any {
	profile := map[string]any{}
	if p.profile != nil {
		profile = p.profile()
	}
	profile["schedulerName"] = "default-scheduler"
	return map[string]any{
		"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "percentageOfNodesToScore": 100,
		"profiles": []any{profile},
	}
}

// writeList writes a JSON List, one object per line.
func writeList(path string, objs []k8sruntime.Object) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	out.WriteString(`{"apiVersion":"v1","kind":"List","items":[`)
	separator := "\n"
	for _, obj := range objs {
		line, err := json.Marshal(obj)
		if err != nil {
			return err
		}
		out.WriteString(separator) // errors stay until Flush
		out.Write(line)
		separator = ",\n"
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}
