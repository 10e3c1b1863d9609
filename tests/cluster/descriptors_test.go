package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const closeOnExec = 0o2000000 // O_CLOEXEC, as fdinfo shows it

// descriptor is an open file descriptor of a process.
type descriptor struct {
	fd          int
	target      string // where /proc/PID/fd/FD leads
	closeOnExec bool
}

// descriptors returns those of the process except standard input, output, and error. It skips those that are closed in the
// meantime.
func descriptors(pid int) ([]descriptor, error) {
	dir := fmt.Sprintf("/proc/%d/", pid)
	entries, err := os.ReadDir(dir + "fd")
	if err != nil {
		return nil, err
	}
	flags := regexp.MustCompile(`(?m)^flags:\s*([0-7]+)$`)
	var all []descriptor
	for _, entry := range entries {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil {
			return nil, err
		}
		if fd <= 2 {
			continue
		}
		target, err := os.Readlink(dir + "fd/" + entry.Name())
		text, errInfo := os.ReadFile(dir + "fdinfo/" + entry.Name())
		if err := errors.Join(err, errInfo); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		found := flags.FindSubmatch(text)
		if found == nil {
			return nil, fmt.Errorf("fdinfo of %d has no flags: %s", fd, text)
		}
		value, err := strconv.ParseInt(string(found[1]), 8, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, descriptor{fd, target, value&closeOnExec != 0})
	}
	return all, nil
}

// inherited returns whether the test has the same descriptor from its parent, which a program may pass on.
func (d descriptor) inherited() bool {
	target, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", d.fd))
	return err == nil && target == d.target
}

// handsNothingOn fails the test if a program that the process executes would inherit one of its descriptors, or if one
// of the required sorts is missing.
func (w *world) handsNothingOn(pid int, sorts ...string) {
	w.t.Helper()
	all, err := descriptors(pid)
	w.must(err)
	var targets []string
	for _, d := range all {
		targets = append(targets, d.target)
		if !d.closeOnExec && !d.inherited() {
			w.t.Errorf("descriptor %d, %s, is not close-on-exec", d.fd, d.target)
		}
	}
	list := strings.Join(targets, "\n")
	for _, sort := range sorts {
		if !regexp.MustCompile(`(?m)^` + sort).MatchString(list) {
			w.t.Errorf("there is no descriptor like %s, so nothing is known of it, among\n%s", sort, list)
		}
	}
	w.t.Logf("%d descriptors above 2", len(all))
}

// A program that a plugin or a library starts inherits none of the scheduler's descriptors: neither connections to the
// API server, nor state files, nor libraries.
func TestDescriptorsAreCloseOnExec(t *testing.T) {
	for _, one := range []struct {
		name, kept string
	}{
		{"state-dir", `/.*/state/(crash\.record|restarts|quarantine)$`},
		{"memory", `/memfd:berth-state:`},
	} {
		t.Run(one.name, func(t *testing.T) {
			w := newWorld(t, time.Minute)
			state := ""
			if one.name == "state-dir" {
				state = filepath.Join(w.dir, "state")
			}
			m := w.misbehaveAs(misbehaviour{state: state})
			time.Sleep(time.Second) // watches, bindings and Events are under way
			w.ask("GET", m.d.URL+"/metrics")
			sorts := []string{`socket:`, `anon_inode:inotify`, `anon_inode:\[eventpoll\]`, `/memfd:berth:`, one.kept}
			w.handsNothingOn(m.d.Pid(), sorts...)
			m.bad("bad", "crash", "filter")
			m.says(m.d, `A plugin crashed the scheduler`, 20*time.Second)
			m.ready(m.d, 20*time.Second)
			w.pod("after")
			w.bound("after", 10*time.Second)
			w.handsNothingOn(m.d.Pid(), sorts...)
			m.rest()
		})
	}
}
