package layout_test

import (
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

// pixels is a picture of 24×16 pixels.
const pixels = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABgAAAAQCAIAAACDRijCAAAAI0lEQVR42mP4z8BAEDGcIAKNGjSiDSLGqP8nGAiiUYNGtEEAUby08FHkOBAAAAAASUVORK5CYII="

// TestPagesWithoutDoctypeAreLaidOutAsInTheBrowser is about what only the page as a whole shows; the pictures of cells are compared elsewhere.
func TestPagesWithoutDoctypeAreLaidOutAsInTheBrowser(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"paragraphs":                    `<body id=b><p id=a>first paragraph<p id=c>second`,
		"heads":                         `<html id=h><body id=b><h1 id=a>first</h1><p id=c>second</p><ul id=d><li>x</ul>`,
		"a margin of the page's own":    `<body id=b><p id=a style="margin-top:30px">first<p id=c style="margin-bottom:40px">x`,
		"margins through a block":       `<body id=b><div id=d><p id=a>first</p></div><div id=e><p id=c>second</p></div>`,
		"an empty paragraph":            `<body id=b><p id=a></p><div id=d style="margin-top:10px"></div><h1 id=c>x</h1>`,
		"a body without margin":         `<body id=b style="margin:0"><p id=a>first<p id=c>second`,
		"a body with a border":          `<body id=b style="border:1px solid"><p id=a>first<p id=c>second`,
		"a body with padding below":     `<html id=h><body id=b style="padding-bottom:1px"><p id=a>first<p id=c>second`,
		"a body in a html with padding": `<html id=h style="padding:7px;border:2px solid;margin:3px"><body id=b><p id=a>first`,
		"a body of a height":            `<html id=h><body id=b style="height:50%"><p id=a>first`,
		"a body of a least height":      `<html id=h><body id=b style="min-height:1000px"><p id=a>first`,
		"a body that floats":            `<html id=h><body id=b style="float:left"><p id=a>first`,
		"a body that is a root":         `<html id=h><body id=b style="display:flow-root"><p id=a>first<p id=c>second`,
		"a body that is positioned":     `<html id=h><body id=b style="position:relative"><p id=a style="position:absolute;bottom:0;left:0">first`,
		"a body with clear":             `<html id=h><body id=b><div style="float:left;height:50px">f</div><p id=a style="clear:both">first`,
		"a body without anything":       `<html id=h><body id=b>`,
		"a html of a height":            `<html id=h style="height:300px"><body id=b><p id=a>first`,
		"a long body":                   `<html id=h><body id=b><p id=a style="height:900px">first`,
		"a body with a negative margin": `<html id=h><body id=b style="margin-top:-9px"><p id=a>first`,
		"heights of percent":            `<html id=h><body id=b><div id=a style="height:50%"></div><div><div id=c style="height:25%"></div></div>`,
		"a table of the whole height":   `<html id=h><body id=b><table id=a height="100%"><tr><td id=c>x</table>`,
		"heights of percent in margins": `<html id=h style="padding:10px;border:3px solid"><body id=b style="padding:5px;margin:20px"><div id=a style="height:100%"></div>`,
		"heights of percent in tables":  `<html id=h><body id=b><table id=t height="50%"><tr><td id=c><div id=a style="height:50%">x</div></table><table><tr><td id=e height=100><div><div id=d style="height:50%">x</div></div></table>`,
		"heights of pictures in tables": `<body id=b><table><tr><td id=e height=100><div><img src=PIXELS id=d height="50%" width=20></div><td id=c><img src=PIXELS id=f height="50%" width=20></table>`,
		"lists in items":                `<body id=b><ul id=u><li id=a><ul id=c><li id=d>x</ul><li id=e><div><ol><li id=f>y</ol></div><li id=g><ol style="margin-top:9px" id=h><li>z</ol></ul>`,
		"lists in items of other looks": `<body id=b><ul id=u style="list-style:inside"><li id=a><ul id=c><li id=d>x</ul><li id=e style="list-style:none"><ul id=f><li>y</ul><li id=g><b></b><ul id=h><li>y</ul><li id=i><menu id=j><li>y</menu></ul>`,
		"a body that is a table":        `<html id=h><body id=b style="display:table"><p id=a>first`,
		"a body in a line":              `<html id=h><body id=b style="display:inline-block"><p id=a>first`,
		"relative boxes":                `<html id=h><body id=b><p id=a style="position:relative;top:50%">first</p><div><div id=c style="position:relative;top:10%">x</div></div>`,
		"shares in boxes of their own":  `<body id=b><div style="float:left" id=f><div id=a style="height:10%">x</div></div><div style="overflow:hidden"><div id=c style="height:10%">x</div></div><span style="display:inline-block"><div id=d style="height:10%">x</div></span>`,
		"a list without items":          `<body id=b><ul id=a><ul id=c><li id=d>x</ul></ul><li id=e><ul id=f>x</ul>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			layouttest.CompareOld(t, strings.ReplaceAll(page, "PIXELS", pixels))
		})
	}
}
