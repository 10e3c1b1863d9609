package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/controlplane"
	"berth.dev/berth/tests/cluster/internal/daemon"
)

// client sends requests to the secure port, with a token, a client certificate, or neither.
type client struct {
	token       string
	certificate *tls.Certificate
}

// get returns the status, the headers, and the text of a page. header is sent with the request, in addition to the credentials.
func (c client) get(ctx context.Context, url string, header http.Header) (int, http.Header, string, error) {
	config := &tls.Config{InsecureSkipVerify: true}
	if c.certificate != nil {
		config.Certificates = []tls.Certificate{*c.certificate}
	}
	transport := &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, "", err
	}
	for name, values := range header {
		req.Header[name] = values
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(body), err
}

// secured starts the tested scheduler with a secure port and delegated authentication and authorization, and returns
// the port's URL. The reviews are sent as kube-scheduler, which has the rights for them by default.
func (w *world) secured(extra ...string) string {
	w.t.Helper()
	kubeconfig, err := w.plane.Kubeconfig(w.ns+"-access", controlplane.KubeScheduler, "")
	w.must(err)
	extra = append(extra, "--authentication-kubeconfig="+kubeconfig, "--authorization-kubeconfig="+kubeconfig)
	return w.start(w.profile(), func(o *daemon.Options) { o.Extra = append(o.Extra, extra...) }).Secure
}

