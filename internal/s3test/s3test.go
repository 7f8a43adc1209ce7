// Package s3test starts a real S3 server for a test: versitygw over a folder, behind a proxy that does wrong when it is
// told to. scripts/setup.sh test builds the program into bin/tools; without it a test fails.
package s3test

import (
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/subprocess"
)

// Credentials that every server takes.
const (
	accessKey = "platen"
	secretKey = "a secret of the tests"
)

// patience bounds the start of a server.
const patience = 20 * time.Second

// Server is a running server that ends with its test. Its methods may be called from anywhere.
type Server struct {
	// URL is where clients find it: the address of the proxy.
	URL string

	dir   string
	fault atomic.Pointer[Rule]
}

// Environ is what a client must find in its environment.
func Environ() []string {
	return []string{
		"AWS_ACCESS_KEY_ID=" + accessKey, "AWS_SECRET_ACCESS_KEY=" + secretKey, "AWS_REGION=us-east-1", "AWS_EC2_METADATA_DISABLED=true",
		"AWS_CONFIG_FILE=" + os.DevNull, "AWS_SHARED_CREDENTIALS_FILE=" + os.DevNull,
	}
}

// Start starts a server without buckets and waits until it answers. It ends with the test.
func Start(tb testing.TB) *Server {
	tb.Helper()
	//nolint:usetesting // TempDir carries the name of the test, and a socket path has 107 bytes at most.
	dir, err := os.MkdirTemp("", "s3test")
	if err != nil {
		tb.Fatalf("s3test: folder: %v", err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := &Server{dir: filepath.Join(dir, "buckets")}
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		tb.Fatalf("s3test: %v", err)
	}
	socket := filepath.Join(dir, "s")
	cmd := exec.Command(program(tb), "--port", socket, "--access", accessKey, "--secret", secretKey, "--quiet", "--keep-alive", "posix", s.dir) //nolint:noctx,gosec // it is ended by its signal
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, tb.Output(), tb.Output()
	process, err := subprocess.Start(cmd, syscall.SIGKILL)
	if err != nil {
		tb.Fatalf("s3test: %v", err)
	}
	tb.Cleanup(func() { process.End(syscall.SIGKILL) })
	await(tb, socket, process)
	s.URL = s.proxy(tb, socket)
	return s
}

// Bucket makes an empty bucket and returns its address. A name of a bucket is for one call.
func (s *Server) Bucket(tb testing.TB, name string) string {
	tb.Helper()
	if err := os.Mkdir(filepath.Join(s.dir, name), 0o700); err != nil {
		tb.Fatalf("s3test: %v", err)
	}
	return "s3://" + name + "?" + url.Values{"endpoint": {s.URL}}.Encode()
}

// Path is the file in which an object lies, whether there is one or not.
func (s *Server) Path(bucket, key string) string {
	return filepath.Join(s.dir, bucket, filepath.FromSlash(key))
}

// program finds versitygw in bin/tools of the repository, or in the PATH.
func program(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatalf("s3test: %v", err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		built := filepath.Join(dir, "bin", "tools", "versitygw")
		if _, err := os.Stat(built); err == nil {
			return built
		}
	}
	path, err := exec.LookPath("versitygw")
	if err != nil {
		tb.Fatalf("s3test: versitygw is needed: scripts/setup.sh test builds it into bin/tools (%v)", err)
	}
	return path
}

// await waits until the server takes connections.
func await(tb testing.TB, socket string, process *subprocess.Process) {
	tb.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for {
		if conn, err := (&net.Dialer{}).DialContext(tb.Context(), "unix", socket); err == nil {
			_ = conn.Close() // it was only asked
			return
		}
		select {
		case <-process.Done():
			tb.Fatal("s3test: versitygw has ended")
		case <-deadline:
			tb.Fatalf("s3test: versitygw does not answer within %v", patience)
		case <-tick.C:
		}
	}
}
