package clocks

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// reader is a program that answers each line with its clocks in seconds: wall, steady, boot.
type reader struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

const asking = `import sys, time
for _ in sys.stdin:
    print(*(time.clock_gettime(c) for c in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME)), flush=True)
`

func startReader(t *testing.T) (*reader, *Clocks) {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("there is no C compiler: ", err)
	}
	library := filepath.Join(t.TempDir(), "clocks.so")
	if err := Build("../../testdata/clocks.c", library); err != nil {
		t.Fatal(err)
	}
	c, err := New(library, filepath.Join(t.TempDir(), "clocks"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	program := exec.Command("python3", "-c", asking)
	program.Env = append(os.Environ(), c.Environment()...)
	in, err := program.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = program.Wait() })
	return &reader{t, in, bufio.NewReader(out)}, c
}

func (r *reader) clocks() (all [count]float64) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, "\n"); err != nil {
		r.t.Fatal(err)
	}
	if _, err := fmt.Fscan(r.out, &all[Wall], &all[Steady], &all[Boot]); err != nil {
		r.t.Fatal(err)
	}
	return all
}

func (r *reader) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// A clock of a program that runs jumps; the others do not.
func TestAClockJumps(t *testing.T) {
	r, c := startReader(t)
	r.clocks()
	for clock := range count {
		before := r.clocks()
		r.must(c.Jump(clock, -time.Hour))
		after := r.clocks()
		for i := range count {
			want := 0.0
			if i == clock {
				want = -3600
			}
			if d := after[i] - before[i]; d < want || d > want+60 {
				t.Errorf("clock %d jumps: clock %d moves by %v s", clock, i, d)
			}
		}
	}
	r.must(c.Reset())
	if d := r.clocks()[Wall] - float64(time.Now().UnixNano())/1e9; d < -60 || d > 60 {
		t.Errorf("after a reset the wall clock differs by %v s", d)
	}
}

// A clock that runs a thousand times as fast shows seconds after milliseconds, and does not jump when it slows down.
func TestAClockRunsFaster(t *testing.T) {
	r, c := startReader(t)
	before := r.clocks()
	began := time.Now()
	r.must(c.Run(1000, 1, Steady))
	for r.clocks()[Steady] < before[Steady]+60 {
		if time.Since(began) > 30*time.Second {
			t.Fatal("the clock does not run faster")
		}
	}
	if d := r.clocks()[Boot] - before[Boot]; d > 50 {
		t.Errorf("the other clock moves by %v s", d)
	}
	fast := r.clocks()
	r.must(c.Run(1, 1, Steady))
	slow := r.clocks()
	if slow[Steady] < fast[Steady] {
		t.Errorf("the clock goes back from %v to %v", fast[Steady], slow[Steady])
	}
}
