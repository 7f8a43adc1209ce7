// Package resources is the one step before any engine in which what a page names is brought together: images,
// style sheets and fonts, out of the job's own files or through a client that guards the network. Inspection
// and engines see the same map. Nothing here fails a job: what is not to be had is a warning that names it.
package resources

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/internal/render"
)

// Limits bound what one page may have fetched. A zero field means its default.
type Limits struct {
	MaxCount int           // fetched; 256
	MaxBytes int64         // each; 16 MiB
	MaxTotal int64         // all together; 64 MiB
	MaxDepth int           // style sheets that import style sheets; 8
	Timeout  time.Duration // for everything together; 20 s
}

func (l Limits) withDefaults() Limits {
	d := Limits{MaxCount: 256, MaxBytes: 16 << 20, MaxTotal: 64 << 20, MaxDepth: 8, Timeout: 20 * time.Second}
	if l.MaxCount > 0 {
		d.MaxCount = l.MaxCount
	}
	if l.MaxBytes > 0 {
		d.MaxBytes = l.MaxBytes
	}
	if l.MaxTotal > 0 {
		d.MaxTotal = l.MaxTotal
	}
	if l.MaxDepth > 0 {
		d.MaxDepth = l.MaxDepth
	}
	if l.Timeout > 0 {
		d.Timeout = l.Timeout
	}
	return d
}

const (
	parallel    = 6
	maxWarnings = 100  // reported
	mostNoted   = 1000 // kept until they are sorted
)

// Loader loads what pages name. It is safe for concurrent use.
type Loader struct {
	// Client makes the requests. It decides which addresses may be called and follows redirects, checking each
	// hop. Without one nothing is fetched.
	Client *http.Client
	Limits Limits
}

// Load returns what the page may load without the network: all assets that came with it, under their addresses ("asset:logo.png"), all of the job's files under their clean names
// ("./a/../logo.png" is "logo.png"), and what was fetched, under its absolute address as a browser writes it,
// without fragment. A file that the page asks for by another address, with a query or under a <base>, is there
// under that one too. The warnings are sorted and each is there once:
//
//	resource_missing     the job has no such file
//	resource_denied      the address is of a kind, or at a place, that may not be called
//	resource_failed      it did not come: the network, a status that is not 200, too many
//	resource_unfinished  it did not come in time
//	resource_too_large   it, or all together, are larger than allowed
//
// Load returns soon after ctx ends, with what there is.
func (l *Loader) Load(ctx context.Context, page string, files map[string]render.Resource) (map[string]render.Resource, []render.Warning) {
	limits := l.Limits.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, limits.Timeout)
	defer cancel()
	scan := scanPage(page)
	s := &session{
		client: l.Client, limits: limits, left: limits.MaxTotal, base: scan.base, hasBase: scan.hasBase,
		files: cleanNames(files), loaded: map[string]render.Resource{},
		seen: map[string]bool{}, warnings: map[render.Warning]bool{},
	}
	maps.Copy(s.loaded, s.files)
	s.indexFiles()
	wave := scan.references
	for depth := 0; len(wave) > 0; depth++ {
		wave = s.load(ctx, wave, depth)
	}
	return s.loaded, s.sortedWarnings()
}

// cleanNames gives each file the name a page finds it by.
func cleanNames(files map[string]render.Resource) map[string]render.Resource {
	clean := make(map[string]render.Resource, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if key := strings.TrimPrefix(path.Clean("/"+name), "/"); key != "" {
			clean[key] = files[name]
		}
	}
	return clean
}

// session is one Load. Its mutex guards what the parallel fetches of a wave write.
type session struct {
	client  *http.Client
	limits  Limits
	base    *url.URL
	hasBase bool
	files   map[string]render.Resource
	index   map[string]string // address → name of a file
	seen    map[string]bool   // addresses dealt with, those of style sheets apart
	fetched int

	mu       sync.Mutex
	left     int64
	loaded   map[string]render.Resource
	warnings map[render.Warning]bool
	dropped  int           // warnings beyond those
	next     [][]reference // by place in the wave
}

