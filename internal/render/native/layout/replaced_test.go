package layout_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"strings"
	"testing"
)

// picture is a PNG of this size as an address.
func picture(t *testing.T, width, height int) string {
	t.Helper()
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(data.Bytes())
}

// drawing is an SVG with these attributes as an address.
func drawing(attributes string) string {
	svg := `<svg xmlns="http://www.w3.org/2000/svg" ` + attributes + `><rect width="10" height="10"/></svg>`
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg))
}

func TestImagesAreAsLargeAsInTheBrowser(t *testing.T) {
	t.Parallel()
	names := strings.NewReplacer("PNG", picture(t, 120, 60), "BOTH", drawing(`width="50" height="20"`), "BOX", drawing(`viewBox="0 0 40 10"`),
		"WIDE", drawing(`width="50"`), "NOTHING", drawing(``), "HIGH", drawing(`height="30" viewBox="0 0 40 10"`))
	pages := map[string]string{
		"natural":        `<img id=a src="PNG"><img id=c src="BOTH">`,
		"one side":       `<img id=a src="PNG" width=60><img id=c src="PNG" height=90><img id=d src="PNG" style="width:10%"><img id=e src="BOTH" width=200>`,
		"both sides":     `<img id=a src="PNG" width=10 height=50>`,
		"greatest":       `<img id=a src="PNG" style="max-width:50px"><img id=c src="PNG" style="max-height:20px"><img id=d src="PNG" style="max-width:100px;max-height:20px"><img id=e src="PNG" style="max-width:20px;max-height:50px">`,
		"least":          `<img id=a src="PNG" style="min-width:300px"><img id=c src="PNG" style="min-height:200px"><img id=d src="PNG" style="min-width:300px;min-height:200px"><img id=e src="PNG" style="min-width:300px;max-height:20px"><img id=f src="PNG" style="max-width:30px;min-height:200px">`,
		"side and limit": `<img id=a src="PNG" style="width:300px;max-width:200px"><img id=c src="PNG" style="height:300px;max-width:200px"><img id=d src="PNG" style="width:300px;max-height:20px"><img id=e src="PNG" style="height:20px;min-height:40px">`,
		"frame":          `<img id=a src="PNG" style="padding:5px;border:3px solid;margin:7px"><img id=c src="PNG" style="padding:5px;border:3px solid;box-sizing:border-box;width:100px"><img id=d src="PNG" style="padding:5px;max-width:50px">`,
		"percent limit":  `<div style="width:100px"><img id=a src="PNG" style="max-width:100%"></div><div style="width:100px;height:100px"><img id=c src="PNG" style="max-height:20%"><img id=d src="PNG" style="height:50%"></div>`,
		"ratio":          `<img id=a src="PNG" style="aspect-ratio:1"><img id=c src="PNG" style="aspect-ratio:1;width:50px"><img id=d src="PNG" style="aspect-ratio:auto 1;width:50px">`,
		"auto margins":   `<img id=a src="PNG" style="margin:0 auto"><img id=c src="PNG" style="margin-left:auto">`,
		"drawing of box": `<img id=a src="BOX"><img id=c src="BOX" style="height:20px"><div style="width:100px"><img id=d src="BOX"><img id=e src="BOX" width=60></div>`,
		"drawing wide":   `<img id=a src="WIDE"><img id=c src="NOTHING"><img id=d src="HIGH"><img id=e src="WIDE" height=10><img id=f src="NOTHING" width=10>`,
		"floats":         `<img id=a src="PNG" style="float:left"><img id=c src="PNG" style="float:right;margin:5px;width:50%"><img id=d src="PNG" style="clear:both">`,
		"beside floats":  `<div style="float:left;width:750px;height:30px"></div><img id=d src="PNG"><img id=e src="PNG" style="width:100%">`,
		"positioned":     `<div style="position:relative;width:300px;height:200px"><img id=a src="PNG" style="position:absolute;right:0;bottom:0"><img id=c src="PNG" style="position:absolute;inset:0"><img id=d src="PNG" style="position:absolute;inset:0;margin:auto"><img id=e src="PNG" style="position:absolute;left:0;height:100%"></div>`,
		"shrinks":        `<div id=p style="float:left"><img id=a src="PNG"></div><div style="width:100px"><div id=q style="float:left"><img id=c src="PNG" style="max-width:100%"></div></div><div id=r style="width:min-content"><img id=d src="PNG" style="width:50%"></div>`,
		"centered":       `<center><img id=a src="PNG"></center>`,
	}
	for name, page := range pages {
		pages[name] = "<style>img{display:block}</style><body>" + names.Replace(page)
	}
	compareAll(t, pages)
}

func TestDrawingsInThePageAreAsLargeAsInTheBrowser(t *testing.T) {
	t.Parallel()
	compareAll(t, map[string]string{
		"both":    `<body><svg id=a style="display:block" width="50" height="20"></svg><svg id=c style="display:block;width:30px" width="50" height="20"></svg>`,
		"box":     `<body><svg id=a style="display:block" viewBox="0 0 40 10"></svg><div style="width:90px"><svg id=c style="display:block" viewBox="0 0 40 10"></svg></div><svg id=d style="display:block" viewBox="0 0 40 10" width="80"></svg><svg id=e style="display:block" viewBox="0 0 40 10" height="80"></svg>`,
		"nothing": `<body><svg id=a style="display:block"></svg>`,
		"percent": `<body><svg id=a style="display:block" width="50%" height="20"></svg><svg id=c style="display:block" width="100%" height="100%" viewBox="0 0 40 10"></svg>`,
		"float":   `<body><svg id=a style="float:left" viewBox="0 0 40 10"></svg><svg id=c style="float:left" width="50" height="20"></svg>`,
	})
}
