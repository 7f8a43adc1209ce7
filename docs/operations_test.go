package docs_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

const operationsPage = "docs/operations.md"

var (
	metricInCode = regexp.MustCompile(`Name:\s+"(platen_[a-z_]+)"`)
	metricRow    = regexp.MustCompile("(?m)^\\| `(platen_[a-z_]+)` \\|")
	metricUse    = regexp.MustCompile(`\bplaten_[a-z_]+[a-z]\b`)
	// A message is the first string of a call that logs.
	alarmInCode   = regexp.MustCompile(`[lL]ogger\.(?:Warn|Error)(?:Context)?\([^"\n]*"([^"]+)"`)
	messageInCode = regexp.MustCompile(`[lL]og(?:ger)?\.(?:Debug|Info|Warn|Error|LogAttrs)(?:Context)?\([^"\n]*"([^"]+)"`)
	code          = regexp.MustCompile("`([^`]+)`")
)

func TestEveryMetricIsListedAndEveryListedOneExists(t *testing.T) {
	t.Parallel()
	page := read(t, operationsPage)
	exist, listed := unique(inCode(t, metricInCode)), unique(captures(metricRow, page))
	if len(exist) == 0 || !slices.Equal(exist, listed) {
		t.Errorf("the code has %q, the page %q", exist, listed)
	}
	for _, name := range metricUse.FindAllString(page, -1) {
		if !slices.Contains(exist, name) {
			t.Errorf("%s: nothing exports %s", operationsPage, name)
		}
	}
}

func TestEveryAlarmInTheLogIsExplainedAndEveryExplainedLineExists(t *testing.T) {
	t.Parallel()
	_, table, found := strings.Cut(read(t, operationsPage), "| message | level |")
	if !found {
		t.Fatalf("%s has no table of messages", operationsPage)
	}
	var explained []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 1 {
			explained = append(explained, captures(code, cells[1])...)
		}
	}
	logged := inCode(t, messageInCode)
	for _, message := range explained {
		if !slices.Contains(logged, message) {
			t.Errorf("%s: nothing logs %q", operationsPage, message)
		}
	}
	for _, message := range unique(inCode(t, alarmInCode)) {
		if !slices.Contains(explained, message) {
			t.Errorf("%s does not explain %q", operationsPage, message)
		}
	}
}

// inCode returns the first group of each match in the code of the programs.
func inCode(t *testing.T, pattern *regexp.Regexp) []string {
	t.Helper()
	var found []string
	for _, path := range files(t, ".go") {
		program := strings.HasPrefix(path, "internal/") || strings.HasPrefix(path, "cmd/")
		if program && !strings.HasSuffix(path, "_test.go") {
			found = append(found, captures(pattern, read(t, path))...)
		}
	}
	return found
}
