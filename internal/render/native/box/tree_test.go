package box_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBoxesAreMadeAsBrowsersMakeThem compares what is in <body>.
func TestBoxesAreMadeAsBrowsersMakeThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, want string }{
		{"lines", `one <b>two</b><br>three<wbr>four`, `
text "one "
inline b
  text "two"
br br
text "three"
wbr wbr
text "four"`},
		{"blanks between blocks vanish", "<p>a</p>\n <p>b</p> <!-- c --> ", `
block p lines
  text "a"
block p lines
  text "b"`},
		{"blanks that count are lines", `<div style="white-space:pre-line"><p>a</p> <p>b</p></div>`, `
block div
  block p lines
    text "a"
  block lines
    text " "
  block p lines
    text "b"`},
		{"lines between blocks get a block", `one<p>two</p> <i>three</i> `, `
block lines
  text "one"
block p lines
  text "two"
block lines
  inline i
    text "three"`},
		{"an empty element has no lines", `<p> </p>`, `
block p`},
		{"display none makes nothing", `a<b style="display:none">b<i>c</i></b><script>x</script>`, `
text "a"`},
		{"hidden boxes are there", `<p style="visibility:hidden">a</p>`, `
block p lines
  text "a"`},
		{"contents leaves only what is inside", `<div style="display:contents"><p>a</p>b</div><img style="display:contents">`, `
block p lines
  text "a"
block lines
  text "b"`},
		{"a block cuts an inline box", `<b>a<i>b<p>c</p>d</i></b>`, `
block lines
  inline b not last
    text "a"
    inline i not last
      text "b"
block p lines
  text "c"
block lines
  inline b not first
    inline i not first
      text "d"`},
		{"a block alone cuts off nothing that shows", `<a href="#x"> <div>c</div> </a>`, `
block div lines link=#x
  text "c"`},
		{"what has an edge or a name stays", `<b id=n style="padding-right:1px"><div>c</div></b>`, `
block lines
  inline b not last #n
block div lines
  text "c"
block lines
  inline b not first`},
		{"floats and positioned boxes stay in lines", `a<b style="float:left">f</b><i style="position:absolute">p</i>`, `
text "a"
block b lines float
  text "f"
block i lines positioned
  text "p"`},
		{"floats alone make no lines", ` <b style="float:left">f</b> <i style="position:fixed">p</i> `, `
block b lines float
  text "f"
block i lines positioned
  text "p"`},
		{"floats before a block stand by themselves", `<b style="float:left">f</b> <p>a</p>b<i style="float:right">g</i>`, `
block b lines float
  text "f"
block p lines
  text "a"
block lines
  text "b"
  block i lines float
    text "g"`},
		{"atomic boxes are in lines", `a<b style="display:inline-block">b<p>c</p></b><i style="display:inline-flex">d</i>`, `
text "a"
block b atomic
  block lines
    text "b"
  block p lines
    text "c"
flex i atomic
  block lines
    text "d"`},
		{"items are blocks", `<div style="display:flex"> a<br>b <b>c</b> <i style="float:left">d</i><u style="display:inline-block">e</u>
<s style="display:contents">f<span>g</span></s><span style="position:absolute">h</span><span style="display:table-cell">i</span></div>`, `
flex div
  block lines
    text " a"
    br br
    text "b "
  block b lines
    text "c"
  block i lines
    text "d"
  block u lines
    text "e"
  block lines
    text "f"
  block span lines
    text "g"
  block span lines positioned
    text "h"
  block span lines
    text "i"`},
		{"headings, links and names", `<h2 id=h>x</h2><a href="https://e.example/?a b" name=n>l</a><a href="javascript:x">j</a><a href="rel.html">r</a><a href="#%C3%A4">u</a>`, `
block h2 lines #h heading=2
  text "x"
block lines
  inline a link=https://e.example/?a%20b #n
    text "l"
  inline a
    text "j"
  inline a
    text "r"
  inline a link=#ä
    text "u"`},
		{"generated content", `<style>p::before{content:"[" attr(title) attr(nothing) "]"}p::after{content:"x";display:block}
i::before{content:none}i::after{content:""}</style><p title=t>a</p><i>b</i>`, `
block p
  block lines
    inline ::before
      text "[t]"
    text "a"
  block ::after lines
    text "x"
block lines
  inline i
    text "b"
    inline ::after`},
		{"check boxes", `<ul><li><input type=checkbox checked disabled> a</ul>`, `
block ul
  block li lines
    * text ::marker "• " symbol=disc
    replaced input atomic widget=4
    text " a"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := outline(body(t, mustBuild(t, "<!doctype html><body>"+c.page, nil)))
			if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n")+"\n", got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTablesHaveAllTheirParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, want string }{
		{"the head comes first and the foot last", `<table><tfoot><tr><td>f</tfoot><colgroup><col span=2><col></colgroup><col><colgroup span=3></colgroup><caption>c</caption>
<tr> <td colspan=2 rowspan=0>a <td>b</td> </tr> <thead><tr><th>h</thead><thead><tr><th>h2</thead></table>`, `
table table
  caption caption lines
    text "c"
  tablegrid
    column col span=2 grouped
    column col grouped
    column col grouped
    column colgroup span=3
    group thead head
      row tr
        cell th lines
          text "h"
    group tbody
      row tr
        cell td lines 2x0
          text "a "
        cell td lines
          text "b"
    group thead
      row tr
        cell th lines
          text "h2"
    group tfoot foot
      row tr
        cell td lines
          text "f"`},
		{"spans are clamped", `<table><tr><td colspan=1001 rowspan=70000>a<td colspan=0 rowspan=-1>b<td colspan="2x" rowspan=x>c</table>`, `
table table
  tablegrid
    group tbody
      row tr
        cell td lines 1000x65534
          text "a"
        cell td lines
          text "b"
        cell td lines 2x1
          text "c"`},
		{"cells without a table", `a <span style="display:table-cell">b</span> <span style="display:table-cell">c</span> d`, `
block lines
  text "a "
table
  tablegrid
    group
      row
        cell span lines
          text "b"
        cell span lines
          text "c"
block lines
  text " d"`},
		{"cells in an inline box", `<b>a<span style="display:table-cell">b</span></b>`, `
inline b
  text "a"
  table atomic
    tablegrid
      group
        row
          cell span lines
            text "b"`},
		{"rows and text in a table", `<div style="display:table"> <p>a</p> b <div style="display:table-row">c<i>d</i></div><div style="display:table-row-group">e</div></div>`, `
table div
  tablegrid
    group
      row
        cell
          block p lines
            text "a"
          block lines
            text " b "
      row div
        cell lines
          text "c"
          inline i
            text "d"
    group div
      row
        cell lines
          text "e"`},
		{"a table of other elements", `<b style="display:inline-table"><i style="display:table-header-group"><u style="display:table-cell">a</u></i></b>x`, `
table b atomic
  tablegrid
    group i head
      row
        cell u lines
          text "a"
text "x"`},
		{"an empty table", `<table></table>`, `
table table
  tablegrid`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := outline(body(t, mustBuild(t, "<!doctype html><body>"+c.page, nil)))
			if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n")+"\n", got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
