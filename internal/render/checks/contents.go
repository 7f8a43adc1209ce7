package checks

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
)

// contents looks for the texts that must be there, and for those that must not.
func contents(ctx context.Context, doc Document, expect render.Expect) ([]*fault.Error, error) {
	if len(expect.Contains) == 0 && len(expect.NotContains) == 0 {
		return nil, nil
	}
	if doc.ContentType != render.PDF.ContentType() {
		return textless(expect), nil
	}
	pages, err := doc.Text(ctx)
	if err != nil {
		return nil, err
	}
	found := read(pages)
	var failed []*fault.Error
	if missing := texts(expect.Contains, func(text string) bool { return !found.has(text) }); len(missing) > 0 {
		failed = append(failed, ErrContains.With("The document does not have %s.", named(missing)))
	}
	if present := texts(expect.NotContains, found.surelyHas); len(present) > 0 {
		failed = append(failed, ErrNotContains.With("The document has %s, which it must not have.", named(present)))
	}
	return failed, nil
}

// textless refuses a document whose text cannot be looked at: that nobody looked must not pass for a check.
func textless(expect render.Expect) []*fault.Error {
	err := ErrContains
	if len(expect.Contains) == 0 {
		err = ErrNotContains
	}
	return []*fault.Error{err.With("The document is a picture: its text cannot be looked at.")}
}

func texts(all []string, match func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(all), func(text string) bool { return !match(text) })
}

// named is "the text …" or "the texts …, …".
func named(all []string) string {
	quoted := make([]string, len(all))
	for i, text := range all {
		quoted[i] = strconv.Quote(shorten(text))
	}
	if len(quoted) == 1 {
		return "the text " + quoted[0]
	}
	return "the texts " + listed(quoted, ", ")
}

// readings are the ways in which the text of a document may be read.
type readings struct {
	// words differ in the words that are broken at the end of a line: the hyphen of "so-/called" belongs to the word, that of
	// "hyphen-/ated" does not, and who reads only sees the same hyphen.
	words []string
	// letters are the same without any white space.
	letters []string
	// spaced are the passages of letters with gaps between them, without the gaps.
	spaced []string
}

// read takes the pages as one text, so that what goes on across a page is found too.
func read(pages []string) readings {
	whole := strings.Join(pages, "\n")
	r := readings{words: []string{plain(whole)}}
	if brokenWord.MatchString(whole) {
		r.words = append(r.words, plain(brokenWord.ReplaceAllString(whole, "")), plain(brokenWord.ReplaceAllString(whole, "-")))
	}
	for _, reading := range r.words {
		r.letters = append(r.letters, squeezed(reading))
		r.spaced = append(r.spaced, spacedOut(reading)...)
	}
	return r
}

// has reports whether a text is there, as far as can be told: a PDF does not say whether a gap is a space, so that one which is only
// otherwise spaced will do. A text that nobody sees is nowhere.
func (r readings) has(text string) bool {
	text = squeezed(plain(text))
	return text != "" && in(r.letters, text)
}

// surelyHas reports whether a text is there, spaces and all, or in letters with gaps between them. Two words that make another one
// together do not count.
func (r readings) surelyHas(text string) bool {
	text = plain(text)
	return text != "" && (in(r.words, text) || in(r.spaced, squeezed(text)))
}

func in(list []string, text string) bool {
	return slices.ContainsFunc(list, func(reading string) bool { return strings.Contains(reading, text) })
}
