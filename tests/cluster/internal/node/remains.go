package node

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const prefix = "berth-nodes-"

// MakeRoot makes a directory for Options.Root. The next call removes it if this process was killed before it could.
func MakeRoot() (string, error) {
	if err := removeRemains(); err != nil {
		return "", err
	}
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", prefix, os.Getpid()))
}

// removeRemains removes what killed processes have left behind: directories, and control groups without processes.
func removeRemains() error {
	dirs, err := hierarchies()
	for _, dir := range append(dirs, os.TempDir()) {
		found, failed := filepath.Glob(filepath.Join(dir, prefix+"*"))
		err = errors.Join(err, failed)
		for _, one := range found {
			if !remains(filepath.Base(one)) {
				continue
			}
			if dir == os.TempDir() {
				err = errors.Join(err, os.RemoveAll(one))
			} else {
				err = errors.Join(err, removeCgroup(one))
			}
		}
	}
	return err
}

// remains returns whether the process that created this directory has ended.
func remains(name string) bool {
	pid, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), "-")
	if _, err := strconv.Atoi(pid); err != nil {
		return false
	}
	_, err := os.Stat("/proc/" + pid)
	return errors.Is(err, os.ErrNotExist)
}
