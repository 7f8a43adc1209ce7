package layout_test

import (
	"testing"

	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
)

// compareAll compares pages with the browser, each in a test of its own.
func compareAll(t *testing.T, pages map[string]string) {
	t.Helper()
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			layouttest.Compare(t, page)
		})
	}
}

func TestBlocksAreWhereTheBrowserHasThem(t *testing.T) {
	t.Parallel()
	compareAll(t, map[string]string{
		"auto width":       `<body id=b><div id=a style="height:10px;margin:5px 7px;padding:3px;border:2px solid"></div>`,
		"fixed width":      `<body><div id=a style="width:100px;height:10px;padding:3px;border:2px solid"></div><div id=c style="box-sizing:border-box;width:100px;height:50px;padding:3px;border:2px solid"></div>`,
		"percent":          `<body><div id=p style="width:50%;padding:10%;margin:5%"><div id=a style="width:50%;height:10px;margin:10% auto"></div></div>`,
		"auto margins":     `<body><div id=a style="width:100px;height:10px;margin:0 auto"></div><div id=c style="width:100px;height:10px;margin-left:auto"></div><div id=d style="width:2000px;height:10px;margin:0 auto"></div>`,
		"min and max":      `<body><div id=a style="max-width:100px;height:10px"></div><div id=c style="min-width:1000px;height:10px"></div><div id=d style="max-width:100px;min-width:150px;height:10px;min-height:20px"></div><div id=e style="height:50px;max-height:20px"></div><div id=f style="max-width:50%;margin:auto;height:3px"></div>`,
		"rtl":              `<body dir=rtl><div id=a style="width:100px;height:10px;margin:3px"></div><div id=c style="width:1000px;height:10px"></div><div dir=ltr id=d><div id=e style="width:10px;height:10px"></div></div><div id=f style="width:100px;height:10px;margin-left:auto"></div>`,
		"percent height":   `<body style="height:300px"><div id=a style="height:50%"><div id=c style="height:50%"></div></div><div id=d><div id=e style="height:50%"></div></div><div id=g style="height:100px;padding:10px;box-sizing:border-box"><div id=h style="height:100%"></div></div>`,
		"viewport height":  `<style>html,body{height:100%;margin:0}</style><body id=b><div id=a style="height:50%"></div>`,
		"center":           `<body><center id=z><div id=a style="width:100px;height:10px"></div><div id=c style="width:100px;height:10px;margin-left:20px"></div></center><div align=right id=r><div id=d style="width:100px;height:10px"></div><div id=e style="width:100px;height:10px;margin-right:13px"></div></div><div align=left dir=rtl><div id=f style="width:100px;height:10px"></div></div>`,
		"keywords":         `<body><div id=a style="width:min-content"><div style="width:30px;height:3px"></div><div style="width:70px;height:4px"></div></div><div id=c style="width:max-content;padding:2px"><div style="width:30px;height:3px;margin:4px"></div></div><div id=d style="width:fit-content"><div style="width:1200px;height:3px"></div></div><div id=e style="max-width:min-content"><div style="width:20px;height:2px"></div></div>`,
		"aspect ratio":     `<body><div id=a style="aspect-ratio:2;width:100px"></div><div id=c style="aspect-ratio:2/1;height:100px"></div><div id=d style="aspect-ratio:1;width:50px;padding:10px"></div><div id=e style="aspect-ratio:1;width:50px;padding:10px;box-sizing:border-box"></div><div id=f style="aspect-ratio:1;width:50px"><div style="height:90px"></div></div><div id=g style="aspect-ratio:1;width:50px;overflow:hidden"><div style="height:90px"></div></div><div id=h style="aspect-ratio:4/1"></div>`,
		"body margins":     `<style>html{margin:10px;padding:5px;border:1px solid}body{margin:20px}</style><html id=h><body id=b><div id=a style="height:10px;margin-top:50px"></div>`,
		"percent of auto":  `<body><div id=a style="max-height:50%;min-height:50%"><div style="height:40px"></div></div>`,
		"calc":             `<body><div id=a style="width:calc(50% - 13px);height:calc(1em + 2px)"></div><div id=c style="width:min(50%,100px);height:10px"></div>`,
		"negative margins": `<body><div id=p style="width:300px"><div id=a style="margin:0 -20px;height:10px"></div><div id=c style="margin-left:-50px;width:100px;height:10px"></div></div>`,
	})
}

