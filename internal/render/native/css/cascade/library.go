package cascade

import (
	"encoding/base64"
	"net/url"
	"path"
	"strings"

	"github.com/platen-render/platen/internal/render"
)

// Library finds what a page names among its resources. The zero value has none.
type Library struct {
	Resources map[string]render.Resource
}

// Find looks up an address that is relative to base, "" being the page itself. It returns the name under which
// the resource is there, to which what the resource names is relative. A data: address is taken apart.
func (l Library) Find(base, address string) (name string, found render.Resource, ok bool) {
	address, _, _ = strings.Cut(strings.TrimSpace(address), "#")
	if len(address) > 5 && strings.EqualFold(address[:5], "data:") {
		found, ok = dataResource(address[5:])
		return base, found, ok
	}
	for _, name := range candidates(base, address) {
		if found, ok = l.Resources[name]; ok {
			return name, found, true
		}
	}
	return "", render.Resource{}, false
}

// candidates are the names under which the resource step may have put it.
func candidates(base, address string) []string {
	u, err := url.Parse(strings.ReplaceAll(address, " ", "%20"))
	if err != nil || address == "" {
		return nil
	}
	if b, err := url.Parse(base); err == nil && b.Host != "" {
		return []string{b.ResolveReference(u).String(), address}
	}
	if u.Scheme != "" || u.Host != "" {
		if u.Path == "" {
			u.Path = "/"
		}
		u.Host, u.Scheme = strings.ToLower(u.Host), strings.ToLower(u.Scheme)
		return []string{u.String(), address}
	}
	clean := strings.TrimPrefix(path.Clean("/"+path.Join(path.Dir("/"+base), u.Path)), "/")
	if strings.HasPrefix(u.Path, "/") {
		clean = strings.TrimPrefix(path.Clean(u.Path), "/")
	}
	if u.RawQuery != "" {
		return []string{clean + "?" + u.RawQuery, "/" + clean + "?" + u.RawQuery, clean}
	}
	return []string{clean, "/" + clean}
}

// dataResource reads what follows "data:" (RFC 2397).
func dataResource(rest string) (render.Resource, bool) {
	head, body, ok := strings.Cut(rest, ",")
	if !ok {
		return render.Resource{}, false
	}
	kind, coded := strings.CutSuffix(strings.TrimSpace(head), ";base64")
	if kind == "" {
		kind = "text/plain"
	}
	if plain, err := url.PathUnescape(body); err == nil {
		body = plain
	}
	if !coded {
		return render.Resource{ContentType: kind, Body: []byte(body)}, true
	}
	body = strings.TrimRight(strings.Join(strings.Fields(body), ""), "=")
	data, err := base64.RawStdEncoding.DecodeString(body)
	return render.Resource{ContentType: kind, Body: data}, err == nil
}
