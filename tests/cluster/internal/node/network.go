package node

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// inside calls do on a thread in the network of the node. Sockets that do makes belong there, wherever they are used.
func (n *Node) inside(do func() error) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine, and no other goroutine gets this network
		network, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", n.process.Pid()))
		if err != nil {
			result <- err
			return
		}
		defer network.Close()
		if err := unix.Setns(int(network.Fd()), unix.CLONE_NEWNET); err != nil {
			result <- fmt.Errorf("cannot enter the network of node %s: %w", n.Name, err)
			return
		}
		result <- do()
	}()
	return <-result
}

// forward listens on an address of the node, and forwards its connections to an address of this machine.
func (n *Node) forward(address, to string) error {
	var listener net.Listener
	// The first process gives the node its addresses at the start.
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		err := n.inside(func() (err error) {
			listener, err = net.Listen("tcp4", address)
			return err
		})
		if err == nil {
			break
		}
		if time.Now().After(until) {
			return fmt.Errorf("node %s: %w\n%s", n.Name, err, n.process.Tail(5))
		}
	}
	n.listeners = append(n.listeners, listener)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go join(conn, to)
		}
	}()
	return nil
}

func join(conn net.Conn, to string) {
	other, err := net.Dial("tcp", to)
	if err != nil {
		_ = conn.Close()
		return
	}
	copyBoth(conn, other)
}

// copyBoth copies in both directions until both have ended, and closes the connections.
func copyBoth(conn, other net.Conn) {
	defer conn.Close()
	defer other.Close()
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{conn, other}, {other, conn}} {
		both.Go(func() {
			_, _ = io.Copy(way[0], way[1])
			_ = way[0].(interface{ CloseWrite() error }).CloseWrite() // of TCP and of Unix sockets
		})
	}
	both.Wait()
}

// Client connects to addresses as the node does: to its own, and to those of its pods. It accepts every certificate.
func (n *Node) Client() *http.Client {
	return &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(ctx context.Context, network, address string) (conn net.Conn, err error) {
			inside := n.inside(func() (err error) {
				conn, err = (&net.Dialer{}).DialContext(ctx, network, address)
				return err
			})
			return conn, inside
		},
	}}
}
