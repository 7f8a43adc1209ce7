package native_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// users are the packages that make something of styles.
var users = strings.Fields("box text layout page paint svg grid flex table images fonts")

// elsewhere are fields of a style that no such package reads, with the reason.
var elsewhere = map[string]string{
	"PageSize":             "the cascade makes the sheet of it",
	"LineBreak":            "its values that are inside all mean the same",
	"ClipRule":             "paths that clip are outside",
	"TransformBox":         "its values that are inside all mean the same",
	"BackgroundAttachment": "its values that are inside all mean the same where nothing scrolls",
	"FontVariantCaps":      "normal alone is inside",
	"TextOverflow":         "where it changes something it is outside",
	"Appearance":           "controls whose looks it changes are outside",
	"TextAnchor":           "text of SVG is outside",
}

// selectors are the names after a dot in the sources of the packages.
func selectors(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, name := range users {
		err := filepath.WalkDir(name, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					found[s.Sel.Name] = true
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// Each property that is kept in a style is used by what lays out or paints: nothing is read and then forgotten.
func TestEachFieldOfAStyleIsUsed(t *testing.T) {
	t.Parallel()
	found := selectors(t)
	for _, part := range []reflect.Type{reflect.TypeFor[property.Inherited](), reflect.TypeFor[property.Box](), reflect.TypeFor[property.SVG]()} {
		for field := range part.Fields() {
			name := field.Name
			if !field.IsExported() {
				continue
			}
			reason, excepted := elsewhere[name]
			switch {
			case !found[name] && !excepted:
				t.Errorf("%s is kept in a style, and nobody asks for it", name)
			case found[name] && excepted:
				t.Errorf("%s is used, but the list says: %s", name, reason)
			}
		}
	}
}
