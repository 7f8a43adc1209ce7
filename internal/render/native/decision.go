package native

import (
	"fmt"
	"strings"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/css/cascade"
)

// Decision says whether the native engine draws a page as a browser would.
type Decision struct {
	Inside bool
	// Findings are what it does not draw: that of the output first, then by place. More is how many others there are.
	Findings []cascade.Finding
	More     int
}

// Bounds of what is told about a page in one message.
const (
	maxTold  = 50
	maxBytes = 4000
)

// Reason is the first finding and how many more there are, in a few words: "`columns: 2` at line 12, and 3 more". It is
// empty when the page is inside.
func (d Decision) Reason() string {
	if d.Inside || len(d.Findings) == 0 {
		return ""
	}
	reason := Name(d.Findings[0]) + place(d.Findings[0])
	if more := len(d.Findings) - 1 + d.More; more > 0 {
		reason += fmt.Sprintf(", and %d more", more)
	}
	return reason
}

// Err is nil when the page is inside, and a [render.OutsideError] that lists the findings when it is not.
func (d Decision) Err() error {
	if d.Inside {
		return nil
	}
	return &render.OutsideError{Reason: d.Reason(), Detail: d.detail()}
}

// detail lists the findings, up to a bound.
func (d Decision) detail() string {
	var b strings.Builder
	b.WriteString("The native engine does not draw ")
	for i, f := range d.Findings {
		item := Name(f) + place(f) + " (" + f.Reason + ")"
		if i == maxTold || b.Len()+len(item) > maxBytes {
			fmt.Fprintf(&b, "; and %d more", len(d.Findings)-i+d.More)
			return b.String() + "."
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(item)
	}
	if d.More > 0 {
		fmt.Fprintf(&b, "; and %d more", d.More)
	}
	return b.String() + "."
}

// Name is what a finding is about, as it is written in a page, between back quotes.
func Name(f cascade.Finding) string {
	text := f.Feature
	if f.Value != "" {
		text += ": " + f.Value
	}
	return "`" + strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "`", "'") + "`"
}

// place is where it stands, with a leading blank; "" when that is unknown.
func place(f cascade.Finding) string {
	sheet := ""
	if f.Source != "document" && f.Source != "" {
		sheet = " of " + f.Source
	}
	switch {
	case f.Line > 0:
		return fmt.Sprintf(" at line %d%s", f.Line, sheet)
	case sheet != "":
		return " in" + strings.TrimPrefix(sheet, " of")
	}
	return ""
}
