package fonts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Library is the fonts that every job can use. It is immutable and safe for concurrent use.
type Library struct {
	fonts   []*Font            // in the order of fallback
	family  map[string][]*Font // by lower-case name
	faces   map[string][]face  // the same
	last    []fallback         // in the order of fonts
	skipped []Skipped
	digest  func() string
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
	var scanned []*Font
	if dir != "" {
		var err error
		if scanned, l.skipped, err = scan(ctx, dir); err != nil {
			return nil, err
		}
		l.add(scanned)
	}
	l.add(slices.DeleteFunc(builtinFonts(), func(f *Font) bool { return l.has(f.Family, f.Style) }))
	l.order(scanned)
	l.face()
	l.digest = sync.OnceValue(l.sum)
	return l, nil
}

func (l *Library) add(fonts []*Font) {
	for _, f := range fonts {
		key := strings.ToLower(f.Family)
		l.family[key] = append(l.family[key], f)
	}
}

// order settles that of fallback: a character that is in the binary looks the same whatever a directory adds.
func (l *Library) order(scanned []*Font) {
	placed := map[string]bool{}
	place := func(family string) {
		if key := strings.ToLower(family); !placed[key] {
			placed[key] = true
			l.fonts = append(l.fonts, l.family[key]...)
		}
	}
	for _, b := range builtin {
		place(b.family)
	}
	for _, f := range scanned {
		place(f.Family)
	}
}

// fallback is a family that is asked for characters that those of a document lack: in its regular style, as browsers do. What is bold or slanted is made of
// that.
type fallback struct {
	family string
	faces  []face
}

// face makes the faces of the fonts, and of the families those for fallback.
func (l *Library) face() {
	l.faces = make(map[string][]face, len(l.family))
	for key, fonts := range l.family {
		for _, f := range fonts {
			l.faces[key] = append(l.faces[key], faceOf(f))
		}
	}
	for _, f := range l.fonts {
		if n := len(l.last); n == 0 || l.last[n-1].family != f.Family {
			l.last = append(l.last, fallback{f.Family, matches(l.faces[strings.ToLower(f.Family)], Style{}.withDefaults())})
		}
	}
}

// has reports whether the library has a face of exactly this style.
func (l *Library) has(family string, style Style) bool {
	return slices.ContainsFunc(l.family[strings.ToLower(family)], func(f *Font) bool { return f.Style == style })
}

// Digest is the hex SHA-256 of all fonts, in their order: with another one, the same document may look another way.
func (l *Library) Digest() string { return l.digest() }

func (l *Library) sum() string {
	all := sha256.New()
	fmt.Fprintf(all, "%x\n", builtinDigest())
	for _, f := range l.fonts {
		fmt.Fprintf(all, "%q %d %v %d %x\n", f.Family, f.Style.Weight, f.Style.Italic, f.Style.Width, f.file)
	}
	return hex.EncodeToString(all.Sum(nil))
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