// serviceAccountToken creates a service account in the test's namespace and returns a token of it.
func (w *world) serviceAccountToken(name string) string {
	w.t.Helper()
	accounts := w.client.CoreV1().ServiceAccounts(w.ns)
	_, err := accounts.Create(w.ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	w.must(err)
	made, err := accounts.CreateToken(w.ctx, name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	w.must(err)
	return made.Status.Token
}

// expect requests the page until it has this status, and returns its headers and text. A cache may hold an older answer.
func (w *world) expect(c client, url string, status int) (http.Header, string) {
	w.t.Helper()
	var header http.Header
	var text string
	w.eventually(20*time.Second, func() error {
		got, h, body, err := c.get(w.ctx, url, nil)
		if err != nil {
			return err
		}
		if got != status {
			return fmt.Errorf("GET %s: %d instead of %d: %.300s", url, got, status, body)
		}
		header, text = h, body
		return nil
	})
	return header, text
}

// page sends one request with these headers, and returns the headers and the text of the answer.
func (w *world) page(c client, url string, header http.Header) (http.Header, string) {
	w.t.Helper()
	status, answered, text, err := c.get(w.ctx, url, header)
	w.must(err)
	if status != http.StatusOK {
		w.t.Fatalf("GET %s: %d: %.300s", url, status, text)
	}
	return answered, text
}

// acceptableCAs are the names that the server sends with its request for a client certificate.
func (w *world) acceptableCAs(url string) []string {
	w.t.Helper()
	var names []string
	config := &tls.Config{InsecureSkipVerify: true, GetClientCertificate: func(asked *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		for _, der := range asked.AcceptableCAs {
			var name pkix.RDNSequence
			if _, err := asn1.Unmarshal(der, &name); err != nil {
				return nil, err
			}
			names = append(names, name.String())
		}
		return &tls.Certificate{}, nil
	}}
	conn, err := tls.Dial("tcp", strings.TrimPrefix(url, "https://"), config)
	w.must(err)
	w.must(conn.Close())
	return names
}

// refusal is the v1.Status of a 401 or 403.
func (w *world) refusal(header http.Header, text string) metav1.Status {
	w.t.Helper()
	if got := header.Get("Content-Type"); got != "application/json" {
		w.t.Errorf("Content-Type of a refusal: %q", got)
	}
	if got := header.Get("Cache-Control"); got != "no-cache, private" {
		w.t.Errorf("Cache-Control of a refusal: %q", got)
	}
	var status metav1.Status
	w.must(json.Unmarshal([]byte(text), &status))
	return status
}

// The secure port uses the API server to authenticate and authorize a client.
func TestTheSecurePortAsksTheAPIServer(t *testing.T) {
	w := newWorld(t, 3*time.Minute)
	url := w.secured()
	for _, path := range []string{"/healthz", "/livez", "/readyz"} {
		w.expect(client{}, url+path, http.StatusOK)
	}

	header, text := w.expect(client{}, url+"/metrics", http.StatusForbidden)
	status := w.refusal(header, text)
	if want := `forbidden: User "system:anonymous" cannot get path "/metrics"`; status.Message != want || status.Reason != metav1.StatusReasonForbidden {
		t.Errorf("refusal of an anonymous client: %q, %q", status.Message, status.Reason)
	}
	if got := header.Get("X-Content-Type-Options"); got != "nosniff" {
		t.Errorf("X-Content-Type-Options of a 403: %q", got)
	}
	compact := `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",` +
		`"message":"forbidden: User \"system:anonymous\" cannot get path \"/metrics\"","reason":"Forbidden","details":{},"code":403}` + "\n"
	if text != compact {
		t.Errorf("body of a 403: %q", text)
	}
	w.expect(client{}, url+"/healthz/ping", http.StatusForbidden)
	_, text = w.expect(client{token: "nobody-has-it"}, url+"/livez?pretty=true", http.StatusUnauthorized)
	indented := "{\n  \"kind\": \"Status\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {},\n  \"status\": \"Failure\",\n" +
		"  \"message\": \"Unauthorized\",\n  \"reason\": \"Unauthorized\",\n  \"code\": 401\n}"
	if text != indented {
		t.Errorf("indented body of a 401: %q", text)
	}

	header, text = w.expect(client{token: "nobody-has-it"}, url+"/healthz", http.StatusUnauthorized)
	if status := w.refusal(header, text); status.Reason != metav1.StatusReasonUnauthorized || status.Message != "Unauthorized" {
		t.Errorf("refusal of a bad token: %q, %q", status.Message, status.Reason)
	}

	monitor := client{token: w.serviceAccountToken("monitor")}
	name := "system:serviceaccount:" + w.ns + ":monitor"
	header, text = w.expect(monitor, url+"/metrics", http.StatusForbidden)
	if status := w.refusal(header, text); !strings.Contains(status.Message, strconv.Quote(name)) {
		t.Errorf("refusal of a service account: %q", status.Message)
	}
	w.kubectl("create", "clusterrolebinding", w.ns, "--clusterrole=system:monitoring", "--serviceaccount="+w.ns+":monitor")
	defer w.kubectl("delete", "clusterrolebinding", w.ns)
	w.expect(monitor, url+"/metrics", http.StatusOK) // after the cached denial has expired
	w.expect(monitor, url+"/configz", http.StatusForbidden)
}

// The handshake names the CAs of clients: those of the ConfigMap, or of the file, as it is now.
func TestTheHandshakeNamesTheCAsOfClients(t *testing.T) {
	w := newWorld(t, 2*time.Minute)
	w.eventually(20*time.Second, func() error { // the ConfigMap is read after the start
		if names := w.acceptableCAs(w.secured()); !slices.Equal(names, []string{"CN=berth test client CA"}) {
			return fmt.Errorf("the handshake names %q", names)
		}
		return nil
	})
	file := filepath.Join(w.dir, "ca.crt")
	w.must(daemon.Replace(file, w.plane.CA()))
	url := w.secured("--client-ca-file="+file, "--authentication-skip-lookup")
	before := w.acceptableCAs(url)
	if len(before) != 1 || before[0] == "CN=berth test client CA" {
		t.Fatalf("the handshake names %q", before)
	}
	published, err := w.client.CoreV1().ConfigMaps(metav1.NamespaceSystem).Get(w.ctx, "extension-apiserver-authentication", metav1.GetOptions{})
	w.must(err)
	w.must(daemon.Replace(file, []byte(published.Data["client-ca-file"])))
	w.eventually(20*time.Second, func() error {
		if names := w.acceptableCAs(url); !slices.Equal(names, []string{"CN=berth test client CA"}) {
			return fmt.Errorf("after a reload the handshake names %q", names)
		}
		return nil
	})
}

// The CA of clients comes from the ConfigMap that kube-apiserver publishes.
func TestTheSecurePortTrustsTheClusterSClientCA(t *testing.T) {
	w := newWorld(t, 2*time.Minute)
	url := w.secured()
	master, err := w.plane.ClientCertificate("root", "system:masters")
	w.must(err)
	w.expect(client{certificate: master}, url+"/metrics", http.StatusOK)
	w.expect(client{certificate: master}, url+"/configz", http.StatusOK)
	someone, err := w.plane.ClientCertificate("someone")
	w.must(err)
	header, text := w.expect(client{certificate: someone}, url+"/metrics", http.StatusForbidden)
	if status := w.refusal(header, text); !strings.Contains(status.Message, `User "someone"`) {
		t.Errorf("refusal of a client certificate: %q", status.Message)
	}
	stranger, err := controlplane.ForeignCertificate("root", "system:masters")
	w.must(err)
	w.expect(client{certificate: stranger}, url+"/healthz", http.StatusUnauthorized)
}

// Without a look-up in the cluster, certificates are ignored and tokens work.
func TestTheSecurePortSkipsTheLookUp(t *testing.T) {
	w := newWorld(t, time.Minute)
	url := w.secured("--authentication-skip-lookup")
	master, err := w.plane.ClientCertificate("root", "system:masters")
	w.must(err)
	header, text := w.expect(client{certificate: master}, url+"/metrics", http.StatusForbidden)
	if status := w.refusal(header, text); !strings.Contains(status.Message, "system:anonymous") {
		t.Errorf("refusal of an ignored certificate: %q", status.Message)
	}
	w.expect(client{token: w.plane.Token(controlplane.Admin)}, url+"/metrics", http.StatusOK)
}
