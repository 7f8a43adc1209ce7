package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// TLS makes the server speak TLS on a free loopback port, and nothing else but its socket in Dir. Its certificate is for
// 127.0.0.1 and signed by an authority of its own, whose certificate is in [Server.CAFile].
func TLS() Option {
	return func(s *Server) {
		s.Network = "tcp"
		certs, err := newCertificates(s.Dir)
		if err != nil {
			s.tb.Fatalf("redistest: make certificates: %v", err)
		}
		s.certs = certs
	}
}

// CAFile is the PEM certificate that the server's own is verified with; after [TLS] only.
func (s *Server) CAFile() string { return s.certs.ca }

// certificates are files that a server speaks TLS with. The nil *certificates is no TLS.
type certificates struct {
	ca, cert, key string
	roots         *x509.CertPool
}

func (c *certificates) lines() []string {
	if c == nil {
		return nil
	}
	return []string{
		"tls-ca-cert-file " + strconv.Quote(c.ca), "tls-cert-file " + strconv.Quote(c.cert),
		"tls-key-file " + strconv.Quote(c.key), "tls-auth-clients no",
	}
}

func (c *certificates) client() *tls.Config {
	if c == nil {
		return nil
	}
	return &tls.Config{RootCAs: c.roots, MinVersion: tls.VersionTLS12}
}

// newCertificates makes an authority and a certificate that it signs, valid for as long as a test may run.
func newCertificates(dir string) (*certificates, error) {
	c := &certificates{
		ca: filepath.Join(dir, "ca.pem"), cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem"),
		roots: x509.NewCertPool(),
	}
	begin, end := time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "redistest authority"}, NotBefore: begin, NotAfter: end,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "redistest"}, NotBefore: begin, NotAfter: end,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	signer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	if err := c.write(authority, server, signer, key); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *certificates) write(authority, server *x509.Certificate, signer, key *ecdsa.PrivateKey) error {
	root, err := x509.CreateCertificate(rand.Reader, authority, authority, signer.Public(), signer)
	if err != nil {
		return err
	}
	leaf, err := x509.CreateCertificate(rand.Reader, server, authority, key.Public(), signer)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name, kind string
		der        []byte
	}{{c.ca, "CERTIFICATE", root}, {c.cert, "CERTIFICATE", leaf}, {c.key, "PRIVATE KEY", secret}} {
		text := pem.EncodeToMemory(&pem.Block{Type: f.kind, Bytes: f.der})
		if err := os.WriteFile(f.name, text, 0o600); err != nil {
			return err
		}
		if f.name == c.ca {
			c.roots.AppendCertsFromPEM(text)
		}
	}
	return nil
}
