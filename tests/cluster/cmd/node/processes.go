package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"berth.dev/berth/tests/cluster/internal/node/machine"
)

// process is a child that start has started.
type process struct {
	name string
	pid  int
}

// start runs a program, whose output goes to NAME.log of the node's logs.
func start(name, program string, args ...string) (process, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return process{}, err
	}
	log, err := os.OpenFile(machine.Logs+"/"+name+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return process{}, err
	}
	defer log.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		return process{}, err
	}
	defer null.Close()
	// Package exec is not used, because its Wait would look for a child that reap has already collected.
	pid, err := syscall.ForkExec(path, append([]string{path}, args...), &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{null.Fd(), log.Fd(), log.Fd()}})
	return process{name, pid}, err
}

// reap returns the first of these processes that ends. In the meantime it reaps orphaned processes, as the first process of a
// system must.
func reap(some ...process) (process, syscall.WaitStatus) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		if err == syscall.EINTR {
			continue
		}
		for _, one := range some {
			if one.pid == pid || err != nil {
				return one, status
			}
		}
	}
}

func ended(p process, status syscall.WaitStatus) error {
	if status.Signaled() {
		return fmt.Errorf("%s was ended by the signal %s; see its log", p.name, status.Signal())
	}
	return fmt.Errorf("%s ended with exit code %d; see its log", p.name, status.ExitStatus())
}
