package node

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// hierarchies are the directories where control groups are mounted: one for each controller, or with version 2 a single one.
func hierarchies() ([]string, error) {
	mounts, err := os.ReadFile("/proc/mounts")
	if err != nil {
		return nil, err
	}
	var dirs []string
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); len(fields) > 2 && (fields[2] == "cgroup" || fields[2] == "cgroup2") {
			dirs = append(dirs, fields[1])
		}
	}
	if len(dirs) == 0 {
		return nil, errors.New("no control groups are mounted")
	}
	return dirs, nil
}

// makeCgroups makes a control group in all hierarchies.
func makeCgroups(name string) error {
	dirs, err := hierarchies()
	for _, dir := range dirs {
		err = errors.Join(err, os.MkdirAll(filepath.Join(dir, name), 0o755))
	}
	return err
}

// removeCgroups removes the group, everything below it, and its parent if that is empty. The processes in it have been killed.
func removeCgroups(name string) error {
	dirs, err := hierarchies()
	for _, dir := range dirs {
		err = errors.Join(err, removeCgroup(filepath.Join(dir, name)))
		_ = unix.Rmdir(filepath.Join(dir, filepath.Dir(name))) // another node may have a group there
	}
	return err
}

// removeCgroup waits for processes that the kernel is still ending.
func removeCgroup(top string) error {
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		err := removeEmpty(top)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("cannot remove the control group %s: %w", top, err)
		}
	}
}

// removeEmpty removes a directory that has only directories and the kernel's files, the deepest first.
func removeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			if err := removeEmpty(filepath.Join(dir, entry.Name())); err != nil {
				return err
			}
		}
	}
	return unix.Rmdir(dir)
}