// indexFiles notes the addresses of the job's files: at the page's own origin, and relative to its <base>.
func (s *session) indexFiles() {
	s.index = map[string]string{}
	for name := range s.files {
		s.index[fileAddress(&url.URL{Scheme: ownOrigin.Scheme, Host: ownOrigin.Host, Path: "/" + name})] = name
	}
	if !s.hasBase {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		if u, err := resolve(s.base, (&url.URL{Path: name}).String()); err == nil {
			if _, taken := s.index[fileAddress(u)]; !taken {
				s.index[fileAddress(u)] = name
			}
		}
	}
}

// load deals with one wave of references and returns what their style sheets name.
func (s *session) load(ctx context.Context, wave []reference, depth int) []reference {
	var group errgroup.Group
	group.SetLimit(parallel)
	s.next = make([][]reference, len(wave))
	for i, ref := range wave {
		u, ok := s.accept(ref, depth)
		if !ok {
			continue
		}
		if u.Scheme == AssetScheme {
			s.asset(i, ref, u)
			continue
		}
		if name, ok := s.index[fileAddress(u)]; ok {
			s.take(i, ref, u, name)
			continue
		}
		if own(u) {
			s.warn("resource_missing", display(u), "the job has no file of this name")
			continue
		}
		if s.fetched++; s.fetched > s.limits.MaxCount {
			s.warn("resource_failed", display(u), fmt.Sprintf("the page names more than %d resources", s.limits.MaxCount))
			continue
		}
		group.Go(func() error {
			s.fetch(ctx, i, ref, u)
			return nil
		})
	}
	_ = group.Wait() // the functions return no errors: what goes wrong is a warning
	return slices.Concat(s.next...)
}

// accept resolves a reference and reports whether it is a new one that may be loaded.
func (s *session) accept(ref reference, depth int) (*url.URL, bool) {
	u, err := resolve(ref.base, ref.raw)
	if err != nil {
		s.warn("resource_failed", shorten(ref.raw), "the address is malformed")
		return nil, false
	}
	if u.Scheme == "data" || u.Scheme == "blob" || u.Scheme == "about" {
		return nil, false
	}
	key := fmt.Sprint(ref.sheet, " ", u)
	if s.seen[key] {
		return nil, false
	}
	s.seen[key] = true
	switch {
	case u.Scheme == AssetScheme:
		return u, true
	case u.Scheme != "http" && u.Scheme != "https":
		s.warn("resource_denied", display(u), "only http and https addresses are loaded")
	case u.User != nil:
		s.warn("resource_denied", display(u), "an address with a user name or a password is not loaded")
	case depth > s.limits.MaxDepth:
		s.warn("resource_failed", display(u), fmt.Sprintf("style sheets import each other more than %d deep", s.limits.MaxDepth))
	default:
		return u, true
	}
	return nil, false
}

// take uses a file of the job.
func (s *session) take(place int, ref reference, u *url.URL, name string) {
	file := s.files[name]
	s.mu.Lock()
	defer s.mu.Unlock()
	if u.RawQuery != "" || (s.hasBase && own(u)) {
		key := strings.TrimPrefix(u.RequestURI(), "/")
		if s.hasBase {
			key = "/" + key
		}
		if !own(u) {
			key = u.String()
		}
		s.loaded[key] = file
	}
	if ref.sheet {
		s.next[place] = scanSheet(string(file.Body), u)
	}
}

func (s *session) warn(code, name, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.warnings) >= mostNoted {
		s.dropped++
		return
	}
	s.warnings[render.Warning{Code: code, Detail: name + ": " + what}] = true
}

// sortedWarnings leaves out what nobody would read any more, and says so.
func (s *session) sortedWarnings() []render.Warning {
	sorted := slices.SortedFunc(maps.Keys(s.warnings), func(a, b render.Warning) int {
		if c := strings.Compare(a.Code, b.Code); c != 0 {
			return c
		}
		return strings.Compare(a.Detail, b.Detail)
	})
	if len(sorted) <= maxWarnings {
		return sorted
	}
	rest := render.Warning{Code: "resource_failed", Detail: fmt.Sprintf("%d more resources were not loaded", len(sorted)-maxWarnings+s.dropped)}
	return append(sorted[:maxWarnings:maxWarnings], rest)
}
