package layout_test

import "testing"

func TestFloatsStandWhereTheBrowserHasThem(t *testing.T) {
	t.Parallel()
	const style = `<style>.l{float:left;width:100px;height:50px}.r{float:right;width:100px;height:50px}.d{height:10px}</style>`
	compareAll(t, map[string]string{
		"left and right":       style + `<body id=b><div id=a class=l></div><div id=c class=r></div><div id=d class=d></div>`,
		"a row that breaks":    style + `<body><div id=p style="width:250px"><div id=a class=l></div><div id=c class=l></div><div id=d class=l style="height:20px"></div><div id=e class=l></div><div id=f class=r></div></div>`,
		"catches on":           style + `<body><div id=p style="width:250px"><div id=a class=l style="height:80px"></div><div id=c class=l></div><div id=d class=l style="height:20px"></div><div id=e class=l style="width:200px"></div><div id=f class=l></div></div>`,
		"margins":              style + `<body><div id=a class=l style="margin:10px"></div><div id=c class=l style="margin:-5px"></div><div id=d class=r style="margin:3px 5px 7px 11px"></div>`,
		"shrinks":              `<body><div id=a style="float:left;padding:3px"><div style="width:120px;height:10px"></div></div><div id=c style="float:right"><div id=e style="float:left;width:30px;height:10px"></div><div id=f style="float:left;width:40px;height:10px"></div></div><div id=g style="float:left;width:50%;height:10px"></div>`,
		"not contained":        style + `<body id=b><div id=p><div id=a class=l></div></div><div id=q class=d></div>`,
		"contained":            style + `<body id=b><div id=p style="overflow:hidden"><div id=a class=l></div></div><div id=q class=d></div>`,
		"cleared":              style + `<body id=b><div id=a class=l></div><div id=c class=r style="height:80px"></div><div id=d class=d style="clear:left"></div><div id=e class=d style="clear:right"></div>`,
		"cleared margin":       style + `<body id=b><div id=a class=l></div><div id=d class=d style="clear:both;margin-top:20px"></div><div id=e class=d style="margin-top:70px"></div>`,
		"cleared large margin": style + `<body id=b><div id=a class=l></div><div id=d class=d style="clear:both;margin-top:90px"></div>`,
		"cleared low floats":   style + `<body id=b><div id=a class=l style="height:10px"></div><div id=d class=d style="clear:both;margin-top:90px"></div>`,
		"cleared no height":    style + `<body id=b><div id=a class=l style="height:0"></div><div id=d class=d style="clear:both;margin-top:90px"></div>`,
		"cleared then margins": style + `<body id=b><div id=a class=l></div><div id=d style="clear:both;margin-top:20px"><div id=e class=d style="margin:30px 0"></div></div><div id=f class=d></div>`,
		"cleared, nested":      style + `<body id=b><div id=z class=d></div><div id=a class=l></div><div id=p style="margin-top:30px"><div id=q style="clear:both;margin-top:40px"><div id=d class=d style="margin-top:10px"></div></div></div>`,
		"cleared root":         style + `<body id=b><div id=z class=d></div><div id=a class=l></div><div id=p style="clear:left;display:flow-root;margin-top:30px"><div class=d></div></div><div id=c class=r></div><div id=e style="display:flow-root;clear:right;margin:9px"></div>`,
		"negative margin":      style + `<body id=b><div id=z class=d></div><div id=a class=l style="margin-top:-30px"></div><div id=c class=d style="margin-top:-5px"></div><div id=e class=l></div>`,
		"cleared after block":  style + `<body id=b><div id=z class=d></div><div id=a class=l></div><div id=d class=d style="clear:both;margin-top:20px"></div>`,
		"cleared far after":    style + `<body id=b><div id=z class=d></div><div id=a class=l></div><div id=d class=d style="clear:both;margin-top:90px"></div>`,
		"cleared in a block":   style + `<body id=b><div id=z class=d></div><div id=a class=l></div><div id=p><div id=d class=d style="clear:both;margin-top:20px"></div></div>`,
		"cleared first child":  style + `<body id=b style="margin:0"><div id=z class=d></div><div id=p style="margin-top:7px"><div id=a class=l></div><div id=q style="margin-top:13px"><div id=d class=d style="clear:both;margin-top:20px"></div></div></div>`,
		"clearfix":             style + `<style>.f::after{content:"";display:block;clear:both}.g::after{content:"";display:table;clear:both}</style><body id=b><div id=p class=f><div id=a class=l></div></div><div id=q class=g><div id=c class=l></div></div><div id=d class=d></div>`,
		"empty cleared":        style + `<body id=b><div id=p style="margin:10px"><div id=a class=l></div><div id=c style="clear:left;margin:13px 0 20px"></div></div><div id=d class=d></div>`,
		"floats clear":         style + `<body id=b><div id=a class=l></div><div id=c class=l style="clear:left"></div><div id=d class=r></div><div id=e class=r style="clear:both"></div>`,
		"after margin":         style + `<body id=b><div id=z class=d style="margin-bottom:20px"></div><div id=a class=l></div><div id=d class=d style="margin-top:30px"></div>`,
		"before margin":        style + `<body id=b><div id=p><div id=a class=l></div><div id=d class=d style="margin-top:30px"></div></div>`,
		"in empty block":       style + `<body id=b><div id=z class=d style="margin-bottom:20px"></div><div id=p style="margin:5px 0"><div id=a class=l></div></div><div id=d class=d style="margin-top:30px"></div>`,
		"root beside":          style + `<body id=b><div id=a class=l></div><div id=c style="overflow:hidden;height:10px"></div><div id=d style="display:flow-root;height:80px;margin:0 20px"></div>`,
		"root with width":      style + `<body id=b><div id=a class=l></div><div id=c style="overflow:hidden;height:10px;width:300px"></div><div id=d style="overflow:hidden;height:10px;width:750px"></div>`,
		"root with margin":     style + `<body id=b><div id=a class=l></div><div id=c style="overflow:hidden;height:10px;margin-left:130px"></div><div id=d style="overflow:hidden;height:10px;margin-left:30px;margin-right:5px"></div><div id=r class=r></div><div id=e style="overflow:hidden;height:10px;width:200px;margin:0 auto"></div>`,
		"root grows taller":    style + `<body><div id=p style="width:300px"><div id=a class=l style="height:30px"></div><div id=c class=l style="width:180px;height:70px;clear:left"></div><div id=d style="overflow:hidden"><div style="float:left;width:110px;height:40px"></div><div style="float:left;width:80px;height:40px"></div></div></div>`,
		"root too wide":        style + `<body><div id=p style="width:300px"><div id=a class=l></div><div id=d style="overflow:hidden;min-width:250px;height:20px"></div></div>`,
		"wide float":           style + `<body><div id=p style="width:80px"><div id=a class=l></div><div id=c class=r></div></div>`,
		"rtl":                  style + `<body dir=rtl><div id=a class=l></div><div id=c class=r></div><div id=d style="overflow:hidden;height:10px;width:100px"></div>`,
		"negative root margin": style + `<body><div id=a class=l></div><div id=d style="overflow:hidden;height:10px;margin:-5px"></div>`,
		"nested":               style + `<body id=b><div id=a class=l style="height:100px"></div><div id=p style="margin-left:20px;padding:5px"><div id=c class=l></div><div id=q style="padding:5px"><div id=e class=r></div><div id=f class=r style="width:560px"></div></div></div>`,
	})
}
