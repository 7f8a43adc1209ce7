package jobs_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/platen-render/platen/internal/jobs"
)

func TestTheDrawnStateMachineIsTheTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/state-machine.md")
	if err != nil {
		t.Fatal(err)
	}
	var drawn, table []string
	for _, m := range regexp.MustCompile(`(?m)^ {4}(\S+) --> (\S+)$`).FindAllStringSubmatch(string(page), -1) {
		drawn = append(drawn, m[1]+" --> "+m[2])
	}
	table = append(table, "[*] --> "+string(jobs.Queued))
	for _, from := range jobs.Statuses {
		for _, to := range jobs.Transitions[from] {
			table = append(table, string(from)+" --> "+string(to))
		}
		if from.Final() {
			table = append(table, string(from)+" --> [*]")
		}
	}
	slices.Sort(drawn)
	slices.Sort(table)
	if !slices.Equal(drawn, table) {
		t.Errorf("drawn:\n%v\ntable:\n%v", drawn, table)
	}
}

func TestOnlyTheThreeEndsAreFinal(t *testing.T) {
	t.Parallel()
	for _, s := range append([]jobs.Status{""}, jobs.Statuses...) {
		want := s == jobs.Succeeded || s == jobs.Failed || s == jobs.Canceled
		if s.Final() != want {
			t.Errorf("%q: final %v", s, !want)
		}
	}
}
