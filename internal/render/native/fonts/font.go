// Package fonts is where glyphs come from: the families inside the binary, a font directory, and the web fonts of a document. A
// [Library] is shared by all jobs and immutable; a [Set] belongs to one job and adds the fonts that its document
// brings along. Choosing a face follows CSS Fonts 4 section 5.
//
// Imports go one way: pdf knows no fonts; fonts implements what pdf asks of a typeface; package shape makes glyphs of text.
package fonts

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"

	"github.com/platen-render/platen/internal/render/native/fonts/sfnt"
	"github.com/platen-render/platen/internal/render/native/pdf"
)

// Style is what is asked of a face, or what a face is.
type Style struct {
	Weight int // 1–1000; zero means 400
	Italic bool
	Width  int // the OS/2 width class, 1 (ultra-condensed) to 9; zero means 5, normal
}

func (s Style) withDefaults() Style {
	if s.Weight == 0 {
		s.Weight = 400
	}
	if s.Width == 0 {
		s.Width = 5
	}
	return s
}

// Font is one face. It is parsed at first use and then for good. It is safe for concurrent use, and a pdf.Typeface.
type Font struct {
	Family string
	Style  Style

	load   func() (*program, error) // made by once
	covers func(rune) bool
	file   [sha256.Size]byte // digest of the file in the font directory that it came from
	away   atomic.Bool       // its file could not be read the last time
	shaped sync.RWMutex      // the tables that shaping reads

	corners knownCorners
}

// program is a parsed font, for both who need it: sfnt for tables, font for shaping.
type program struct {
	sfnt    *sfnt.Font
	shaping *font.Font
}

// parse reads a font file, WOFF and WOFF2 included. The parsers are given what strangers upload, so a panic of theirs is an error.
func parse(data []byte, index int) (p *program, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("%w: parser stopped: %v", sfnt.ErrInvalid, r)
		}
	}()
	if data, err = sfnt.Unpack(data); err != nil {
		return nil, err
	}
	p = &program{}
	if p.sfnt, err = sfnt.Parse(data, index); err != nil {
		return nil, err
	}
	loaders, err := opentype.NewLoaders(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", sfnt.ErrInvalid, err)
	}
	if index >= len(loaders) {
		return nil, fmt.Errorf("%w: no font of index %d", sfnt.ErrInvalid, index)
	}
	if p.shaping, err = font.NewFont(loaders[index]); err != nil {
		return nil, fmt.Errorf("%w: %w", sfnt.ErrInvalid, err)
	}
	return p, nil
}

// newFont makes a font that is loaded when it is first asked for more than its name.
func newFont(family string, style Style, load func() (*program, error)) *Font {
	f := &Font{Family: family, Style: style}
	f.load = f.once(load)
	f.covers = func(r rune) bool {
		p, err := f.load()
		if err != nil {
			return false
		}
		_, ok := p.shaping.NominalGlyph(r)
		return ok
	}
	return f
}

// once keeps what was loaded for good, and that it is no font. That a file cannot be read, for want of descriptors perhaps, is not kept: a
// worker would draw another font until its end.
func (f *Font) once(load func() (*program, error)) func() (*program, error) {
	var mu sync.Mutex
	var known atomic.Pointer[outcome]
	return func() (*program, error) {
		if o := known.Load(); o != nil {
			return o.program, o.err
		}
		mu.Lock()
		defer mu.Unlock()
		if o := known.Load(); o != nil {
			return o.program, o.err
		}
		p, err := load()
		var unread *fs.PathError
		f.away.Store(errors.As(err, &unread))
		if !f.away.Load() {
			known.Store(&outcome{p, err})
		}
		return p, err
	}
}

// outcome is what became of loading a font.
type outcome struct {
	program *program
	err     error
}

// Has reports whether the font has a glyph for a character. A font whose file has become unreadable has none.
func (f *Font) Has(r rune) bool {
	if !f.covers(r) {
		return false
	}
	_, err := f.load()
	return err == nil
}

// Shaping returns the font as the shaper wants it.
func (f *Font) Shaping() (*font.Font, error) {
	p, err := f.load()
	if err != nil {
		return nil, fmt.Errorf("font %q: %w", f.Family, err)
	}
	return p.shaping, nil
}

// Metrics are the vertical metrics of the font, in units of which UnitsPerEm make the font size.
func (f *Font) Metrics() (m sfnt.Metrics, unitsPerEm int) {
	p, err := f.load()
	if err != nil {
		return sfnt.Metrics{}, 1000
	}
	return p.sfnt.Metrics, p.sfnt.UnitsPerEm
}

// Colored reports whether glyphs have colors of their own, which are not drawn.
func (f *Font) Colored() bool {
	p, err := f.load()
	return err == nil && p.sfnt.Colored
}

// Variable reports whether the font has variations. Only its default instance is drawn.
func (f *Font) Variable() bool {
	p, err := f.load()
	return err == nil && p.sfnt.Variable
}

// Blank returns a glyph without outline and width, if there can be one.
func (f *Font) Blank() (glyph uint16, ok bool) {
	p, err := f.load()
	if err != nil {
		return 0, false
	}
	return p.sfnt.Blank()
}

// Advance implements pdf.Typeface.
func (f *Font) Advance(glyph uint16) float64 {
	p, err := f.load()
	if err != nil {
		return 0
	}
	return float64(p.sfnt.Advance(glyph)) * 1000 / float64(p.sfnt.UnitsPerEm)
}

// CID implements pdf.Typeface.
func (f *Font) CID(glyph uint16) uint16 {
	p, err := f.load()
	if err != nil {
		return glyph
	}
	return p.sfnt.CID(glyph)
}

// Subset implements pdf.Typeface.
func (f *Font) Subset(glyphs []uint16) ([]byte, error) {
	p, err := f.load()
	if err != nil {
		return nil, err
	}
	return p.sfnt.Subset(glyphs)
}

// Descriptor implements pdf.Typeface.
func (f *Font) Descriptor() pdf.Descriptor {
	p, err := f.load()
	if err != nil {
		return pdf.Descriptor{Name: postScriptName(f.Family)}
	}
	m, em := p.sfnt.Metrics, float64(p.sfnt.UnitsPerEm)
	d := pdf.Descriptor{
		Name: postScriptName(p.sfnt.Names.PostScript), CFF: p.sfnt.CFF, Weight: f.Style.Weight,
		Ascent: float64(m.Ascent) * 1000 / em, Descent: float64(m.Descent) * 1000 / em, CapHeight: float64(m.CapHeight) * 1000 / em,
		ItalicAngle: m.ItalicAngle, Serif: m.Serif, Fixed: m.Fixed,
	}
	if d.CapHeight == 0 {
		d.CapHeight = d.Ascent
	}
	for i, v := range m.Box {
		d.Box[i] = float64(v) * 1000 / em
	}
	return d
}

// postScriptName keeps what a PostScript name may hold (OpenType specification, name ID 6): a font may call itself anything.
func postScriptName(name string) string {
	b := make([]byte, 0, 63)
	for i := range len(name) {
		c := name[i]
		letter := c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '-' || c == '_'
		if letter && len(b) < 63 {
			b = append(b, c)
		}
	}
	if len(b) == 0 {
		return "Font"
	}
	return string(b)
}
