package jobs

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/strictjson"
)

// Digests are those (hex SHA-256) of texts that went into a document beside its input; "" where there was none.
type Digests struct {
	Header string `json:",omitempty"`
	Footer string `json:",omitempty"`
	Meta   string `json:",omitempty"` // of the canonical form of what a PDF was to say about itself
	Expect string `json:",omitempty"` // of the canonical form of the texts that were expected
}

// Digested is what may be kept for ever: digests stand for headers, footers, metadata and expected texts, which may hold data, and
// addresses have lost their queries, which may hold secrets. What was digested stays as it is.
func (p Provenance) Digested() Provenance {
	out := &p.Output
	digestText(&p.Digests.Header, &out.Header)
	digestText(&p.Digests.Footer, &out.Footer)
	if out.Meta != (render.Meta{}) {
		p.Digests.Meta = canonicalDigest(map[string]string{
			"title": out.Meta.Title, "author": out.Meta.Author, "subject": out.Meta.Subject, "keywords": out.Meta.Keywords,
		})
		out.Meta = render.Meta{}
	}
	if len(p.Expect.Contains)+len(p.Expect.NotContains) > 0 {
		p.Digests.Expect = canonicalDigest(map[string][]string{
			"contains": append([]string{}, p.Expect.Contains...), "not_contains": append([]string{}, p.Expect.NotContains...),
		})
		p.Expect.Contains, p.Expect.NotContains = nil, nil
	}
	resources := make([]ResourceDigest, len(p.Resources))
	for i, r := range p.Resources {
		resources[i] = ResourceDigest{Name: withoutQuery(r.Name), SHA256: r.SHA256}
	}
	p.Resources = resources
	if p.Template != nil {
		p.Template = &TemplateRef{Name: p.Template.Name, Version: p.Template.Version, SHA256: p.Template.SHA256}
	}
	return p
}

// digestText moves the digest of a text to where it belongs, and takes the text away.
func digestText(sum, text *string) {
	if *text != "" {
		*sum, *text = string(digest([]byte(*text))), ""
	}
}

func canonicalDigest(v any) string {
	raw, _ := json.Marshal(v)                 // maps of strings always encode
	canonical, _ := strictjson.Canonical(raw) // and are valid
	return string(digest(canonical))
}

// withoutQuery is an address without what may be a secret in it; any other name is left alone.
func withoutQuery(name string) string {
	if !strings.Contains(name, "://") {
		return name
	}
	u, err := url.Parse(name)
	if err != nil {
		return string(digest([]byte(name)))
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
	return u.String()
}
