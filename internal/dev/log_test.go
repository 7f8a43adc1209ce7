package dev_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/dev"
)

func TestALogIsReadByWholeLines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	if lines, next := dev.Look(path, 7); len(lines) != 0 || next != 7 {
		t.Errorf("a log that is not there has %q, %d", lines, next)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var offset int64
	for _, step := range []struct {
		written string
		want    []string
	}{
		{`{"msg":"a","error":"x"}` + "\nno JSON\n" + `{"msg":`, []string{"a: x"}},
		{`"b","n":1}`, nil},
		{"\n\n", []string{"b: "}},
		{"", nil},
	} {
		if _, err := f.WriteString(step.written); err != nil {
			t.Fatal(err)
		}
		var lines []string
		if lines, offset = dev.Look(path, offset); !cmp.Equal(step.want, lines) {
			t.Errorf("after %q: %q, want %q", step.written, lines, step.want)
		}
	}
}
