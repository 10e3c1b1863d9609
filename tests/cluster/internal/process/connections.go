package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Connections are the program's own ports of its TCP connections over IPv4 to this port. It reads /proc.
func (p *Process) Connections(to uint16) ([]uint16, error) {
	sockets := map[string]bool{}
	descriptors, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.Pid()))
	if err != nil {
		return nil, err
	}
	for _, descriptor := range descriptors {
		if target, err := os.Readlink(descriptor); err == nil { // else it has been closed
			sockets[strings.TrimSuffix(strings.TrimPrefix(target, "socket:["), "]")] = true
		}
	}
	table, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/tcp", p.Pid()))
	if err != nil {
		return nil, err
	}
	var ports []uint16
	for line := range strings.Lines(string(table)) {
		fields := strings.Fields(line) // number, own address, other address, ...; the tenth is the inode
		if len(fields) > 9 && sockets[fields[9]] && portOf(fields[2]) == to {
			ports = append(ports, portOf(fields[1]))
		}
	}
	return ports, nil
}

// portOf reads "0100007F:1F90".
func portOf(address string) uint16 {
	_, port, _ := strings.Cut(address, ":")
	n, _ := strconv.ParseUint(port, 16, 16)
	return uint16(n)
}