func TestMarginsCollapseAsInTheBrowser(t *testing.T) {
	t.Parallel()
	compareAll(t, map[string]string{
		"siblings":               `<body><div id=a style="height:10px;margin:20px 0"></div><div id=c style="height:10px;margin:30px 0"></div><div id=d style="height:10px;margin:-10px 0"></div><div id=e style="height:10px;margin:-30px 0"></div>`,
		"first child":            `<body id=b><div id=p style="margin-top:10px"><div id=q style="margin-top:40px"><div id=a style="height:10px;margin-top:25px"></div></div></div>`,
		"first child of border":  `<body id=b><div id=p style="border-top:1px solid"><div id=a style="height:10px;margin-top:25px"></div></div>`,
		"last child":             `<body id=b><div id=p style="margin-bottom:10px"><div id=q><div id=a style="height:10px;margin-bottom:25px"></div></div></div><div id=z style="height:5px"></div>`,
		"last child of height":   `<body id=b><div id=p style="height:30px"><div id=a style="height:10px;margin-bottom:65px"></div></div><div id=z style="height:5px"></div>`,
		"last child min-height":  `<body id=b><div id=p style="min-height:30px"><div id=a style="height:10px;margin-bottom:65px"></div></div><div id=z style="height:5px"></div><div id=q style="min-height:30px"><div id=c style="height:50px;margin-bottom:65px"></div></div><div id=y style="height:5px"></div>`,
		"last child max-height":  `<body id=b><div id=p style="max-height:5px"><div id=a style="height:10px;margin-bottom:65px"></div></div><div id=z style="height:5px"></div>`,
		"last child padding":     `<body id=b><div id=p style="padding-bottom:1px"><div id=a style="height:10px;margin-bottom:65px"></div></div><div id=z style="height:5px"></div>`,
		"empty":                  `<body id=b><div id=a style="height:10px;margin:10px 0"></div><div id=c style="margin:30px 0 20px"></div><div id=d style="height:10px;margin:5px"></div>`,
		"empty nested":           `<body id=b><div id=a style="height:10px"></div><div id=c style="margin:30px 0 20px"><div id=e style="margin:50px 0"></div><div id=f style="margin:60px 0 -40px"></div></div><div id=d style="height:10px;margin:5px"></div>`,
		"empty first":            `<body id=b><div id=p><div id=c style="margin:30px 0 20px"></div><div id=d style="height:10px;margin:45px"></div></div>`,
		"empty with height zero": `<body id=b><div id=c style="height:0;margin:30px 0"></div><div id=e style="height:0;margin:30px 0"><div id=f style="height:30px"></div></div><div id=d style="height:10px;margin:45px"></div>`,
		"empty in height":        `<body id=b><div id=p style="height:100px;background:red"><div id=c style="margin:30px 0 20px"></div></div><div id=d style="height:10px;margin:45px"></div>`,
		"all empty":              `<body id=b><div id=p><div id=c style="margin:30px 0 20px"></div><div id=q style="margin:10px 0 70px"></div></div>`,
		"empty root":             `<body id=b><div id=a style="height:10px"></div><div id=c style="margin:30px 0;overflow:hidden"></div><div id=d style="height:10px"></div>`,
		"flow-root":              `<body id=b><div id=p style="display:flow-root;margin:10px"><div id=a style="height:10px;margin:30px 0"></div></div><div id=z style="height:5px"></div>`,
		"negative first":         `<body id=b style="margin:50px"><div id=p><div id=a style="height:30px;margin-top:-20px"></div></div><div id=z style="height:5px"></div>`,
		"negative last":          `<body id=b><div id=p><div id=a style="height:30px;margin-bottom:-20px"></div></div><div id=z style="height:5px"></div><div id=q style="overflow:hidden"><div id=c style="height:30px;margin-bottom:-20px"></div></div><div id=y style="height:5px"></div>`,
		"percent":                `<body id=b><div id=p style="width:200px"><div id=a style="height:30px;margin:10% 0"></div></div>`,
		"border bottom only":     `<body id=b><div id=p style="border-bottom:1px solid;margin:5px"><div id=a style="margin:20px 0"></div></div><div id=z style="height:5px"></div>`,
		"positioned between":     `<body id=b><div id=a style="height:30px;margin:20px"></div><div id=x style="position:absolute;width:5px;height:5px"></div><div id=c style="height:30px;margin:40px"></div>`,
	})
}
