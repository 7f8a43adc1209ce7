package images

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// defaultPixels bounds one picture when the caller does not.
const defaultPixels = 50_000_000

// forever is the context of a loader that was given none.
var forever = context.Background()

// Loader finds the pictures of one page. It reads each only once. It is for one goroutine.
type Loader struct {
	library   cascade.Library
	maxPixels int
	ctx       context.Context // of the render; see Until
	asked     map[question]answer
	loaded    map[string]answer // by the name of the resource
	inline    map[*dom.Node]*Image
}

// question is what a page asks for: the same address means the same resource only below the same base.
type question struct{ base, address string }

type answer struct {
	image *Image
	err   error
}

// New returns a loader. MaxPixels bounds width times height of one picture; 0 is 50 million, as many as a PDF takes.
func New(library cascade.Library, maxPixels int) *Loader {
	if maxPixels <= 0 {
		maxPixels = defaultPixels
	}
	return &Loader{
		library: library, maxPixels: maxPixels, ctx: forever,
		asked: map[question]answer{}, loaded: map[string]answer{}, inline: map[*dom.Node]*Image{},
	}
}

// Until makes decoding stop when ctx ends. Pictures that were not done by then are [ErrBroken]. It returns the loader.
func (l *Loader) Until(ctx context.Context) *Loader {
	l.ctx = ctx
	return l
}

// Find returns the picture of an address that is relative to base, "" being the page itself. It fails with one of the faults
// of this package, and says the same each time.
func (l *Loader) Find(base, address string) (*Image, error) {
	q := question{base, address}
	if known, ok := l.asked[q]; ok {
		return known.image, known.err
	}
	found := l.find(base, address)
	l.asked[q] = found
	return found.image, found.err
}

func (l *Loader) find(base, address string) answer {
	name, resource, ok := l.library.Find(base, address)
	if !ok {
		return answer{nil, ErrMissing}
	}
	address = strings.TrimSpace(address)
	if len(address) >= 5 && strings.EqualFold(address[:5], "data:") {
		return l.read("", resource)
	}
	if known, ok := l.loaded[name]; ok {
		return known
	}
	l.loaded[name] = l.read(name, resource)
	return l.loaded[name]
}

// read makes a picture of a resource.
func (l *Loader) read(name string, resource render.Resource) answer {
	image, err := l.decode(resource.Body)
	if err != nil {
		return answer{nil, err}
	}
	image.Name = name
	return answer{image, nil}
}

// decode tells the kind by what the bytes begin with, as browsers do (MIME Sniffing, section 6.1): what a server calls them
// does not count, but an SVG must look like one.
func (l *Loader) decode(data []byte) (*Image, error) {
	for _, f := range formats {
		if f.is(data) {
			return l.raster(f, data)
		}
	}
	if looksLikeSVG(data) {
		return l.file(data)
	}
	return nil, ErrBroken
}

// NotOne reports whether bytes are no picture of any kind that a browser shows: those that are read here, AVIF, BMP and ICO. Of a damaged
// one a browser may show a part.
func NotOne(data []byte) bool {
	known := func(is func([]byte) bool) bool { return is(data) }
	others := []func([]byte) bool{begins("BM"), begins("\x00\x00\x01\x00"), begins("\x00\x00\x02\x00"), isBoxed}
	return !slices.ContainsFunc(formats, func(f format) bool { return f.is(data) }) && !slices.ContainsFunc(others, known) && !looksLikeSVG(data)
}

// isBoxed reports whether a file is of the family of AVIF (ISO/IEC 14496-12, section 4.3).
func isBoxed(data []byte) bool { return len(data) >= 8 && string(data[4:8]) == "ftyp" }

func begins(magic string) func([]byte) bool {
	return func(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }
}
