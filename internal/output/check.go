package output

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	_ "time/tzdata" // so that the zones that are known do not depend on the machine
	"unicode"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

const (
	maxLocaleBytes   = 35
	maxTimeZoneBytes = 64
)

// wrongs collects what is wrong with an output.
type wrongs []fault.Field

// add notes a member by its name, or the whole output by "".
func (w *wrongs) add(member, format string, args ...any) {
	pointer := "/output"
	if member != "" {
		pointer += "/" + member
	}
	*w = append(*w, fault.Field{Pointer: pointer, Code: string(api.CodeFieldInvalid), Detail: fmt.Sprintf(format, args...)})
}

// What members are for, where it is not every document.
const (
	forPDF    = "pdf"
	forSheets = "pdf, and for images of chosen output.pages"
	forScreen = "png and jpeg without output.pages"
	forPages  = "png and jpeg with output.pages"
	forJPEG   = "jpeg"
)

// checkFormat refuses what the format would ignore, and margins that fill the sheet. An image of the screen has no sheets.
func checkFormat(out render.Output, o *api.Output, w *wrongs) {
	pdf, image := out.Format == render.PDF, out.Format.IsImage()
	if !pdf && !image {
		return
	}
	sheets := pdf || o.Pages != nil
	for _, only := range []struct {
		member string
		asked  bool
		right  bool
		where  string
	}{
		{"margin_mm", o.MarginMM != nil && *o.MarginMM != api.Margin{}, sheets, forSheets},
		{"header_html", out.Header != "", sheets, forSheets},
		{"footer_html", out.Footer != "", sheets, forSheets},
		{"tagged", out.Tagged, pdf, forPDF},
		{"outline", out.Outline, pdf, forPDF},
		{"metadata", o.Metadata != nil && *o.Metadata != api.Metadata{}, pdf, forPDF},
		{"full_page", !out.FullPage, !sheets, forScreen},
		{"dpi", o.DPI != nil, image && sheets, forPages},
		{"quality", o.Quality != nil, out.Format == render.JPEG, forJPEG},
	} {
		if only.asked && !only.right {
			w.add(only.member, "output.%s is only for %s.", only.member, only.where)
		}
	}
	if sheets {
		checkRoom(out, w)
	}
}

func checkRoom(out render.Output, w *wrongs) {
	width, height := out.Width, out.Height
	if out.Landscape {
		width, height = height, width
	}
	if out.Margin.Left+out.Margin.Right >= width || out.Margin.Top+out.Margin.Bottom >= height {
		w.add("margin_mm", "The margins leave no room on a sheet of %v × %v mm.", width, height)
	}
}

// locale is the shape of a BCP 47 tag.
var locale = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)

func checkLocale(out render.Output, w *wrongs) {
	if len(out.Locale) > maxLocaleBytes || !locale.MatchString(out.Locale) {
		w.add("locale", "output.locale must be a BCP 47 tag, as en or de-AT.")
	}
	if !isZone(out.TimeZone) {
		w.add("time_zone", "output.time_zone must be an IANA name, as UTC or Europe/Berlin.")
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

func checkFilename(name string, w *wrongs) {
	switch {
	case name == "" || len(name) > api.MaxFilenameBytes:
		w.add("filename", "output.filename must have 1 to %d bytes.", api.MaxFilenameBytes)
	case strings.ContainsAny(name, `/\`) || name == "." || name == ".." || strings.ContainsFunc(name, unicode.IsControl):
		w.add("filename", "output.filename must be a name without a path and without control characters, and neither \".\" nor \"..\".")
	}
}
