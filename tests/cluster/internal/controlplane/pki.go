package controlplane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// pki is the certificate authority of one test run, its server certificate for 127.0.0.1 and ServiceIP, and the key that signs
// service account tokens. All are files in dir.
type pki struct {
	dir string
	ca  []byte // PEM
}

func (p pki) path(name string) string { return filepath.Join(p.dir, name) }

// newPKI writes ca.crt, server.crt, server.key and sa.key to dir.
func newPKI(dir string) (pki, error) {
	p := pki{dir: dir}
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return p, err
	}
	now := time.Now()
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "berth test CA"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, ca, ca, caKey.Public(), caKey)
	if err != nil {
		return p, err
	}
	p.ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	serverKey, err := p.newKey("server.key")
	if err != nil {
		return p, err
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "kube-apiserver"},
		NotBefore: ca.NotBefore, NotAfter: ca.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{"localhost", "kubernetes"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.ParseIP(ServiceIP)},
	}
	der, err = x509.CreateCertificate(rand.Reader, server, ca, serverKey.Public(), caKey)
	if err != nil {
		return p, err
	}
	if err := os.WriteFile(p.path("ca.crt"), p.ca, 0o644); err != nil {
		return p, err
	}
	if err := os.WriteFile(p.path("server.crt"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644); err != nil {
		return p, err
	}
	_, err = p.newKey("sa.key")
	return p, err
}

func (p pki) newKey(name string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, os.WriteFile(p.path(name), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
}
