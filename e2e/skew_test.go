package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// clockOffset is the variable that moves the clock of a program of [skewed]: a duration such as "-10m".
const clockOffset = "TEST_CLOCK_OFFSET"

// skewedNow takes the place of time.Now. Only what it says of the day is moved: durations are measured on the monotonic
// reading, which no wrong clock changes.
const skewedNow = `package time

import "syscall"

var testClockOffset = func() Duration {
	text, _ := syscall.Getenv("` + clockOffset + `")
	offset, _ := ParseDuration(text)
	return offset
}()

// Now is the time of a clock that is wrong.
func Now() Time {
	t := trueNow()
	moved := t.Add(testClockOffset)
	if moved.wall&hasMonotonic != 0 {
		moved.ext = t.ext
	}
	return moved
}
`

// skewed builds a program whose clock can be moved: with a package time that is made from the installed one, since a clock of
// a process of its own needs rights that a test has not. The standard library is compiled once for it, and then cached.
func skewed(t *testing.T, name string) (program string) {
	t.Helper()
	began, dir := time.Now(), t.TempDir()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	library := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	source, err := os.ReadFile(filepath.Join(library, "time.go"))
	if err != nil {
		t.Fatal(err)
	}
	const signature = "\nfunc Now() Time {"
	if strings.Count(string(source), signature) != 1 {
		t.Fatal("package time has no Now that this test can replace")
	}
	overlay := map[string]string{}
	for name, text := range map[string]string{
		"time.go": strings.Replace(string(source), signature, "\nfunc trueNow() Time {", 1), "skewed.go": skewedNow,
	} {
		overlay[filepath.Join(library, name)] = filepath.Join(dir, name)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, name)
	if out, err := exec.Command("go", "build", "-overlay", list, "-o", program, "../cmd/"+name).CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	t.Logf("built in %v", time.Since(began).Round(100*time.Millisecond))
	return program
}
