package node

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// Possible is nil if this machine can run nodes, and otherwise says what it lacks.
func Possible() error {
	if os.Getuid() != 0 {
		return errors.New("only root can run containers")
	}
	for _, program := range []string{"containerd", "ctr", "runc", "ip", "/usr/lib/cni/ptp"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("%w; apt-get install containerd runc containernetworking-plugins iproute2", err)
		}
	}
	if _, err := hierarchies(); err != nil {
		return err
	}
	const trial = prefix + "trial"
	return errors.Join(makeCgroups(trial), removeCgroups(trial))
}
