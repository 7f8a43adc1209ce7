package interop_test

import (
	"context"
	"os/exec"
	"testing"
	"time"
)

// processLimit bounds each process that a test starts.
const processLimit = 2 * time.Minute

// command is a program that is killed with the test or after processLimit. A missing one fails the test.
func command(t *testing.T, name, debianPackage string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%s is missing: install the Debian package %s, or let `make setup-test` do it", name, debianPackage)
	}
	// Not the context of the test, which ends before the cleanups that wait for the process.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), processLimit)
	t.Cleanup(cancel)
	return exec.CommandContext(ctx, path, args...)
}
