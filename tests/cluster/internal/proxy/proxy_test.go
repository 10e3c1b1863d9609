package proxy

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// before starts a server whose answer to a watch has one line and no end, and a proxy in front of it.
func before(t *testing.T) (*Proxy, *http.Client) {
	t.Helper()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "line\n")
		if IsWatch(r) {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	}))
	t.Cleanup(server.Close)
	own := server.TLS.Certificates[0]
	private, err := x509.MarshalPKCS8PrivateKey(own.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key := filepath.Join(t.TempDir(), "crt"), filepath.Join(t.TempDir(), "key")
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate[0]})
	for path, content := range map[string][]byte{certificate: public, key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Start(server.URL, public, certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Stop() })
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	t.Cleanup(transport.CloseIdleConnections)
	return p, &http.Client{Transport: transport}
}

// watch reads a watch's first line and reports when it has ended.
func watch(t *testing.T, p *Proxy, client *http.Client) <-chan error {
	t.Helper()
	answer, err := client.Get(p.URL + "/pods?watch=true")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	lines := bufio.NewReader(answer.Body)
	if line, err := lines.ReadString('\n'); line != "line\n" {
		t.Fatalf("%q, %v", line, err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := lines.ReadString('\n')
		ended <- err
	}()
	return ended
}

func mustEnd(t *testing.T, ended <-chan error) {
	t.Helper()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("the watch sent another event")
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the watch has not ended")
	}
}

func get(p *Proxy, client *http.Client, path string) (int, string, error) {
	answer, err := client.Get(p.URL + path)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(body), err
}

func TestWatchesAreCutAlone(t *testing.T) {
	p, client := before(t)
	first, second := watch(t, p, client), watch(t, p, client)
	if n := p.CutWatches(); n != 2 {
		t.Errorf("%d watches, not 2", n)
	}
	mustEnd(t, first)
	mustEnd(t, second)
	if _, body, err := get(p, client, "/pods"); body != "line\n" {
		t.Errorf("%q, %v", body, err)
	}
}

func TestAConnectionHangsUntilItIsCut(t *testing.T) {
	p, client := before(t)
	ended := watch(t, p, client)
	p.Hang()
	if _, body, err := get(p, client, "/pods"); body != "line\n" { // on a new connection
		t.Errorf("%q, %v", body, err)
	}
	select {
	case err := <-ended:
		t.Fatalf("a watch that hangs has ended: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	p.Cut(nil)
	mustEnd(t, ended)
}

func TestNewConnectionsHangAsWell(t *testing.T) {
	p, client := before(t)
	p.HangAll()
	answered := make(chan error, 1)
	go func() {
		_, _, err := get(p, client, "/pods")
		answered <- err
	}()
	select {
	case err := <-answered:
		t.Fatalf("a request on a connection that hangs has ended: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	p.Cut(nil)
	mustEnd(t, answered)
}

func TestAWatchIsToldThatItsPastIsGone(t *testing.T) {
	p, client := before(t)
	for status, begins := range map[int]string{http.StatusGone: `{"kind":"Status"`, http.StatusOK: `{"type":"ERROR","object":{"kind":"Status"`} {
		p.Set(Rule{Expire: func(r *http.Request) int {
			if IsWatch(r) {
				return status
			}
			return 0
		}})
		got, body, err := get(p, client, "/pods?watch=1")
		if err != nil || got != status || !strings.HasPrefix(body, begins) {
			t.Errorf("%d: %d %q, %v", status, got, body, err)
		}
	}
	if _, body, err := get(p, client, "/pods"); body != "line\n" {
		t.Errorf("%q, %v", body, err)
	}
}
