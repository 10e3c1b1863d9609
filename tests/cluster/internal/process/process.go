// Package process runs one program beside the tests: its output goes to a file, it is ended by its own process id, and
// it ends when the tests end, in whatever way.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Process is a started program. All methods may be called from any goroutine.
type Process struct {
	name string
	log  string
	cmd  *exec.Cmd
	done chan struct{} // closed when the program has ended
	code int           // exit code, valid after done; -1: by a signal
}

// Start runs path with args and appends its output to the file log.
func Start(log, path string, args ...string) (*Process, error) {
	return StartWith(How{}, log, path, args...)
}

// Optional settings for the start of a program.
type How struct {
	Environment []string // in addition to that of this process
	// CLONE_NEW... of clone(2): new namespaces. If one is a process namespace, all its processes end with the program.
	Namespaces uintptr
}

// StartWith is Start with these settings.
func StartWith(how How, log, path string, args ...string) (*Process, error) {
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	p := &Process{name: filepath.Base(path), log: log, cmd: exec.Command(path, args...), done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.Env = append(os.Environ(), how.Environment...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Cloneflags: how.Namespaces}
	started := make(chan error)
	go func() {
		// Pdeathsig fires when the thread that started the program ends, so this thread must stay until the end.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer out.Close()
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		_ = p.cmd.Wait() // the exit code contains the result
		p.code = p.cmd.ProcessState.ExitCode()
		close(p.done)
	}()
	return p, <-started
}

// Pid is the program's process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Log is the file of its output.
func (p *Process) Log() string { return p.log }

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Signal sends s; it is no error if the program has ended.
func (p *Process) Signal(s os.Signal) error {
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// Wait returns the exit code, or an error if the program runs for longer than patience.
func (p *Process) Wait(patience time.Duration) (int, error) {
	select {
	case <-p.done:
		return p.code, nil
	case <-time.After(patience):
		return 0, fmt.Errorf("%s (pid %d) still runs after %s; its log is %s", p.name, p.Pid(), patience, p.log)
	}
}

// Running says whether the program has not ended.
func (p *Process) Running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// Killed says whether a signal has ended the program.
func (p *Process) Killed() bool { return !p.Running() && p.code == -1 }

// Kill ends the program at once with SIGKILL, and returns when it has ended.
func (p *Process) Kill() error {
	if err := p.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	_, err := p.Wait(10 * time.Second)
	return err
}

// Stop sends SIGTERM, and kills the program after patience.
func (p *Process) Stop(patience time.Duration) error {
	if err := p.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if _, err := p.Wait(patience); err == nil {
		return nil
	}
	return p.Kill()
}

// Until calls ready every 50 ms until it returns nil, and gives up when ctx ends or the program does.
func (p *Process) Until(ctx context.Context, ready func(context.Context) error) error {
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended with exit code %d before it was ready:\n%s", p.name, p.code, p.Tail(20))
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready in time: %w; the end of %s:\n%s", p.name, err, p.log, p.Tail(20))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Tail is the end of the log, at most this many lines.
func (p *Process) Tail(lines int) string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
