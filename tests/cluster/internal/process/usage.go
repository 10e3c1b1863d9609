package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Usage is the resource usage of a running program so far.
type Usage struct {
	CPU  time.Duration // user and system time of all its threads
	RSS  int64         // resident bytes now
	Anon int64         // the part of RSS without files: heap and stacks
	Peak int64         // highest number of resident bytes

	Threads, Descriptors int // now
}

// Usage reads /proc; it fails when the program has ended.
func (p *Process) Usage() (Usage, error) {
	dir := fmt.Sprintf("/proc/%d/", p.Pid())
	stat, err := os.ReadFile(dir + "stat")
	if err != nil {
		return Usage{}, err
	}
	// utime and stime are the 14th and 15th fields; the 2nd, in parentheses, may contain anything.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 13 {
		return Usage{}, fmt.Errorf("%sstat has %d fields", dir, len(fields))
	}
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return Usage{}, err
		}
		ticks += n
	}
	status, err := os.ReadFile(dir + "status")
	if err != nil {
		return Usage{}, err
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 on every Linux that Go runs on
	descriptors, err := os.ReadDir(dir + "fd")
	return Usage{
		CPU: time.Duration(ticks) * tick,
		RSS: kilobytes(status, "VmRSS:"), Anon: kilobytes(status, "RssAnon:"), Peak: kilobytes(status, "VmHWM:"),
		Threads: int(number(status, "Threads:")), Descriptors: len(descriptors),
	}, err
}

// kilobytes is the value of a line of /proc/PID/status, in bytes; 0 when there is none.
func kilobytes(status []byte, key string) int64 { return number(status, key) << 10 }

// number is the value of a line of /proc/PID/status as it is there; 0 when there is none.
func number(status []byte, key string) int64 {
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, key); found {
			n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return n
		}
	}
	return 0
}
