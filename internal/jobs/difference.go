package jobs

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// Difference is the first cause for which bytes that were made anew are others: what was noted when the document was issued, and what is now.
type Difference struct {
	// Member is "engine", "engine.version", "fonts", "input", "template", "data", "resources/NAME", "output", a member of it that may hold data, or
	// "wait_for"; "bytes" when all of these are as they were, or not known of a document of an earlier build.
	Member string
	Was    string // a version, a digest or JSON; "" for what was not there
	Is     string
	// Offset is the first byte that differs, counted from 0; nil when the bytes that were issued are not in the storage.
	Offset *int64
}

// differenceOf finds the first cause, in the order in which causes have effects: what draws, what is drawn, how.
func differenceOf(d Document, now Result) *Difference {
	causes := []Difference{
		{Member: "engine", Was: d.Result.Engine, Is: now.Engine},
		{Member: "engine.version", Was: d.Result.Version, Is: now.Version},
	}
	if d.Made != nil && now.Made != nil {
		causes = append(causes, causesOf(d.Made.Digested(), now.Made.Digested())...)
	}
	causes = append(causes, Difference{Member: "bytes", Was: d.Result.SHA256, Is: now.SHA256})
	first := causes[slices.IndexFunc(causes, func(c Difference) bool { return c.Was != c.Is })]
	return &first
}

func causesOf(was, is Provenance) []Difference {
	causes := []Difference{
		{Member: "fonts", Was: was.Fonts, Is: is.Fonts},
		{Member: textMember(was.Input), Was: was.Text, Is: is.Text},
		{Member: "template", Was: digestOf(was.Template), Is: digestOf(is.Template)},
		{Member: "data", Was: was.Data, Is: is.Data},
	}
	causes = append(causes, resourceCauses(was.Resources, is.Resources)...)
	return append(causes,
		Difference{Member: "output", Was: text(was.Output), Is: text(is.Output)},
		Difference{Member: "output.header_html", Was: was.Digests.Header, Is: is.Digests.Header},
		Difference{Member: "output.footer_html", Was: was.Digests.Footer, Is: is.Digests.Footer},
		Difference{Member: "output.metadata", Was: was.Digests.Meta, Is: is.Digests.Meta},
		Difference{Member: "wait_for", Was: text(was.Wait), Is: text(is.Wait)},
	)
}

// textMember is what the text of an input is called.
func textMember(kind InputKind) string {
	if kind == InputTemplate || kind == InputStored {
		return "template"
	}
	return "input"
}

func digestOf(t *TemplateRef) string {
	if t == nil {
		return ""
	}
	return t.SHA256
}

// resourceCauses pairs what has the same name, in order: addresses that differ in their queries have lost them.
func resourceCauses(was, is []ResourceDigest) []Difference {
	type place struct {
		name string
		n    int
	}
	pairs := map[place]*Difference{}
	pair := func(name string, seen map[string]int) *Difference {
		at := place{name, seen[name]}
		seen[name]++
		if pairs[at] == nil {
			pairs[at] = &Difference{Member: "resources/" + name}
		}
		return pairs[at]
	}
	before, now := map[string]int{}, map[string]int{}
	for _, r := range was {
		pair(r.Name, before).Was = r.SHA256
	}
	for _, r := range is {
		pair(r.Name, now).Is = r.SHA256
	}
	causes := make([]Difference, 0, len(pairs))
	for _, p := range pairs {
		causes = append(causes, *p)
	}
	slices.SortFunc(causes, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Member, b.Member), cmp.Compare(a.Was, b.Was), cmp.Compare(a.Is, b.Is))
	})
	return causes
}

// text is a record as JSON, which always encodes: it holds strings and numbers.
func text(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

// parting is the offset of the first byte at which two streams differ, the end of one included. Equal ones part at their end.
func parting(a, b io.Reader) (int64, error) {
	ra, rb := bufio.NewReader(a), bufio.NewReader(b)
	for offset := int64(0); ; offset++ {
		ca, endA, errA := next(ra)
		cb, endB, errB := next(rb)
		if err := errors.Join(errA, errB); err != nil {
			return 0, err
		}
		if endA || endB || ca != cb {
			return offset, nil
		}
	}
}

// next is the next byte, or the end.
func next(r io.ByteReader) (c byte, end bool, err error) {
	c, err = r.ReadByte()
	if errors.Is(err, io.EOF) {
		return 0, true, nil
	}
	return c, false, err
}
