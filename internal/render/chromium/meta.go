package chromium

import (
	"bytes"
	"fmt"
	"unicode/utf16"

	"github.com/platen-render/platen/internal/render"
)

// withMeta makes the file say about itself what was asked, by an update at its end (ISO 32000-1, 7.5.6). What the browser says beyond that
// stays; what was said in its place is blanked, for it would still be in the file.
func (p *pdf) withMeta(meta render.Meta) ([]byte, error) {
	if meta == (render.Meta{}) {
		return p.bytes, nil
	}
	info, err := p.follow(p.trailer, "Info")
	if err != nil {
		return nil, err
	}
	var number, generation int
	if _, err := fmt.Sscanf(p.text(p.trailer["Info"]), "%d %d R", &number, &generation); err != nil {
		return nil, fmt.Errorf("reference /Info: %w", errPDF)
	}
	var update bytes.Buffer
	update.Write(p.bytes)
	at := update.Len()
	fmt.Fprintf(&update, "%d %d obj\n<<", number, generation)
	for _, e := range []struct{ key, value string }{
		{"Title", meta.Title}, {"Author", meta.Author}, {"Subject", meta.Subject}, {"Keywords", meta.Keywords}, {"Creator", ""}, {"Producer", ""},
	} {
		if old := info[e.key]; e.value != "" {
			fmt.Fprintf(&update, "/%s %s\n", e.key, textString(e.value))
		} else if old.end > 0 {
			fmt.Fprintf(&update, "/%s %s\n", e.key, p.text(old))
		}
	}
	table := update.Len() + len(">>\nendobj\n")
	fmt.Fprintf(&update, ">>\nendobj\nxref\n%d 1\n%010d %05d n \ntrailer\n<<", number, at, generation)
	for _, key := range []string{"Size", "Root", "Info", "ID"} {
		if e := p.trailer[key]; e.end > 0 {
			fmt.Fprintf(&update, "/%s %s\n", key, p.text(e))
		}
	}
	fmt.Fprintf(&update, "/Prev %d>>\nstartxref\n%d\n%%%%EOF\n", p.table, table)
	updated := update.Bytes()
	for _, e := range info {
		copy(updated[e.start:e.end], bytes.Repeat([]byte(" "), e.end-e.start))
	}
	return updated, nil
}

// textString is a text as any PDF reader takes it (7.9.2.2): UTF-16 with its mark, in hexadecimal digits.
func textString(text string) string {
	var b bytes.Buffer
	b.WriteString("<FEFF")
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&b, "%04X", unit)
	}
	b.WriteString(">")
	return b.String()
}
