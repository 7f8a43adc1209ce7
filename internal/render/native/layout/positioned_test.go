package layout_test

import "testing"

func TestPositionedBoxesStandWhereTheBrowserHasThem(t *testing.T) {
	t.Parallel()
	const style = `<style>.p{position:relative;width:300px;height:200px;margin:20px;padding:10px;border:5px solid}.a{position:absolute}.s{width:50px;height:30px}.d{height:10px}</style><body id=b>`
	compareAll(t, map[string]string{
		"corners":          style + `<div class=p><div id=a class="a s" style="left:1px;top:2px"></div><div id=c class="a s" style="right:1px;bottom:2px"></div><div id=d class="a s" style="left:1px;bottom:2px;margin:7px"></div></div>`,
		"static":           style + `<div class=p><div class=d></div><div id=a class="a s"></div><div id=c class="a s" style="left:5px"></div><div id=d class="a s" style="top:5px"></div><div id=e class="a s" style="margin:3px"></div></div>`,
		"static margin":    style + `<div class=p><div class=d style="margin:20px 0"></div><div id=a class="a s"></div><div class=d style="margin:30px 0"></div></div>`,
		"stretched":        style + `<div class=p><div id=a class=a style="inset:10px"></div><div id=c class=a style="left:10%;right:20%;top:10%;bottom:5%;padding:3px;margin:2px"></div><div id=d class=a style="left:0;right:0;top:0;max-width:100px;height:5px;margin:auto"></div></div>`,
		"auto margins":     style + `<div class=p><div id=a class="a s" style="inset:0;margin:auto"></div><div id=c class="a s" style="inset:0;margin-left:auto"></div><div id=d class="a s" style="inset:0;margin:auto;width:500px"></div><div id=e class="a s" style="left:0;right:0;margin:auto"></div></div>`,
		"percentages":      style + `<div class=p><div id=a class=a style="width:50%;height:50%;left:25%;top:25%"><div id=c style="height:50%"></div></div></div>`,
		"shrinks":          style + `<div class=p><div id=a class=a style="right:0"><div style="width:40px;height:10px"></div></div><div id=c class=a style="left:250px"><div style="float:left;width:40px;height:10px"></div><div style="float:left;width:40px;height:10px"></div></div></div>`,
		"over-constrained": style + `<div class=p><div id=a class="a s" style="left:5px;right:7px;top:3px;bottom:1px"></div></div><div class=p dir=rtl><div id=c class="a s" style="left:5px;right:7px;top:3px;bottom:1px"></div></div>`,
		"rtl static":       style + `<div class=p dir=rtl><div id=a class="a s"></div><div id=c class="a" style="height:5px;padding:2px"></div></div>`,
		"initial":          style + `<div id=z style="margin:30px;height:1000px"><div id=a class="a s" style="right:0;bottom:0"></div><div id=c class="a s" style="left:0;top:0"></div><div id=d class="a s"></div></div>`,
		"html margin":      `<style>html{margin:30px;padding:3px}</style><body><div id=a style="position:absolute;right:5px;bottom:5px;width:10px;height:10px"></div><div id=c style="position:fixed;left:5px;top:5px;width:10px;height:10px"></div>`,
		"fixed":            style + `<div class=p><div id=a style="position:fixed;right:3px;top:3px;width:10px;height:10px"></div><div id=c style="position:fixed;width:10px;height:10px"></div></div>`,
		"relative":         style + `<div id=a class=s style="position:relative;left:10px;top:5px"><div id=c class=d></div></div><div id=d class=d></div><div id=e class=s style="position:relative;right:10px;bottom:5px"></div><div id=f class=s style="position:relative;left:10%;right:5px;top:50%"></div><div dir=rtl><div id=g class=s style="position:relative;left:10px;right:5px"></div></div>`,
		"absolute in both": style + `<div class=p><div id=a class=a style="left:5px;top:5px;padding:10px"><div id=c class="a s" style="left:0;top:0"></div><div id=d class=s></div><div id=e class="a s" style="right:0;bottom:0"></div></div></div>`,
		"auto height":      style + `<div style="position:relative" id=p><div class=d></div><div id=a class="a s" style="bottom:0"></div><div style="height:77px"></div><div id=c class=a style="height:50%;width:10px;top:0;right:0"></div></div>`,
		"nested deep":      style + `<div class=p><div style="padding:7px"><div style="padding:3px;margin-left:9px"><div id=a class="a s"></div></div></div></div>`,
		"in a float":       style + `<div class=p><div style="float:right;width:50px;height:50px"><div id=a class="a s"></div><div id=c class="a s" style="left:0"></div></div></div>`,
		"in overflow":      style + `<div class=p><div style="overflow:hidden;margin:13px"><div class=d></div><div id=a class="a s"></div></div></div>`,
		"moved root":       style + `<div class=p style="padding:0"><div class=d></div><div style="display:flow-root;padding:11px"><div style="display:flow-root;padding:11px"><div id=a class="a s"></div></div></div></div>`,
		"min and max":      style + `<div class=p><div id=a class=a style="inset:0;max-height:20px;min-width:400px"></div></div>`,
		"keyword width":    style + `<div class=p><div id=a class=a style="inset:0;width:max-content"><div style="width:33px;height:11px"></div></div></div>`,
		"content height":   style + `<div class=p><div id=a class=a style="bottom:10px;left:0;right:0"><div style="height:33px"></div></div></div>`,
		"transform":        style + `<div style="transform:translate(0,0);padding:20px;width:300px;height:100px" id=p><div id=a class="a s" style="right:0;bottom:0"></div><div id=c class=s style="position:fixed;left:0;bottom:0"></div></div>`,
		"ratio":            style + `<div class=p><div id=a class=a style="left:0;width:80px;aspect-ratio:2"></div><div id=c class=a style="right:0;height:50px;aspect-ratio:2"></div><div id=d class=a style="left:0;right:0;top:0;aspect-ratio:3"></div></div>`,
	})
}
