// Package machine defines what package node passes to the first process of a node.
package machine

// Machine is one node, as the JSON argument of command node.
type Machine struct {
	Name        string
	Root        string   // directory of the node's files: etc, lib, settings, work
	Logs        string   // directory that is Logs in the node
	Images      string   // directory of archives that containerd imports before the kubelet starts; Images in the node
	Addresses   []string // of the node, with the length of their prefix
	Kubelet     string   // the program
	KubeletArgs []string
}

// Paths in the node.
const (
	Logs   = "/var/log"
	Images = "/mnt"
	Socket = "/run/containerd/containerd.sock"
)

// Settings are the kernel settings that a kubelet wants (pkg/kubelet/cm, setupKernelTunables). The node sees them as its own
// files, so that the kubelet does not change those of the machine.
var Settings = map[string]string{
	"vm.overcommit_memory":      "1",
	"vm.panic_on_oom":           "0",
	"kernel.panic":              "10",
	"kernel.panic_on_oops":      "1",
	"kernel.keys.root_maxkeys":  "1000000",
	"kernel.keys.root_maxbytes": "25000000",
}
