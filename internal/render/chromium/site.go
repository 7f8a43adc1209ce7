package chromium

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"github.com/platen-render/platen/internal/render"
)

// site is the world of one page: where it stands, and what it can have without the network.
type site struct {
	html   string
	served bool   // at an address, by interception or from the web; else its markup is set into an empty page
	script bool   // something in it may run
	origin string // "https://doc-….platen.invalid", without a slash at the end
	files  map[string]file
	visit  *visit // of a page on the web; nil for one that the job brought along
}

// file is a resource under the name that its owner knows.
type file struct {
	name     string
	resource render.Resource
}

// newSite decides how a page is brought into the browser. Its origin comes from its markup, not from chance,
// so that a page which prints its own address, or links relatively, gives the same bytes each time. Nothing
// can be guessed with it: the origin exists in one browser context only, and .invalid is no domain (RFC 6761).
func newSite(req render.Request) *site {
	sum := sha256.Sum256([]byte(req.HTML))
	s := &site{
		html:   readable(req.HTML, req.Resources),
		origin: "https://doc-" + hex.EncodeToString(sum[:16]) + ".platen.invalid",
		files:  make(map[string]file, len(req.Resources)),
	}
	if req.URL != "" {
		s.visit, s.served, s.script = &visit{address: req.URL}, true, true
		return s
	}
	seen := inspect(req.HTML)
	s.served, s.script = seen.script || seen.relative, seen.script
	base, err := url.Parse(s.origin + "/")
	if err != nil {
		return s // cannot be: it is a constant and hexadecimal digits
	}
	if b, err := base.Parse(seen.base); err == nil {
		base = b
	}
	for name, resource := range req.Resources {
		address, err := base.Parse(name)
		if err != nil {
			continue // no page can ask for it
		}
		f := file{name: name, resource: readableSheet(resource, req.Resources)}
		s.files[canonical(address.String())] = f
		if asset, ok := strings.CutPrefix(name, assetScheme); ok {
			s.files[canonical(assetOrigin+asset)] = f
		}
		if !hasScheme(name) && !absolute(seen.base) {
			s.served = true
		}
	}
	return s
}

// entry is the address of the page itself when it is served.
func (s *site) entry() string {
	if s.visit != nil {
		return s.visit.address
	}
	return s.origin + "/"
}

// isEntry reports whether the first document that the main frame shows, at an address, is the page. One of the web may have sent the browser
// on to another place.
func (s *site) isEntry(address string) bool {
	if s.visit != nil {
		return address != emptyPage
	}
	return s.served && address == s.entry()
}

// find returns what the job brought along for an address.
func (s *site) find(address string) (file, bool) {
	f, ok := s.files[canonical(address)]
	return f, ok
}

// own reports whether an address lies at the page's own origin.
func (s *site) own(address string) bool {
	return strings.HasPrefix(address, s.origin+"/")
}

// name is how a warning calls a resource: as the job does, or by its address without what may be secret.
func (s *site) name(address string) string {
	if f, ok := s.find(address); ok && !hasScheme(f.name) {
		return shorten(f.name)
	}
	u, err := url.Parse(address)
	if err != nil {
		return "a resource with a malformed address"
	}
	switch {
	case s.own(address) && u.Path == "/", s.visit != nil && s.visit.shows(address):
		return "the page itself"
	case s.own(address):
		return shorten(strings.TrimPrefix(u.Path, "/"))
	case u.Scheme == "data":
		return "a data: resource"
	case u.Scheme == "blob":
		return "a blob: resource"
	}
	return shorten((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, Opaque: u.Opaque}).String())
}

const maxNameLength = 200

func shorten(name string) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	if runes := []rune(name); len(runes) > maxNameLength {
		return string(runes[:maxNameLength]) + "…"
	}
	return name
}

// canonical brings the address that a job wrote and the one that the browser asks for to one form. It is a
// key, not an address: escapes are resolved, so two addresses that differ only there are one.
func canonical(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return address
	}
	if u.Opaque != "" {
		return strings.ToLower(u.Scheme) + ":" + u.Opaque
	}
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	if port != "" && port != defaultPorts[scheme] {
		host += ":" + port
	}
	query, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		query = u.RawQuery
	}
	path := u.Path
	if path == "" {
		path = "/"
	}
	return scheme + "://" + host + path + "?" + query
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// hasScheme reports whether an address is absolute (RFC 3986, section 3.1).
func hasScheme(address string) bool {
	u, err := url.Parse(strings.TrimSpace(address))
	return err == nil && u.Scheme != ""
}
