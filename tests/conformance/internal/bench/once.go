package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"time"

	"berth.dev/berth/tests/conformance/internal/result"
)

// Run contains one measurement of each program at a point.
type Run struct {
	All     Simulated `json:"all"` // berthctl simulate with all pending pods
	First   Simulated `json:"first"`
	Latency Latency   `json:"latency"`
	Kube    Report    `json:"kube"`
}

// Simulated is one call of berthctl simulate, from start to exit.
type Simulated struct {
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds"`
	Preempted  int     `json:"preempted"` // pods
}

// Latency is the output of policy_latencies.
type Latency struct {
	Decisions int     `json:"decisions"`
	Mean      float64 `json:"mean_us"`
	P50       float64 `json:"p50_us"`
	P99       float64 `json:"p99_us"`
}

func (s *Suite) once(p *point, f Files) (*Run, error) {
	run := &Run{}
	var err error
	if run.All, err = s.simulate(f, f.Pending, p.size.Pending); err != nil {
		return nil, err
	}
	if run.First, err = s.simulate(f, f.First, p.policy.firstPods()); err != nil {
		return nil, err
	}
	if s.Latencies != "" {
		if err := s.ask(&run.Latency, s.Latencies, f.Config, f.Standing, f.Pending); err != nil {
			return nil, err
		}
	}
	if p.policy.Suite {
		return run, nil
	}
	judge := []string{"-bench", "-procs", "1", "-pods", strconv.Itoa(p.size.Few), "-manifest", f.Standing, "-manifest", f.Few}
	if p.policy.Preempts() {
		judge = append(judge, "-whole-cycles")
	}
	return run, s.ask(&run.Kube, s.Judge, judge...)
}

// simulate runs berthctl on the cluster and checks that every pod finally has a node.
func (s *Suite) simulate(f Files, pending string, pods int) (Simulated, error) {
	var out bytes.Buffer
	took, cpu, err := s.onCore(&out, s.Berthctl, "simulate", "--config", f.Config, "-f", f.Standing, pending, "-o", "json", "--nodes", "none")
	if err != nil {
		return Simulated{}, err
	}
	simulated := Simulated{Seconds: took.Seconds(), CPUSeconds: cpu.Seconds()}
	story, err := result.Parse(out.Bytes())
	if err != nil {
		return simulated, err
	}
	placed := 0
	for _, attempt := range story.Pods {
		if attempt.Result == result.Scheduled {
			placed++
		}
		simulated.Preempted += len(attempt.Victims)
	}
	if placed != pods {
		return simulated, fmt.Errorf("berthctl placed %d of %d pods", placed, pods)
	}
	return simulated, nil
}

// ask runs a program that prints one JSON object, and decodes it.
func (s *Suite) ask(answer any, program string, args ...string) error {
	var out bytes.Buffer
	if _, _, err := s.onCore(&out, program, args...); err != nil {
		return err
	}
	return json.Unmarshal(out.Bytes(), answer)
}

// onCore runs a program on the suite's CPU, if there is one, and returns its wall and CPU time.
func (s *Suite) onCore(out io.Writer, program string, args ...string) (wall, cpu time.Duration, err error) {
	var complaint bytes.Buffer
	cmd := exec.Command(program, args...)
	if s.Core >= 0 {
		cmd = exec.Command("taskset", append([]string{"-c", strconv.Itoa(s.Core), program}, args...)...)
	}
	cmd.Stdout, cmd.Stderr = out, &complaint
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, 0, fmt.Errorf("%s: %w: %s", cmd, err, bytes.TrimSpace(complaint.Bytes()))
	}
	return time.Since(start), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
