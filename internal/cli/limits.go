package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/platen-render/platen/api"
)

// limitFlags are the flags of "tenants set", by the limits that they set.
var limitFlags = []struct{ limit, usage string }{
	{"requests_per_second", "let so many requests for new work in each second, `N` or none; a batch is one"},
	{"request_burst", "of these, `N` at once; none is those of one second"},
	{"concurrent_renders", "run at most `N` jobs at once, or none for any number; the others wait"},
	{"queued_jobs", "let at most `N` jobs wait, or none for any number; those of batches do not count"},
	{"batch_items", "let a batch have at most `N` items, or none for any number"},
	{"stored_bytes", "keep at most such a `SIZE` of documents, templates and assets: 50GB, 512MiB, or none for any"},
	{"stored_versions", "keep at most `N` versions of templates and assets; none is 10000 again"},
}

// none is what takes a limit away.
const none = "none"

// limits adds the flags. What is given is in the map that it returns, nil being none.
func (f *flags) limits() map[string]*int64 {
	changes := map[string]*int64{}
	for _, l := range limitFlags {
		f.Func(strings.ReplaceAll(l.limit, "_", "-"), l.usage, func(value string) error {
			n, err := parseLimit(l.limit, value)
			if err == nil {
				changes[l.limit] = n
			}
			return err
		})
	}
	return changes
}

func parseLimit(limit, value string) (*int64, error) {
	if value == none {
		return nil, nil //nolint:nilnil // no limit is not an error
	}
	if limit == "stored_bytes" {
		return parseSize(value)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		return nil, errors.New("want a whole number, or none")
	}
	return &n, nil
}

// sizes are the units of sizes, the longest first.
var sizes = []struct {
	unit  string
	bytes int64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"TiB", 1 << 40},
	{"kB", 1e3},
	{"KB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"TB", 1e12},
	{"B", 1},
	{"", 1},
}

func parseSize(value string) (*int64, error) {
	for _, s := range sizes {
		digits, ok := strings.CutSuffix(value, s.unit)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 0 || n > (1<<53)/s.bytes {
			break
		}
		n *= s.bytes
		return &n, nil
	}
	return nil, errors.New("want a size such as 50GB or 512MiB, or none")
}

// showLimits are what a tenant uses, and of how much.
func showLimits(t api.Tenant) [][2]string {
	l, u := t.Limits, t.Usage
	return [][2]string{
		{"requests a second", burst(l)},
		{"running jobs", of(u.ConcurrentRenders, l.ConcurrentRenders, decimal)},
		{"queued jobs", of(u.QueuedJobs, l.QueuedJobs, decimal)},
		{"items of a batch", atMost(l.BatchItems)},
		{"stored", of(u.StoredBytes, l.StoredBytes, readable)},
		{"stored versions", of(u.StoredVersions, l.StoredVersions, decimal)},
	}
}

func burst(l api.TenantLimits) string {
	switch {
	case l.RequestsPerSecond == nil:
		return dash("")
	case l.RequestBurst == nil:
		return atMost(l.RequestsPerSecond)
	}
	return fmt.Sprintf("%s, %d at once", atMost(l.RequestsPerSecond), *l.RequestBurst)
}

func atMost(limit *int64) string {
	if limit == nil {
		return dash("")
	}
	return fmt.Sprintf("at most %d", *limit)
}

// of tells what is used, and of how much where there is a limit.
func of(used int64, limit *int64, show func(int64) string) string {
	if limit == nil {
		return show(used)
	}
	return show(used) + " of " + show(*limit)
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// readable is a size in the decimal unit that leaves one to three digits before the point.
func readable(n int64) string {
	for _, s := range []struct {
		unit  string
		bytes int64
	}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= s.bytes {
			return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(float64(n)/float64(s.bytes), 'f', 2, 64), "0"), ".") + " " + s.unit
		}
	}
	return decimal(n) + " B"
}
