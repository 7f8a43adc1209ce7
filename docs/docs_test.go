// Package docs_test holds the documents to the repository: links lead somewhere, commands exist, settings are listed.
package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the top of the repository, seen from this folder.
const root = ".."

// settingsPage lists every environment variable.
const settingsPage = "docs/configuration.md"

var (
	makeTarget  = regexp.MustCompile(`(?m)^([a-z][a-z-]*):`)
	makeCommand = regexp.MustCompile(`\bmake ([a-z][a-z-]*)`)
	makeHelp    = regexp.MustCompile(`(?m)^([a-z][a-z-]*):.* ## [A-Z]`)
	setting     = regexp.MustCompile(`\bPLATEN_[A-Z][A-Z0-9_]*[A-Z0-9]\b`)
)

// The folders that hold nothing of ours.
var skipped = []string{".git", ".platen", ".docker", "bin", "testdata", "node_modules"}

func TestEveryRelativeLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	pages := map[string]page{}
	for _, path := range files(t, ".md") {
		pages[path] = parse(read(t, path))
	}
	for path, p := range pages {
		for _, link := range p.links {
			if problem := follow(pages, path, link); problem != "" {
				t.Errorf("%s: link %q: %s", path, link, problem)
			}
		}
	}
}

func TestEveryMakeCommandExists(t *testing.T) {
	t.Parallel()
	targets := captures(makeTarget, read(t, "Makefile"))
	for _, path := range files(t, ".md") {
		for _, code := range parse(read(t, path)).code {
			for _, target := range captures(makeCommand, code) {
				if !slices.Contains(targets, target) {
					t.Errorf("%s: `make %s`: the Makefile has no such target", path, target)
				}
			}
		}
	}
}

func TestEveryMakeTargetSaysWhatItDoes(t *testing.T) {
	t.Parallel()
	makefile := read(t, "Makefile")
	helped := captures(makeHelp, makefile)
	for _, target := range captures(makeTarget, makefile) {
		if !slices.Contains(helped, target) {
			t.Errorf("Makefile: %s has no ## line for `make help`", target)
		}
	}
}

func TestEverySettingIsListed(t *testing.T) {
	t.Parallel()
	listed := setting.FindAllString(read(t, settingsPage), -1)
	if len(listed) == 0 {
		t.Fatalf("%s lists no settings", settingsPage)
	}
	for _, path := range files(t, ".md", ".go", ".sh", ".yml", ".example", "Makefile", "Dockerfile") {
		for _, name := range unique(setting.FindAllString(read(t, path), -1)) {
			if !strings.HasSuffix(path, "_test.go") && !slices.Contains(listed, name) {
				t.Errorf("%s: %s is not in %s", path, name, settingsPage)
			}
		}
	}
}

func TestEveryListedSettingIsRead(t *testing.T) {
	t.Parallel()
	var used []string
	for _, path := range files(t, ".go", ".sh", ".yml") {
		if !strings.HasSuffix(path, "_test.go") {
			used = append(used, setting.FindAllString(read(t, path), -1)...)
		}
	}
	for _, name := range unique(setting.FindAllString(read(t, settingsPage), -1)) {
		if !slices.Contains(used, name) {
			t.Errorf("%s: nothing reads %s", settingsPage, name)
		}
	}
}

// files returns the paths below the root, slash-separated, whose names end in one of the suffixes.
func files(t *testing.T, suffixes ...string) []string {
	t.Helper()
	var found []string
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains(skipped, entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(path, s) }) {
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("list the files: %v", err)
	}
	if len(found) == 0 {
		t.Fatalf("no files end in %q", suffixes)
	}
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return string(data)
}

// captures returns the first group of each match.
func captures(pattern *regexp.Regexp, text string) []string {
	var found []string
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}

func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
