package filenames_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/platen-render/platen/internal/filenames"
)

func TestATextBecomesANameThatEverySystemTakes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"invoice:2026-00042":           "invoice_2026-00042",
		"Gehalt März (Müller)":         "Gehalt März (Müller)",
		"Mu\u0308ller":                 "Müller",
		"../../etc/passwd":             "_.._.._etc_passwd",
		`C:\temp\x`:                    "C__temp_x",
		"a\x00b\nc\u202egnp.fdp":       "a_b_c_gnp.fdp",
		"a\xffb":                       "a_b",
		".hidden":                      "_.hidden",
		"-rf":                          "_-rf",
		"~root":                        "_~root",
		" a":                           "_ a",
		"trailing. . ":                 "trailing",
		"...":                          "_",
		"":                             "_",
		"nul":                          "_nul",
		"Con.2026":                     "_Con.2026",
		"LPT1 .x":                      "_LPT1 .x",
		"COM¹":                         "_COM¹",
		"COM10":                        "COM10",
		"console":                      "console",
		"%APPDATA%":                    "_APPDATA_",
		strings.Repeat("ü", 200):       strings.Repeat("ü", 60),
		strings.Repeat("x", 119) + "ü": strings.Repeat("x", 119),
	} {
		if got := filenames.Clean(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestNoTwoNamesAreOneFile(t *testing.T) {
	t.Parallel()
	var names filenames.Names
	texts := []string{"a/b", "a:b", "a_b", "A_B", "a_b~1", "a\\b", "Mu\u0308ller", "MÜLLER", "Straße", "STRASSE", "ΟΔΟΣ", "οδος", "οδοσ"}
	var got []string
	for i, text := range texts {
		got = append(got, names.Take(text, fmt.Sprint(i)))
	}
	want := []string{"a_b", "a_b~1", "a_b~2", "A_B~3", "a_b~1~4", "a_b~5", "Müller", "MÜLLER~7", "Straße", "STRASSE~9", "ΟΔΟΣ", "οδος~11", "οδοσ~12"}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func FuzzAnyTextGivesASafeName(f *testing.F) {
	for _, text := range []string{"", "..", "a/b", "nul", "\xff\u202e", strings.Repeat("é", 300)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name := filenames.Clean(text)
		hidden := func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|`, r) }
		if name == "" || len(name) > 121 || !utf8.ValidString(name) || strings.ContainsFunc(name, hidden) ||
			strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") || strings.TrimRight(name, " .") != name || !filepath.IsLocal(name) {
			t.Errorf("%q became %q", text, name)
		}
	})
}
