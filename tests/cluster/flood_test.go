package cluster

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	halfOpen  = 50000 // requests without an end
	atOneTime = 100   // of one client
	clients   = 4
)

// flood opens requests with incomplete headers; each client closes its oldest one. A client stops at its first
// error.
func flood(address string) error {
	var done sync.WaitGroup
	errs := make(chan error, clients)
	for range clients {
		done.Add(1)
		go func() {
			defer done.Done()
			errs <- floodAsOne(address, halfOpen/clients)
		}()
	}
	done.Wait()
	for range clients {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

func floodAsOne(address string, n int) error {
	var open [atOneTime]net.Conn
	defer func() {
		for _, conn := range open {
			if conn != nil {
				conn.Close()
			}
		}
	}()
	for i := range n {
		oldest := &open[i%atOneTime]
		if *oldest != nil {
			(*oldest).Close()
		}
		conn, err := net.DialTimeout("tcp", address, 10*time.Second)
		if errors.Is(err, syscall.ECONNRESET) {
			*oldest = nil
			continue // accepted and, without a free place, reset before the dialer looked at its socket
		}
		if err != nil {
			return fmt.Errorf("connection %d: %w", i, err)
		}
		*oldest = conn
		// The scheduler may have closed it already.
		_, _ = conn.Write([]byte("GET /healthz HTTP/1.1\r\nHost: scheduler\r\nX-Half: "))
	}
	return nil
}

func TestHalfOpenRequestsHarmNothing(t *testing.T) {
	onlyBerth(t, "page without authentication")
	const pods = 300
	w := newWorld(t, 3*time.Minute)
	w.nodes("node", 10)
	d := w.start(w.profile(fast))
	w.pods("before", 20)
	w.atLeast(20, 30*time.Second)
	before, err := d.Usage()
	w.must(err)

	flooded := make(chan error, 1)
	go func() { flooded <- flood(strings.TrimPrefix(d.URL, "http://")) }()
	w.pods("during", pods)
	w.atLeast(20+pods, 30*time.Second)
	w.must(<-flooded)

	w.eventually(10*time.Second, func() error {
		asked := time.Now()
		if status, text := w.ask(http.MethodGet, d.URL+"/livez"); status != http.StatusOK {
			return fmt.Errorf("GET /livez after the flood: %d: %s", status, text)
		}
		if took := time.Since(asked); took > time.Second {
			return fmt.Errorf("GET /livez took %s after the flood", took)
		}
		return nil
	})
	after, err := d.Usage()
	w.must(err)
	const most = 16 << 20 // of which the pods take some
	if grown := after.RSS - before.RSS; grown > most {
		t.Errorf("the scheduler has grown by %d KiB, more than %d", grown>>10, most>>10)
	}
	t.Logf("%d pods bound beside %d half-open requests; VmRSS %d -> %d KiB", pods, halfOpen, before.RSS>>10, after.RSS>>10)
}
