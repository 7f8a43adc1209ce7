package box_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/box"
)

func TestGeneratedTextIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	nested := func(n int, inside string) string {
		return strings.Repeat("<div>", n) + inside + strings.Repeat("</div>", n)
	}
	for name, c := range map[string]struct {
		page string
		want error
	}{
		"a string many times":      {"<style>b::before{content:'" + long + "'}</style>" + strings.Repeat("<b></b>", 40), box.ErrTooMuchText},
		"an attribute in itself":   {"<style>b::before{content:attr(a)attr(a)attr(a)}</style>" + strings.Repeat("<b a="+long+"></b>", 12), box.ErrTooMuchText},
		"counters and what joins":  {"<style>div{counter-reset:a}b::before{content:counters(a,'" + long + "')}</style>" + nested(100, "<b></b>"), box.ErrTooMuchText},
		"a string that is allowed": {"<style>b::before{content:'" + long + "'}</style>" + strings.Repeat("<b></b>", 3), nil},
	} {
		if _, err := build(t.Context(), c.page, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}
