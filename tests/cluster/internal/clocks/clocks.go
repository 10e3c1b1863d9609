// Package clocks changes the clocks of a running program: they jump, or run faster or slower than the machine's. The
// program preloads testdata/clocks.c, which reads a file that this package writes.
package clocks

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/unix"
)

// Clock is one of the clocks of a program.
type Clock int

// The clocks, in the order of the file.
const (
	Wall   Clock = iota // CLOCK_REALTIME
	Steady              // CLOCK_MONOTONIC
	Boot                // CLOCK_BOOTTIME
	count
)

var ids = [count]int32{unix.CLOCK_REALTIME, unix.CLOCK_MONOTONIC, unix.CLOCK_BOOTTIME}

// most is the highest number of settings that the file can contain.
const most = 1000

// course describes how a clock runs: at the machine's time `since` it shows `shown`, and then it runs num/den as fast.
type course struct {
	Since, Shown, Num, Den int64
}

func (c course) at(real int64) int64 { return c.Shown + (real-c.Since)*c.Num/c.Den }

// Clocks are the clocks of one program. Only one goroutine may use them.
type Clocks struct {
	library, path string
	file          *os.File
	settings      int64
	now           [count]course
}

// Build compiles the preloaded library from source, with the system's C compiler.
func Build(source, library string) error {
	out, err := exec.Command("cc", "-O1", "-shared", "-fPIC", "-o", library, source).CombinedOutput()
	if err != nil {
		return fmt.Errorf("clocks: cc: %w: %s", err, out)
	}
	return nil
}

// New creates the file at path. The clocks are the machine's.
func New(library, path string) (*Clocks, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	c := &Clocks{library: library, path: path, file: file}
	for i := range c.now {
		c.now[i] = course{Num: 1, Den: 1}
	}
	return c, errors.Join(file.Truncate(8+most*int64(binary.Size(c.now))), c.write())
}

// Environment returns the environment variables that the program needs.
func (c *Clocks) Environment() []string {
	return []string{"LD_PRELOAD=" + c.library, "BERTH_TEST_CLOCKS=" + c.path}
}

// Jump sets a clock forward, or back if by is negative.
func (c *Clocks) Jump(clock Clock, by time.Duration) error {
	c.now[clock].Shown += int64(by)
	return c.write()
}

// Run makes clocks run num/den as fast as the machine's from now on. They do not jump.
func (c *Clocks) Run(num, den int64, clocks ...Clock) error {
	for _, clock := range clocks {
		var now unix.Timespec
		if err := unix.ClockGettime(ids[clock], &now); err != nil {
			return err
		}
		c.now[clock] = course{Since: now.Nano(), Shown: c.now[clock].at(now.Nano()), Num: num, Den: den}
	}
	return c.write()
}

// Reset makes the wall clock the machine's again: it jumps back.
func (c *Clocks) Reset() error {
	c.now[Wall] = course{Num: 1, Den: 1}
	return c.write()
}

// write appends a setting, and then counts it: the program never sees a part of one.
func (c *Clocks) write() error {
	if c.settings == most {
		return errors.New("clocks: too many settings")
	}
	size := int64(binary.Size(c.now))
	setting, err := binary.Append(nil, binary.NativeEndian, c.now)
	if err != nil {
		return err
	}
	if _, err := c.file.WriteAt(setting, 8+c.settings*size); err != nil {
		return err
	}
	c.settings++
	_, err = c.file.WriteAt(binary.NativeEndian.AppendUint64(nil, uint64(c.settings)), 0)
	return err
}

// Close closes the file; the program's clocks continue to run as they do.
func (c *Clocks) Close() error { return c.file.Close() }
