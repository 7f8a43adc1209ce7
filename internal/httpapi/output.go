package httpapi

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // so that the zones that are known do not depend on the machine
	"unicode"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/render"
)

const (
	maxLocaleBytes   = 35
	maxTimeZoneBytes = 64
)

// outputOf completes what was asked with the defaults, and returns the file name apart. What the format at hand would
// ignore is refused: a document that lacks what its owner asked for is worse than no document.
func outputOf(o *api.Output, w *wrongs) (render.Output, string) {
	out := render.DefaultOutput()
	if o == nil {
		return out, ""
	}
	setFormat(&out, o, w)
	setPaper(&out, o, w)
	setMargin(&out, o.MarginMM, w)
	if between(w, "/output/scale", o.Scale, api.MinScale, api.MaxScale) {
		out.Scale = *o.Scale
	}
	set(&out.Landscape, o.Landscape)
	set(&out.Background, o.Background)
	set(&out.Header, o.HeaderHTML)
	set(&out.Footer, o.FooterHTML)
	set(&out.Tagged, o.Tagged)
	set(&out.FullPage, o.FullPage)
	setLocale(&out, o, w)
	refuseIgnored(out, w)
	return out, filename(o.Filename, w)
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func setFormat(out *render.Output, o *api.Output, w *wrongs) {
	if o.Format == nil {
		return
	}
	out.Format = render.Format(*o.Format)
	if out.Format != render.PDF && out.Format != render.PNG {
		w.add("/output/format", "output.format must be pdf or png.")
	}
}

func setPaper(out *render.Output, o *api.Output, w *wrongs) {
	if o.Paper != nil {
		paper, ok := render.Papers[*o.Paper]
		if !ok {
			w.add("/output/paper", "output.paper must be one of %s.", strings.Join(slices.Sorted(maps.Keys(render.Papers)), ", "))
			return
		}
		out.Width, out.Height = paper.Width, paper.Height
	}
	switch {
	case (o.WidthMM == nil) != (o.HeightMM == nil):
		w.add("/output", "output.width_mm and output.height_mm go together.")
	case o.WidthMM != nil && o.Paper != nil:
		w.add("/output", "Give either output.paper or output.width_mm and output.height_mm.")
	}
	if between(w, "/output/width_mm", o.WidthMM, api.MinPaperMM, api.MaxPaperMM) {
		out.Width = *o.WidthMM
	}
	if between(w, "/output/height_mm", o.HeightMM, api.MinPaperMM, api.MaxPaperMM) {
		out.Height = *o.HeightMM
	}
}

func setMargin(out *render.Output, m *api.Margin, w *wrongs) {
	if m == nil {
		return
	}
	for _, side := range []struct {
		name string
		from *float64
		to   *float64
	}{
		{"top", m.Top, &out.Margin.Top},
		{"right", m.Right, &out.Margin.Right},
		{"bottom", m.Bottom, &out.Margin.Bottom},
		{"left", m.Left, &out.Margin.Left},
	} {
		if between(w, "/output/margin_mm/"+side.name, side.from, 0, api.MaxMarginMM) {
			*side.to = *side.from
		}
	}
}

// locale is the shape of a BCP 47 tag.
var locale = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)

func setLocale(out *render.Output, o *api.Output, w *wrongs) {
	if o.Locale != nil {
		out.Locale = *o.Locale
		if len(out.Locale) > maxLocaleBytes || !locale.MatchString(out.Locale) {
			w.add("/output/locale", "output.locale must be a BCP 47 tag, as en or de-AT.")
		}
	}
	if o.TimeZone != nil {
		out.TimeZone = *o.TimeZone
		if !isZone(out.TimeZone) {
			w.add("/output/time_zone", "output.time_zone must be an IANA name, as UTC or Europe/Berlin.")
		}
	}
}

// isZone reports whether a name is one of the IANA database. "Local" would be the machine's.
func isZone(name string) bool {
	if name == "" || name == "Local" || len(name) > maxTimeZoneBytes {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

func refuseIgnored(out render.Output, w *wrongs) {
	if out.Format == render.PNG {
		for _, only := range []struct {
			name  string
			asked bool
		}{{"header_html", out.Header != ""}, {"footer_html", out.Footer != ""}, {"tagged", out.Tagged}} {
			if only.asked {
				w.add("/output/"+only.name, "output.%s is only for pdf.", only.name)
			}
		}
		return
	}
	if !out.FullPage {
		w.add("/output/full_page", "output.full_page is only for png.")
	}
	width, height := out.Width, out.Height
	if out.Landscape {
		width, height = height, width
	}
	if out.Margin.Left+out.Margin.Right >= width || out.Margin.Top+out.Margin.Bottom >= height {
		w.add("/output/margin_mm", "The margins leave no room on a sheet of %v × %v mm.", width, height)
	}
}

// filename is the name to offer the content under, or "" for the server's choice.
func filename(name *string, w *wrongs) string {
	switch {
	case name == nil:
		return ""
	case *name == "" || len(*name) > api.MaxFilenameBytes:
		w.add("/output/filename", "output.filename must have 1 to %d bytes.", api.MaxFilenameBytes)
	case strings.ContainsAny(*name, `/\`) || *name == "." || *name == ".." || strings.ContainsFunc(*name, unicode.IsControl):
		w.add("/output/filename", "output.filename must be a name without a path and without control characters.")
	}
	return *name
}
