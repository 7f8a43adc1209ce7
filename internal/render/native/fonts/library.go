package fonts

import (
	"context"
	"slices"
	"strings"
)

// Library is the fonts that every job can use. It is immutable and safe for concurrent use.
type Library struct {
	fonts   []*Font            // in the order of fallback
	family  map[string][]*Font // by lower-case name
	skipped []Skipped
}

// Skipped is a file of the font directory that cannot be used.
type Skipped struct {
	Path string
	Err  error
}

// New makes a library of the fonts in the binary and those in dir, which is scanned once; "" is no directory. Within the same family the
// directory wins. Files that are no usable fonts are in [Library.Skipped]; a directory that cannot be read is
// an error.
func New(ctx context.Context, dir string) (*Library, error) {
	l := &Library{family: map[string][]*Font{}}
	if dir != "" {
		scanned, skipped, err := scan(ctx, dir)
		if err != nil {
			return nil, err
		}
		l.skipped = skipped
		l.add(scanned)
	}
	l.add(slices.DeleteFunc(builtinFonts(), func(f *Font) bool { return l.has(f.Family, f.Style) }))
	return l, nil
}

func (l *Library) add(fonts []*Font) {
	for _, f := range fonts {
		key := strings.ToLower(f.Family)
		l.family[key] = append(l.family[key], f)
	}
	l.fonts = append(l.fonts, fonts...)
}

// has reports whether the library has a face of exactly this style.
func (l *Library) has(family string, style Style) bool {
	return slices.ContainsFunc(l.family[strings.ToLower(family)], func(f *Font) bool { return f.Style == style })
}

// Skipped returns the files of the directory that cannot be used, by path.
func (l *Library) Skipped() []Skipped { return slices.Clone(l.skipped) }

// Families returns the names of all families in the order in which they are asked for characters that no family of a document has.
func (l *Library) Families() []string {
	var names []string
	for _, f := range l.fonts {
		if !slices.Contains(names, f.Family) {
			names = append(names, f.Family)
		}
	}
	return names
}
