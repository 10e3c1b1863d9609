// Package proxy is a proxy between a scheduler and the API server. It terminates TLS, and can delay requests or cut the
// connection after the server has handled a request, so that the scheduler gets no answer.
package proxy

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
)

// Rule decides about one request. Nil functions do nothing. All run on the request's goroutine.
type Rule struct {
	Before func(*http.Request)      // before the server sees it; may take long
	Refuse func(*http.Request) bool // then: true answers 403, as an API server does that does not know its rules yet
	Reject func(*http.Request) bool // then: true answers 415, as a server does that does not know the encoding of the body
	Expire func(*http.Request) int  // then: 410 answers 410; 200 answers with a watch event of code 410; 0: neither
	After  func(*http.Response)     // after the server has answered; may replace the body
	Cut    func(*http.Request) bool // then: true cuts the connection instead of passing the answer on
}

// Proxy is a running proxy. URL is its address for the scheduler.
type Proxy struct {
	URL    string
	server *http.Server
	hangs  atomic.Bool // new connections hang from the beginning
	mu     sync.Mutex
	rule   Rule
	// The connections, by the scheduler's address. A connection has a watch from the request until its end.
	conns   map[string]net.Conn
	watches map[string]struct{}
}

// Start listens on loopback with the API server's own certificate and forwards everything to the API server at target,
// whose certificate is signed by ca (PEM). The scheduler gets HTTP/1.1: one request at a time per connection, so that
// cutting one cuts a connection and not a stream.
func Start(target string, ca []byte, certificate, key string) (*Proxy, error) {
	to, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, errors.New("proxy: no CA")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{URL: "https://" + listener.Addr().String(), conns: map[string]net.Conn{}, watches: map[string]struct{}{}}
	forward := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(to) },
		FlushInterval: -1, // watches
		ErrorLog:      log.New(io.Discard, "", 0),
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true, DisableCompression: true,
		},
		ModifyResponse: func(r *http.Response) error {
			if after := p.current().After; after != nil {
				after(r)
			}
			if cut := p.current().Cut; cut != nil && cut(r.Request) {
				return errCut
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { panic(http.ErrAbortHandler) },
	}
	p.server = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if before := p.current().Before; before != nil {
				before(r)
			}
			if refuse := p.current().Refuse; refuse != nil && refuse(r) {
				answer(w, http.StatusForbidden, forbidden)
				return
			}
			if reject := p.current().Reject; reject != nil && reject(r) {
				answer(w, http.StatusUnsupportedMediaType, unsupported)
				return
			}
			if expire := p.current().Expire; expire != nil {
				switch status := expire(r); status {
				case http.StatusGone:
					answer(w, status, expired)
					return
				case http.StatusOK:
					answer(w, status, `{"type":"ERROR","object":`+expired+"}\n")
					return
				}
			}
			if IsWatch(r) {
				p.watching(r.RemoteAddr, true)
				defer p.watching(r.RemoteAddr, false)
			}
			forward.ServeHTTP(w, r)
		}),
		ConnState:    p.track,
		ErrorLog:     log.New(io.Discard, "", 0),
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
	go func() { _ = p.server.ServeTLS(gatedListener{listener, &p.hangs}, certificate, key) }()
	return p, nil
}

var errCut = errors.New("cut")

const forbidden = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Forbidden","code":403,` +
	`"message":"forbidden: the proxy says so"}`

const unsupported = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"UnsupportedMediaType",` +
	`"code":415,"message":"the body of the request was in an unknown format"}`

const expired = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Expired","code":410,` +
	`"message":"too old resource version: 1 (2)"}`

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// IsWatch returns whether a request is a watch.
func IsWatch(r *http.Request) bool {
	watch := r.URL.Query().Get("watch")
	return watch == "true" || watch == "1"
}

func (p *Proxy) current() Rule {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rule
}

// Set applies the rule from the next request on.
func (p *Proxy) Set(rule Rule) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rule = rule
}

func (p *Proxy) track(conn net.Conn, state http.ConnState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch state {
	case http.StateNew:
		p.conns[conn.RemoteAddr().String()] = conn
		if p.hangs.Load() { // it may have come before HangAll
			below(conn).hung.Store(true)
		}
	case http.StateClosed, http.StateHijacked:
		delete(p.conns, conn.RemoteAddr().String())
	default:
	}
}

func (p *Proxy) watching(address string, now bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now {
		p.watches[address] = struct{}{}
	} else {
		delete(p.watches, address)
	}
}

// Stop ends the proxy and all its connections.
func (p *Proxy) Stop() error {
	return p.server.Close()
}
