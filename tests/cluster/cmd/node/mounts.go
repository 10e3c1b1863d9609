package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"berth.dev/berth/tests/cluster/internal/node/machine"
)

// mounting is the arguments of mount(2).
type mounting struct {
	source, target, kind string
	flags                uintptr
	data                 string
}

// mount makes the file system of the node: the machine's, read-only, in which /etc has the node's files beside the machine's, and
// /var/lib, /var/log, /run, and /tmp are the node's own.
func mount(m machine.Machine) error {
	etc := fmt.Sprintf("lowerdir=/etc,upperdir=%s,workdir=%s", filepath.Join(m.Root, "etc"), filepath.Join(m.Root, "work"))
	steps := []mounting{
		{"", "/", "", unix.MS_REC | unix.MS_PRIVATE, ""},
		{"proc", "/proc", "proc", unix.MS_NOSUID | unix.MS_NOEXEC | unix.MS_NODEV, ""},
		{"overlay", "/etc", "overlay", 0, etc},
		{filepath.Join(m.Root, "lib"), "/var/lib", "", unix.MS_BIND, ""},
		{m.Logs, machine.Logs, "", unix.MS_BIND, ""},
		{m.Images, machine.Images, "", unix.MS_BIND, ""},
		{"tmpfs", "/run", "tmpfs", unix.MS_NOSUID | unix.MS_NODEV, "mode=755"},
	}
	for name := range machine.Settings {
		file := filepath.Join(m.Root, "settings", name)
		steps = append(steps, mounting{file, "/proc/sys/" + strings.ReplaceAll(name, ".", "/"), "", unix.MS_BIND, ""})
	}
	steps = append(steps,
		mounting{"", "/", "", unix.MS_REMOUNT | unix.MS_BIND | unix.MS_RDONLY, ""},
		mounting{"tmpfs", "/tmp", "tmpfs", unix.MS_NOSUID | unix.MS_NODEV, ""}) // last: it hides m.Root, which may be below it
	for _, s := range steps {
		if err := unix.Mount(s.source, s.target, s.kind, s.flags, s.data); err != nil {
			return fmt.Errorf("cannot mount %s on %s: %w", s.source, s.target, err)
		}
	}
	return nil
}
