package httpapi

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Lives of the certificates that LocalCertificates makes. The server's own is
// replaced when less than renewBefore of its life is left.
const (
	localCALife   = 10 * 365 * 24 * time.Hour
	localCertLife = 365 * 24 * time.Hour
	renewBefore   = 30 * 24 * time.Hour
)

// LocalCertificates returns certificates for a service without any: a
// certification authority of its own in dir (ca.pem, ca-key.pem), made at the
// first call, and a server certificate that it signed (cert.pem, key.pem),
// made anew when it nears its end or lacks one of the hosts. Hosts are names
// or addresses; localhost, 127.0.0.1, ::1 and the name of the machine are
// always among them. Clients that trust ca.pem, and no others, trust the
// service. All keys are ECDSA P-256 and all files have mode 0600.
func LocalCertificates(dir string, hosts []string, now func() time.Time) (*Certificates, error) {
	if now == nil {
		now = time.Now
	}
	l := &localCA{dir: dir, now: now, hosts: []string{"localhost", "127.0.0.1", "::1"}}
	if name, err := os.Hostname(); err == nil {
		hosts = append(slices.Clip(hosts), name)
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil && ip.IsUnspecified() {
			continue // listening everywhere names no host
		}
		if h != "" && !slices.Contains(l.hosts, h) {
			l.hosts = append(l.hosts, h)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("local certificate: %w", err)
	}
	if err := l.renew(); err != nil {
		return nil, fmt.Errorf("local certificate in %s: %w", dir, err)
	}
	return newCertificates(l.path("cert.pem"), l.path("key.pem"), now, l.renew)
}

// localCA is a directory with a certification authority.
type localCA struct {
	dir   string
	hosts []string
	now   func() time.Time
	until time.Time // the server's certificate needs no renewal before; zero: not known
}

func (l *localCA) path(name string) string { return filepath.Join(l.dir, name) }

// renew makes what is missing or near its end.
func (l *localCA) renew() error {
	if l.now().Before(l.until) {
		return nil
	}
	ca, caKey, err := l.readPair("ca.pem", "ca-key.pem")
	if err != nil {
		return err
	}
	switch {
	case ca == nil:
	case l.nearEnd(ca):
		ca, caKey = nil, nil
	case ca.CheckSignature(ca.SignatureAlgorithm, ca.RawTBSCertificate, ca.Signature) != nil:
		ca = nil // it still parses, but clients may not trust what it signs
	}
	fresh := ca == nil
	if fresh {
		if ca, caKey, err = l.makeCA(caKey); err != nil {
			return err
		}
	}
	cert, _, err := l.readPair("cert.pem", "key.pem")
	if err != nil {
		return err
	}
	if fresh || cert == nil || l.nearEnd(cert) || cert.CheckSignatureFrom(ca) != nil || !l.coversHosts(cert) {
		if cert, err = l.makeCert(ca, caKey); err != nil {
			return err
		}
	}
	l.until = cert.NotAfter.Add(-renewBefore)
	return nil
}

func (l *localCA) nearEnd(c *x509.Certificate) bool {
	return l.now().After(c.NotAfter.Add(-renewBefore))
}

func (l *localCA) coversHosts(c *x509.Certificate) bool {
	return !slices.ContainsFunc(l.hosts, func(h string) bool { return c.VerifyHostname(h) != nil })
}

// readPair reads a certificate and its key. What is missing or torn is nil
// without an error, and so is a certificate of another key: it is made anew, with
// the key if that is there.
func (l *localCA) readPair(certName, keyName string) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	blocks := [2]*pem.Block{}
	for i, name := range [...]string{certName, keyName} {
		text, err := os.ReadFile(l.path(name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		if blocks[i], _ = pem.Decode(text); blocks[i] == nil {
			blocks[i] = &pem.Block{}
		}
	}
	key, err := x509.ParsePKCS8PrivateKey(blocks[1].Bytes)
	own, ok := key.(*ecdsa.PrivateKey)
	if err != nil || !ok {
		return nil, nil, nil
	}
	cert, err := x509.ParseCertificate(blocks[0].Bytes)
	if err != nil || blocks[0].Type != "CERTIFICATE" || !own.PublicKey.Equal(cert.PublicKey) {
		return nil, own, nil // clients pass over blocks of another type
	}
	return cert, own, nil
}

// makeCA makes a certification authority, with the key of the one before if there
// is one: then copies of its certificate stay good.
func (l *localCA) makeCA(key *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	template := l.template("Quarry local CA", localCALife)
	template.IsCA = true
	template.MaxPathLenZero = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	if key == nil {
		var err error
		if key, err = newKey(); err != nil {
			return nil, nil, err
		}
	}
	return l.make(template, key, template, key, "ca.pem", "ca-key.pem")
}

func (l *localCA) makeCert(ca *x509.Certificate, caKey *ecdsa.PrivateKey) (*x509.Certificate, error) {
	template := l.template("Quarry", localCertLife)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, h := range l.hosts {
		if ip := net.ParseIP(h); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, h)
		}
	}
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	cert, _, err := l.make(template, key, ca, caKey, "cert.pem", "key.pem")
	return cert, err
}

func (l *localCA) template(name string, life time.Duration) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127)) // never fails, see crypto/rand
	return &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             l.now().Add(-time.Hour), // clocks differ
		NotAfter:              l.now().Add(life),
		BasicConstraintsValid: true,
	}
}

func newKey() (*ecdsa.PrivateKey, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }

// make makes a certificate of a key, signed by ca, and writes both.
func (l *localCA) make(template *x509.Certificate, key *ecdsa.PrivateKey, ca *x509.Certificate, caKey crypto.Signer, certName, keyName string) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, ca, &key.PublicKey, caKey)
	if err != nil {
		return nil, nil, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	if err := writeFile(l.path(keyName), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})); err != nil {
		return nil, nil, err
	}
	if err := writeFile(l.path(certName), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})); err != nil {
		return nil, nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return cert, key, err
}
