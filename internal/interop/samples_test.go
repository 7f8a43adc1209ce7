package interop_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const webhooksPage = "../../docs/webhooks.md"

// sample is a function of the page in one language, and the program that runs it on our cases.
type sample struct {
	fence    string // of its code block
	program  []string
	debian   string // the package of the program
	fileName string
	runner   string // in testdata/samples
}

var samples = []sample{
	{"js", []string{"node"}, "nodejs", "verify.mjs", "run.mjs"},
	{"python", []string{"python3", "-B", "-W", "error"}, "python3", "verify.py", "run.py"},
	{"php", []string{"php", "-d", "error_reporting=-1"}, "php-cli", "verify.php", "run.php"},
	{"bash", []string{"bash"}, "bash", "verify.bash", "run.bash"},
}

func TestTheSamplesOfThePageAnswerLikeOurOwnVerifier(t *testing.T) {
	t.Parallel()
	all := cases(t)
	for i, c := range all {
		if got := c.judgedByUs(t); got != c.want {
			t.Errorf("case %d, %s: ours says %s, want %s", i, c.name, got, c.want)
		}
	}
	input := encode(t, all)
	for _, s := range samples {
		t.Run(s.fence, func(t *testing.T) {
			t.Parallel()
			verdicts := s.run(t, input)
			if len(verdicts) != len(all) {
				t.Fatalf("%d verdicts on %d cases: %q", len(verdicts), len(all), verdicts)
			}
			for i, c := range all {
				if verdicts[i] != c.want {
					t.Errorf("case %d, %s: %s, want %s", i, c.name, verdicts[i], c.want)
				}
			}
		})
	}
}

// run returns a verdict for each case of the input.
func (s sample) run(t *testing.T, input []byte) []string {
	t.Helper()
	args := append(slices.Clone(s.program[1:]), filepath.Join("testdata", "samples", s.runner), written(t, s.fence, s.fileName))
	cmd := command(t, s.program[0], s.debian, args...)
	cmd.Stdin = bytes.NewReader(input)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", s.program[0], err, &said)
	}
	return strings.Fields(string(out))
}

func TestTheGoOfThePageCompiles(t *testing.T) {
	t.Parallel()
	check(t, command(t, "go", "golang", "vet", written(t, "go", "main.go")))
}

func TestTheShellOfThePageIsSound(t *testing.T) {
	t.Parallel()
	check(t, command(t, "shellcheck", "shellcheck", "--shell=bash", written(t, "bash", "verify.bash")))
}

func check(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", cmd.Path, err, out)
	}
}

// written is the path of a file with the code block of a language.
func written(t *testing.T, fence, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(block(t, fence)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// block returns the only code block of a language in the section that shows how to verify.
func block(t *testing.T, fence string) string {
	t.Helper()
	page, err := os.ReadFile(webhooksPage)
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Verify it\n")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := regexp.MustCompile("(?ms)^```"+fence+"\n(.*?)^```$").FindAllStringSubmatch(section, -1)
	if len(blocks) != 1 {
		t.Fatalf("%s has %d blocks of %s under Verify it, not one", webhooksPage, len(blocks), fence)
	}
	return blocks[0][1]
}
