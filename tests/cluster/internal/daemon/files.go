package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// begin writes the first configuration.
func (d *Daemon) begin(o Options) error {
	if o.Verbatim != nil {
		return d.Write(o.Verbatim)
	}
	return d.Configure(o.Config)
}

// Configure replaces the current configuration by this one, with clientConnection.kubeconfig set, as Write does.
func (d *Daemon) Configure(text string) error {
	whole, err := d.Complete(text)
	if err != nil {
		return err
	}
	return d.Write(whole)
}

// Complete is this configuration in the form that Configure writes.
func (d *Daemon) Complete(text string) ([]byte, error) { return withKubeconfig(text, d.kubeconfig) }

// Write replaces the content of the configuration's file atomically: by a rename over it or, with Options.ConfigMap, by
// renaming the link ..data of its directory, as the kubelet does. One goroutine at a time.
func (d *Daemon) Write(text []byte) error {
	if d.volume == "" {
		return Replace(d.Config, text)
	}
	d.versions++
	old, _ := os.Readlink(filepath.Join(d.volume, "..data")) // the file does not exist yet if there is an error
	now := fmt.Sprintf("..version_%d", d.versions)
	half := filepath.Join(d.volume, "..data_tmp")
	err := errors.Join(
		os.MkdirAll(filepath.Join(d.volume, now), 0o755),
		os.WriteFile(filepath.Join(d.volume, now, filepath.Base(d.Config)), text, 0o644),
		os.Symlink(now, half),
		os.Rename(half, filepath.Join(d.volume, "..data")))
	if err != nil {
		return err
	}
	if old != "" {
		return os.RemoveAll(filepath.Join(d.volume, old))
	}
	return os.Symlink(filepath.Join("..data", filepath.Base(d.Config)), d.Config)
}

// Replace writes a file beside path and renames it over path, so that no reader sees an incomplete file.
func Replace(path string, content []byte) error {
	half := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".half")
	return errors.Join(os.WriteFile(half, content, 0o644), os.Rename(half, path))
}
