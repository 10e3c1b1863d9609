package proxy

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// Cut closes all current connections, watches too, except that of the request `except`, which may be nil.
func (p *Proxy) Cut(except *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for address, conn := range p.conns {
		if except == nil || address != except.RemoteAddr {
			end(conn)
		}
	}
}

// CutWatches closes every connection with a watch and returns their number.
func (p *Proxy) CutWatches() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for address := range p.watches {
		end(p.conns[address])
	}
	return len(p.watches)
}

// Hang stops all traffic on the current connections, in both directions, like a pulled cable: neither side gets an
// error. They stay so until they are cut or the scheduler closes them. New connections work.
func (p *Proxy) Hang() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.conns {
		below(conn).hung.Store(true)
	}
}

// HangAll is Hang, also for the connections to come.
func (p *Proxy) HangAll() {
	p.hangs.Store(true)
	p.Hang()
}

func below(conn net.Conn) *gated { return conn.(*tls.Conn).NetConn().(*gated) }

// end closes the connection below TLS if TLS cannot be closed orderly.
func end(conn net.Conn) {
	if conn == nil {
		return // it has ended in the meantime
	}
	if g := below(conn); g.hung.Load() {
		_ = g.Close()
	} else {
		_ = conn.Close()
	}
}

// gated is a connection that can be made to hang.
type gated struct {
	net.Conn
	hung  atomic.Bool
	once  sync.Once
	ended chan struct{} // closed by Close
}

type gatedListener struct {
	net.Listener
	hangs *atomic.Bool
}

func (l gatedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	g := &gated{Conn: conn, ended: make(chan struct{})}
	g.hung.Store(l.hangs.Load())
	return g, nil
}

// pass returns at once or, if the connection hangs, when it ends.
func (g *gated) pass() {
	if g.hung.Load() {
		<-g.ended
	}
}

func (g *gated) Write(b []byte) (int, error) {
	g.pass()
	return g.Conn.Write(b)
}

// Read forwards neither bytes that arrive while the connection hangs, nor its end.
func (g *gated) Read(b []byte) (int, error) {
	n, err := g.Conn.Read(b)
	if g.hung.Load() {
		if err != nil { // the other side closed it, or the server wants its reader back
			return 0, err
		}
		<-g.ended
		return 0, net.ErrClosed
	}
	return n, err
}

func (g *gated) Close() error {
	g.once.Do(func() { close(g.ended) })
	return g.Conn.Close()
}
