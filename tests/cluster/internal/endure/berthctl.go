package endure

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// check runs berthctl, which says whether the files are valid, and why not.
func (c *changer) check(ctx context.Context) (bool, string, error) {
	return c.berthctl(ctx, c.text, "check", "--plugin-dir", c.r.o.Plugins, "--plugin-dir", c.own)
}

func (c *changer) berthctl(ctx context.Context, text []byte, command string, args ...string) (bool, string, error) {
	path := filepath.Join(c.r.o.Dir, "candidate.yaml")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return false, "", err
	}
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, c.o.Berthctl, append([]string{"config", command, "--config", path}, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		return false, complaints.String(), nil
	}
	return err == nil, out.String(), err
}

// keepsCapacity returns whether each profile of a file filters by capacity, or the file is not valid. Without NodeResourcesFit
// the scheduler overcommits nodes, as configured.
func (c *changer) keepsCapacity(ctx context.Context, text []byte) (bool, error) {
	valid, printed, err := c.berthctl(ctx, text, "print")
	if err != nil || !valid {
		return err == nil, err
	}
	type set struct{ Enabled, Disabled []struct{ Name string } }
	var config struct {
		Profiles []struct {
			Plugins struct{ MultiPoint, Filter set }
		}
	}
	first, _, _ := strings.Cut(printed, "\n---\n")
	if err := yaml.Unmarshal([]byte(first), &config); err != nil {
		return false, err
	}
	has := func(list []struct{ Name string }, names ...string) bool {
		return slices.ContainsFunc(list, func(one struct{ Name string }) bool { return slices.Contains(names, one.Name) })
	}
	const fit = "NodeResourcesFit"
	for _, p := range config.Profiles {
		everywhere := has(p.Plugins.MultiPoint.Enabled, fit) && !has(p.Plugins.Filter.Disabled, fit, "*")
		if !everywhere && !has(p.Plugins.Filter.Enabled, fit) {
			return false, nil
		}
	}
	return true, nil
}
