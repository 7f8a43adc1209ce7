package e2e_test

import (
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// payrollOf builds the example and writes its table.
func payrollOf(t *testing.T, dir, n string) string {
	t.Helper()
	program := filepath.Join(dir, "payroll")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../examples/payroll").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	table, err := exec.CommandContext(t.Context(), program, "-n", n).Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "payroll.csv")
	if err := os.WriteFile(path, table, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// scissors is a way to the API on which the first uploads are cut once so many bytes have gone by.
type scissors struct {
	addr  string
	after int64
	snip  func(cut int) // is told of each, from 1

	mu   sync.Mutex
	left int
	cuts int
}

func newScissors(t *testing.T, to string, cuts int, after int64, snip func(int)) *scissors {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &scissors{addr: listener.Addr().String(), after: after, snip: snip, left: cuts}
	var served sync.WaitGroup
	served.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // the test is over
			}
			served.Go(func() { s.pass(conn, to) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		served.Wait()
	})
	return s
}

// pass carries a connection to the API, or half of what it has to say.
func (s *scissors) pass(from net.Conn, to string) {
	defer from.Close()
	api, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer api.Close()
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(from, api)
		_ = from.Close()
	})
	defer back.Wait()
	defer api.Close()
	if n, _ := io.CopyN(api, from, s.after); n == s.after && s.cut() {
		return
	}
	_, _ = io.Copy(api, from)
}

func (s *scissors) cut() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left == 0 {
		return false
	}
	s.left--
	s.cuts++
	s.snip(s.cuts)
	return true
}

func (s *scissors) made() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cuts
}

// TestAPayrollThatIsCutThriceIsOneBatch kills the command at the first cut; at the others it goes on by itself.
func TestAPayrollThatIsCutThriceIsOneBatch(t *testing.T) {
	t.Parallel()
	const n = 300
	s := newStack(t, "PLATEN_KEY="+devKey, "PLATEN_CHROMIUM=off")
	s.start("worker")
	s.up()
	dir := t.TempDir()
	table := payrollOf(t, dir, "300")
	s.platen(nil, "templates", "put", "../examples/templates/payslip")

	running := make(chan *exec.Cmd, 1)
	way := newScissors(t, s.addr, 3, 200_000, func(cut int) {
		if cut == 1 {
			_ = (<-running).Process.Kill() // it waits for an answer, so it is there
		}
	})
	submit := func() *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "platen"), "batch", "submit", table, "--template", "payslip", "--defaults", "../examples/payroll/defaults.json",
			"--key", "payslip:2026-10:{{.number}}", "--without", "number", "--omit-empty", "--manifest", filepath.Join(dir, "manifest.json"), "--save", filepath.Join(dir, "slips"))
		cmd.Env = append(s.env, "PLATEN_URL=http://"+way.addr)
		cmd.Stderr = t.Output()
		return cmd
	}
	first := submit()
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	running <- first
	if err := first.Wait(); err == nil {
		t.Fatal("it was not killed")
	}
	if out, err := submit().Output(); err != nil || !strings.Contains(string(out), "300: 300 succeeded") {
		t.Fatalf("%v: %s", err, out)
	}
	if cuts := way.made(); cuts != 3 {
		t.Errorf("it was cut %d times", cuts)
	}
	s.isWhole(n, dir)
}

// isWhole sees that there is one batch with so many documents, all of them apart, and that the folder has them.
func (s *stack) isWhole(n int, dir string) {
	s.Helper()
	list, err := s.BatchPage(s.Context(), client.BatchFilter{}, client.Page{})
	if err != nil || len(list.Data) != 1 {
		s.Fatalf("%+v, %v", list, err)
	}
	documents := map[string]bool{}
	for item, err := range s.BatchItems(s.Context(), list.Data[0].ID, client.ItemFilter{}) {
		if err != nil {
			s.Fatal(err)
		}
		if item.Status != api.ItemSucceeded || item.DocumentID == nil {
			s.Errorf("%+v", item)
			continue
		}
		documents[*item.DocumentID] = true
	}
	if len(documents) != n {
		s.Errorf("there are %d documents", len(documents))
	}
	check := exec.CommandContext(s.Context(), filepath.Join(bin, "platen"), "batch", "manifest", "--check", filepath.Join(dir, "manifest.json"), "--files", filepath.Join(dir, "slips"))
	check.Env = append(s.env, "PLATEN_URL="+s.BaseURL)
	if out, err := check.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("genuine")) || !bytes.Contains(out, []byte("300 files as issued")) {
		s.Errorf("%v: %s", err, out)
	}
}

// TestTheCommandsOfThePayrollWork types what examples/payroll/README.md shows, with fewer employees.
func TestTheCommandsOfThePayrollWork(t *testing.T) {
	t.Parallel()
	s := newStack(t, "PLATEN_KEY="+devKey, "PLATEN_CHROMIUM=off")
	s.start("worker")
	s.up()
	page, err := os.ReadFile("../examples/payroll/README.md")
	if err != nil {
		t.Fatal(err)
	}
	script := "set -x\n"
	for _, block := range shellBlock.FindAllStringSubmatch(string(page), -1) {
		script += block[1]
	}
	dir := t.TempDir()
	payrollOf(t, dir, "1")
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	script = strings.NewReplacer(
		"go run ./examples/payroll", "./payroll", "-n 10000", "-n 60", "bin/platen", filepath.Join(bin, "platen"), "examples/", filepath.Join(root, "examples")+"/",
	).Replace(script)
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(s.env, "PLATEN_URL="+s.BaseURL)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"60: 60 succeeded", "60 documents in payslips", "60 files as issued", "failed\n", "\n3\n", "expect_not_contains", "of 15 items that failed have new inputs", "40: 40 succeeded"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
