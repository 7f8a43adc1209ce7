package output

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/render"
)

// pageRange is one part of output.pages: "5", "1-3" or "8-". Numbers have at most six digits.
var pageRange = regexp.MustCompile(`^([1-9][0-9]{0,5})(-([1-9][0-9]{0,5})?)?$`)

// setPages takes the pages that were chosen. They ascend, since they stay in the order of the document: who writes "3,1" wants what
// nobody does.
func setPages(out *render.Output, given *string, w *wrongs) {
	if given == nil {
		return
	}
	parts := strings.Split(*given, ",")
	if len(parts) > api.MaxPageRanges {
		w.add("pages", "output.pages must have at most %d pages and ranges.", api.MaxPageRanges)
		return
	}
	next := 1
	for _, part := range parts {
		r, ok := parseRange(part)
		if !ok || next == 0 || r.First < next || r.Last != 0 && r.Last < r.First {
			w.add("pages", "output.pages must be pages and ranges, from 1 on, in ascending order and without overlap, as 1-3,5,8-; %q is wrong there.", part)
			out.Pages = nil
			return
		}
		out.Pages = append(out.Pages, r)
		if next = r.Last + 1; r.Last == 0 {
			next = 0 // nothing comes after the end
		}
	}
}

func parseRange(part string) (render.PageRange, bool) {
	m := pageRange.FindStringSubmatch(part)
	if m == nil {
		return render.PageRange{}, false
	}
	first, _ := strconv.Atoi(m[1])
	switch {
	case m[2] == "":
		return render.PageRange{First: first, Last: first}, true
	case m[3] == "":
		return render.PageRange{First: first}, true
	}
	last, _ := strconv.Atoi(m[3])
	return render.PageRange{First: first, Last: last}, true
}

// setMeta takes what a PDF says about itself.
func setMeta(meta *render.Meta, given *api.Metadata, w *wrongs) {
	if given == nil {
		return
	}
	for _, m := range []struct {
		member string
		given  *string
		to     *string
	}{
		{"title", given.Title, &meta.Title},
		{"author", given.Author, &meta.Author},
		{"subject", given.Subject, &meta.Subject},
		{"keywords", given.Keywords, &meta.Keywords},
	} {
		if m.given != nil && (len(*m.given) > api.MaxMetadataField || strings.ContainsFunc(*m.given, unicode.IsControl)) {
			w.add("metadata/"+m.member, "output.metadata.%s must have at most %d bytes and no control characters.", m.member, api.MaxMetadataField)
			continue
		}
		set(m.to, m.given)
	}
}
