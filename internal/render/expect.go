package render

import "time"

// Expect is what a document must be like to be issued. The zero value expects nothing.
type Expect struct {
	MinPages    int      `json:",omitempty"` // 0 is no bound
	MaxPages    int      `json:",omitempty"` // 0 is no bound
	Contains    []string `json:",omitempty"` // texts that must be there
	NotContains []string `json:",omitempty"` // texts that must not
	MaxBytes    int64    `json:",omitempty"` // 0 is no bound
}

// Wait is what a page must show before its document is made. The zero value waits for nothing beyond what every page is waited
// for: its resources, its fonts and its images.
type Wait struct {
	Selector    string        `json:",omitempty"` // of CSS: an element that it matches is there and has a box
	NetworkIdle bool          `json:",omitempty"` // no request was on its way for half a second
	Timeout     time.Duration `json:",omitempty"` // for all of it; 0 is [DefaultWait]
}

// DefaultWait is how long a page is waited for.
const DefaultWait = 10 * time.Second

// IsZero reports whether there is nothing to wait for.
func (w Wait) IsZero() bool { return w.Selector == "" && !w.NetworkIdle }

// Codes of warnings that both engines and the resource step use.
const (
	ResourceMissing    = "resource_missing"    // the job has no such file, or the tenant no such asset
	ResourceDenied     = "resource_denied"     // the address may not be called
	ResourceFailed     = "resource_failed"     // it did not come: the network, a status that is not 200, a picture that is none
	ResourceUnfinished = "resource_unfinished" // it did not come in time
	ResourceTooLarge   = "resource_too_large"  // it, or all together, are larger than allowed
	GlyphMissing       = "glyph_missing"       // characters that no font has
	PageBlank          = "page_blank"          // a page with nothing on it
	TextClipped        = "text_clipped"        // text cut by the page or by a box of a fixed size
	ConsoleError       = "console_error"       // an error of a script
	FontMissing        = "font_missing"        // a font that was named and not found
)

// Strict lists the warnings that a strict job fails for.
func Strict() []string {
	return []string{
		ResourceMissing, ResourceDenied, ResourceFailed, ResourceUnfinished, ResourceTooLarge,
		GlyphMissing, PageBlank, TextClipped, ConsoleError, FontMissing,
	}
}
