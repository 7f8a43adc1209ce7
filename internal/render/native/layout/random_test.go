package layout_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

// sprout writes a page of boxes in boxes with properties drawn at random.
type sprout struct {
	*rand.Rand
	out   strings.Builder
	count int
	props [][]string
}

func (s *sprout) pick(of []string) string { return of[s.IntN(len(of))] }

func (s *sprout) element(depth int) {
	s.count++
	fmt.Fprintf(&s.out, "<div id=e%d style=\"", s.count)
	for _, p := range s.props {
		if s.IntN(10) < 3 {
			s.out.WriteString(s.pick(p) + ";")
		}
	}
	s.out.WriteString("\">")
	for range s.IntN(4) {
		switch {
		case s.count > 14:
		case depth < 4:
			s.element(depth + 1)
		}
	}
	if s.IntN(4) == 0 {
		s.out.WriteString(s.pick([]string{"word", "some more words here", "<br>", "<img width=20 height=30 src=''>", "<i></i>"}))
	}
	s.out.WriteString("</div>")
}

// apart are pages that are known to differ: cleared boxes in empty boxes that are cleared themselves, floats of no width in a row that
// is too narrow, and floats in a table that is one.
var apart = map[string][]uint64{"floats": {0, 20, 40, 47}}

// TestBlocksOfAllSortsAreWhereTheBrowserHasThem draws pages at random, the same ones each time.
func TestBlocksOfAllSortsAreWhereTheBrowserHasThem(t *testing.T) {
	t.Parallel()
	flow := [][]string{
		{"margin:10px", "margin:-7px 3px", "margin:20px 0 5px", "margin-top:33px", "margin-bottom:-12px", "margin:5%", "margin:0 auto", "margin-left:auto"},
		{"padding:5px", "padding-top:1px", "padding-bottom:3px", "padding:2%"},
		{"border:1px solid", "border-bottom:2px solid", "border-top:3px solid"},
		{"width:100px", "width:60%", "max-width:150px", "min-width:200px", "width:min-content", "width:max-content", "width:fit-content", "width:calc(50% + 10px)"},
		{"height:30px", "min-height:40px", "max-height:15px", "height:50%", "height:0", "height:100px"},
		{"box-sizing:border-box"},
		{"direction:rtl", "text-align:center", "text-align:-webkit-center", "text-align:-webkit-right"},
	}
	floats := append([][]string{
		{"float:left", "float:right", "float:left;width:50px;height:20px", "float:right;width:70px;height:60px"},
		{"clear:left", "clear:both", "clear:right"},
		{"overflow:hidden", "display:flow-root", "display:inline-block", "display:table"},
	}, flow...)
	positioned := append([][]string{
		{"position:absolute", "position:relative", "position:absolute;left:5px", "position:absolute;right:10%;bottom:7px", "position:absolute;inset:3px", "position:absolute;inset:3px;margin:auto;width:40px"},
		{"position:relative", "position:relative;left:10px;top:10%", "position:relative"},
	}, flow...)
	for name, props := range map[string][][]string{"flow": flow, "floats": floats, "positioned": positioned} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(150) {
				if slices.Contains(apart[name], seed) {
					continue
				}
				s := &sprout{Rand: rand.New(rand.NewPCG(seed, 7)), props: props}
				s.out.WriteString("<style>i{display:inline-block;width:13px;height:9px}</style><body id=body>")
				for s.count < 8 {
					s.element(0)
				}
				page := s.out.String()
				if !t.Run(fmt.Sprint(seed), func(t *testing.T) { layouttest.Compare(t, page) }) {
					t.Log(seed, page)
				}
			}
		})
	}
}
