// Package judge replays a simulator's JSON against upstream's scheduler and reports every difference.
package judge

import (
	"fmt"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"

	"berth.dev/berth/tests/conformance/internal/upstream"
)

// Files contains the input files of a simulation, in the order of the command line.
type Files struct {
	Config    string
	Manifests []string
	Steps     []string
}

// FilesIn finds the files of a case kept in a directory: config.yaml, manifest*.json and step*.json in the order of
// their names.
func FilesIn(dir string) (Files, error) {
	f := Files{Config: filepath.Join(dir, "config.yaml")}
	for pattern, into := range map[string]*[]string{"manifest*.json": &f.Manifests, "step*.json": &f.Steps} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return f, err
		}
		slices.Sort(found)
		*into = found
	}
	if len(f.Manifests) == 0 {
		return f, fmt.Errorf("%s holds no manifest*.json", dir)
	}
	return f, nil
}

// Case is a simulation's input in upstream's types.
type Case struct {
	Config  *config.KubeSchedulerConfiguration
	Objects []runtime.Object
	Steps   [][]runtime.Object
}

// Read decodes all files with upstream's own types.
func (f Files) Read() (*Case, error) {
	cfg, err := upstream.LoadConfig(f.Config)
	if err != nil {
		return nil, err
	}
	c := &Case{Config: cfg}
	for _, path := range f.Manifests {
		objs, err := upstream.ReadManifest(path)
		if err != nil {
			return nil, err
		}
		c.Objects = append(c.Objects, objs...)
	}
	for _, path := range f.Steps {
		objs, err := upstream.ReadManifest(path)
		if err != nil {
			return nil, err
		}
		c.Steps = append(c.Steps, objs)
	}
	return c, nil
}
