package cascade_test

import (
	"testing"

	"github.com/platen-render/platen/internal/render/native/css/property"
)

// What is applied by itself may be outside in some boxes, or with something else.
func TestWhatIsAskedForTogetherIsOutside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ page, want string }{
		{`<table><tr style="visibility:collapse"><td>a</table>`, "visibility"},
		{`<table><col style="visibility:hidden"><tr><td>a</table>`, "visibility"},
		{`<table><tr style="visibility:hidden"><td>a</table>`, ""},
		{`<div style="align-content:center">a</div>`, "align-content"},
		{`<div style="display:flex;align-content:center">a</div>`, ""},
		{`<div style="justify-self:center">a</div>`, "justify-self"},
		{`<div style="display:grid"><b style="justify-self:center">a</b></div>`, ""},
		{`<div style="justify-items:center">a</div>`, "justify-items"},
		{`<div style="position:absolute;align-self:center">a</div>`, "align-self"},
		{`<div style="position:absolute;aspect-ratio:2">a</div>`, "aspect-ratio"},
		{`<div style="display:flex;aspect-ratio:2">a</div>`, "aspect-ratio"},
		{`<div style="aspect-ratio:2">a</div>`, ""},
		{`<div style="display:grid"><b style="position:absolute;grid-column:2">a</b></div>`, "grid-area"},
		{`<span style="background:linear-gradient(red,blue)">a</span>`, "background-image"},
		{`<span style="outline:1px solid">a</span>`, "outline"},
		{`<table style="outline:1px solid"><tr><td>a</table>`, "outline"},
		{`<p style="outline:1px solid">a</p>`, ""},
		{`<p style="border:3px solid;border-left:3px dotted">a</p>`, "border-style"},
		{`<p style="border-left:3px dotted">a</p>`, ""},
		{`<table><col style="border-radius:3px"><tr><td>a</table>`, "border-radius"},
		{`<li style="counter-reset:list-item">a</li>`, "counter-reset"},
		{`<ul dir=rtl style="list-style-position:inside"><li>a</ul>`, "list-style-position"},
		{`<ul style="list-style-image:url(a.png)"><li>a</ul>`, "list-style-image"},
		{`<style>p::before { content: "a"; position: absolute; justify-self: end }</style><p>a`, "justify-self"},
		{`<style>li::marker { font-size: 30px }</style><ul><li>a</ul>`, "font-size"},
		{`<img style="display:table-cell">`, "<img>"},
		{`<nobr>a<wbr>b</nobr>`, "<wbr>"},
		{`<table rules=rows><tr><td>a</table>`, "<table>"},
		{`<img align=middle>`, "vertical-align"},
		{`<p hidden=until-found>a</p>`, "content-visibility"},
	} {
		_, result := mustCompute(t, "<!DOCTYPE html><body>"+c.page)
		got := ""
		if len(result.Findings) > 0 {
			got = result.Findings[0].Feature
		}
		if got != c.want {
			t.Errorf("%s: %q is outside, want %q", c.page, got, c.want)
		}
	}
}

// Attributes of old mean what browsers make of them.
func TestAttributesOfOldAreFollowed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ page, property, want string }{
		{`<font color=00f>a</font>`, "color", "rgb(0, 0, 15)"},
		{`<font color=chucknorris>a</font>`, "color", "rgb(192, 0, 0)"},
		{`<font color="#ab">a</font>`, "color", "rgb(10, 11, 0)"},
		{`<font color=teal>a</font>`, "color", "rgb(0, 128, 128)"},
		{`<hr noshade>`, "border-top-style", "solid"},
		{`<hr color=red>`, "background-color", "rgb(255, 0, 0)"},
		{`<hr size=1>`, "border-bottom-width", "0px"},
		{`<table border=2 bordercolor=red></table>`, "border-left-style", "solid"},
		{`<pre wrap>a</pre>`, "text-wrap-mode", "wrap"},
		{`<p popover>a</p>`, "display", "none"},
		{`<p contenteditable>a</p>`, "overflow-wrap", "break-word"},
		{`<p style="text-align: -internal-center">a</p>`, "text-align", "start"},
	} {
		doc, result := mustCompute(t, "<!DOCTYPE html><body>"+c.page)
		last := doc.Elements[len(doc.Elements)-1]
		if got := property.Find(c.property).Text(result.Of(last).Style); got != c.want {
			t.Errorf("%s: %s is %s, want %s", c.page, c.property, got, c.want)
		}
	}
}

// What inherits currentcolor takes the color of its own text.
func TestTheColorOfTextIsInheritedAsSuch(t *testing.T) {
	t.Parallel()
	doc, result := mustCompute(t, `<!DOCTYPE html><body style="color:red;border:1px solid"><p style="color:blue;border:inherit">a`)
	if got := property.Find("border-top-color").Text(result.Of(doc.Elements[len(doc.Elements)-1]).Style); got != "rgb(0, 0, 255)" {
		t.Errorf("the border is %s", got)
	}
}

// Lengths in vw are of the first page's area, whatever media queries are asked of.
func TestViewportsAreThoseOfTheFirstPage(t *testing.T) {
	t.Parallel()
	doc, result := mustCompute(t, `<!DOCTYPE html><style>@page { size: 500px 400px; margin: 50px } p { width: 10vw; height: 10vh }</style><p>a`)
	s := result.Of(doc.Elements[len(doc.Elements)-1]).Style
	if s.Width.String() != "40px" || s.Height.String() != "30px" {
		t.Errorf("10vw is %v, 10vh is %v", s.Width, s.Height)
	}
}
