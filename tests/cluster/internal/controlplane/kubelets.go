package controlplane

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
)

// egress makes the API server reach kubelets through an HTTP proxy.
const egress = `apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- {name: cluster, connection: {proxyProtocol: HTTPConnect, transport: {uds: {udsName: %q}}}}
`

// ClientCA is the file with the CA of the client certificates.
func (c *ControlPlane) ClientCA() string { return c.pki.path("client-ca.crt") }

// writeKubeletAccess writes what the API server needs to be a client of kubelets: a certificate, and the way to them.
func (c *ControlPlane) writeKubeletAccess() error {
	if c.options.Kubelets == "" {
		return nil
	}
	certificate, err := c.ClientCertificate("kube-apiserver-kubelet-client", "system:masters")
	if err != nil {
		return err
	}
	chain, key, err := PEM(certificate)
	return errors.Join(err, os.WriteFile(c.pki.path("kubelet-client.crt"), chain, 0o644), os.WriteFile(c.pki.path("kubelet-client.key"), key, 0o600),
		os.WriteFile(c.pki.path("egress.yaml"), fmt.Appendf(nil, egress, c.options.Kubelets), 0o644))
}

func (c *ControlPlane) kubeletAccess() []string {
	if c.options.Kubelets == "" {
		return nil
	}
	return []string{"--egress-selector-config-file=" + c.pki.path("egress.yaml"),
		"--kubelet-client-certificate=" + c.pki.path("kubelet-client.crt"), "--kubelet-client-key=" + c.pki.path("kubelet-client.key")}
}

// PEM returns a certificate of ClientCertificate and its key as files have them.
func PEM(certificate *tls.Certificate) (chain, key []byte, err error) {
	der, err := x509.MarshalECPrivateKey(certificate.PrivateKey.(*ecdsa.PrivateKey))
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]}),
		pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), err
}
