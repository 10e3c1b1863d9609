package node

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
)

const kubeletPort = "10250"

// Kubelets is an HTTP proxy on a Unix socket through which the API server reaches the kubelets, for `kubectl port-forward` and the
// like: their addresses exist on the nodes only.
type Kubelets struct {
	server http.Server
	mu     sync.Mutex
	nodes  map[string]*Node // by name
}

// ServeKubelets listens on the socket. Nodes are added as they start.
func ServeKubelets(socket string) (*Kubelets, error) {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	k := &Kubelets{nodes: map[string]*Node{}}
	k.server.Handler = http.HandlerFunc(k.connect)
	go func() { _ = k.server.Serve(listener) }()
	return k, nil
}

// Add makes the kubelet of the node reachable.
func (k *Kubelets) Add(n *Node) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.nodes[n.Name] = n
}

// Close stops to listen. Connections that are open stay.
func (k *Kubelets) Close() error { return k.server.Close() }

// connect answers CONNECT NODE:10250, and then copies in both directions. The API server names a node by its host name.
func (k *Kubelets) connect(w http.ResponseWriter, r *http.Request) {
	to, err := k.dial(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = to.Close()
		return
	}
	if _, err := conn.Write([]byte("HTTP/1.1 200 Connection established\r\n\r\n")); err != nil {
		_, _ = conn.Close(), to.Close()
		return
	}
	copyBoth(conn, to)
}

func (k *Kubelets) dial(r *http.Request) (conn net.Conn, err error) {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil || r.Method != http.MethodConnect || port != kubeletPort {
		return nil, errors.Join(err, fmt.Errorf("%s %s is no connection to a kubelet", r.Method, r.Host))
	}
	k.mu.Lock()
	n := k.nodes[host]
	k.mu.Unlock()
	if n == nil {
		return nil, fmt.Errorf("there is no node %s", host)
	}
	inside := n.inside(func() (err error) {
		conn, err = net.Dial("tcp", net.JoinHostPort(n.IP, port))
		return err
	})
	return conn, inside
}
