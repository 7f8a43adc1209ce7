package cascade

import (
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/dom"
)

// otherElements are those that the native engine does not draw, with the reason.
var otherElements = map[string]string{
	"audio": "media are not supported", "video": "media are not supported", "canvas": "only scripts draw on it",
	"iframe": "frames are not supported", "frame": "frames are not supported", "frameset": "frames are not supported",
	"object": "plug-ins are not supported", "embed": "plug-ins are not supported", "applet": "plug-ins are not supported",
	"input": "form controls are not supported", "button": "form controls are not supported", "select": "form controls are not supported",
	"textarea": "form controls are not supported", "meter": "form controls are not supported", "progress": "form controls are not supported",
	"selectlist": "form controls are not supported", "fieldset": "form controls are not supported", "legend": "form controls are not supported",
	"details": "what it shows depends on the browser", "dialog": "dialogs are not supported", "marquee": "it moves",
	"ruby": "ruby is not supported", "math": "formulas are not supported", "picture": "the choice of a picture is not supported", "slot": "components are not supported",
	"map": "image maps are not supported",
}

// shapes are the elements of SVG that are drawn, or say nothing about looks.
var shapes = map[string]bool{
	"svg": true, "g": true, "path": true, "rect": true, "circle": true, "ellipse": true, "line": true, "polyline": true, "polygon": true,
	"title": true, "desc": true, "metadata": true, "defs": true, "style": true, "linearGradient": true, "radialGradient": true, "stop": true,
}

// scripts are the types of a <script> that run; others are data.
var scripts = []string{
	"", "module", "importmap", "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript",
	"application/x-javascript", "text/jscript",
}

// inspect lists the elements that are not drawn. Those that are hidden do not count, but scripts run anyway.
func (e *engine) inspect(result *Result) {
	for _, n := range e.doc.Elements {
		if reason := scripted(n); reason != "" {
			e.findElement(n, reason)
			continue
		}
		if result.styles[n.Number].hidden {
			continue
		}
		if reason := unsupported(n, result.styles[n.Number].Style); reason != "" {
			e.findElement(n, reason)
		}
		if result.styles[n.Number].apart {
			continue
		}
		var parent *property.Style
		if n.Parent != nil {
			parent = result.styles[n.Parent.Number].Style
		}
		e.inspectTogether(n, result.styles[n.Number], parent)
	}
}

func (e *engine) findElement(n *dom.Node, reason string) {
	e.findings.add(Finding{Kind: "element", Feature: "<" + n.Tag + ">", Reason: reason, Source: "document", Line: n.At.Line, Column: n.At.Column})
}

// scripted says why an element runs something, or "".
func scripted(n *dom.Node) string {
	if n.Tag == "script" {
		kind, _ := n.Attr("type")
		kind, _, _ = strings.Cut(strings.ToLower(kind), ";")
		if slices.Contains(scripts, strings.TrimSpace(kind)) {
			return "scripts are not run"
		}
		return ""
	}
	for _, a := range n.Attrs {
		if strings.HasPrefix(a.Key, "on") && len(a.Key) > 2 && a.Val != "" {
			return "the event handler " + a.Key + " is not run"
		}
	}
	if v, ok := n.Attr("http-equiv"); ok && n.Tag == "meta" && strings.EqualFold(v, "refresh") {
		return "the page would leave by itself"
	}
	return ""
}

// unsupported says why an element cannot be drawn, or "".
func unsupported(n *dom.Node, s *property.Style) string {
	switch {
	case n.Namespace == "svg" && !shapes[n.Tag]:
		return "of SVG only shapes are supported"
	case n.Namespace == "math":
		return otherElements["math"]
	case n.Namespace == "svg" && n.Tag != "svg":
		return ""
	case n.Tag == "input":
		kind, _ := n.Attr("type")
		if kind = strings.ToLower(strings.TrimSpace(kind)); kind == "hidden" || kind == "checkbox" && s.Appearance == "auto" {
			return ""
		}
	case n.Tag == "img":
		if _, ok := n.Attr("srcset"); ok {
			return "the choice of a picture is not supported"
		}
	case n.Tag == "table":
		for _, name := range []string{"rules", "frame"} {
			if v, ok := n.Attr(name); ok && v != "" {
				return "the attribute " + name + " is not supported"
			}
		}
	case strings.Contains(n.Tag, "-"):
		return ""
	}
	if n.Tag == "wbr" && s.TextWrap == "nowrap" {
		return "it ends lines of text that does not wrap"
	}
	if replaced(n) && strings.HasPrefix(string(s.Display), "table") {
		return "pictures as parts of tables are not supported"
	}
	if dir, ok := n.Attr("dir"); ok && strings.EqualFold(dir, "auto") {
		return "dir=auto is not supported"
	}
	return otherElements[n.Tag]
}

func replaced(n *dom.Node) bool { return n.Tag == "img" || n.Tag == "svg" || n.Tag == "input" }

// report gathers what was found, in the order of the places.
func (e *engine) report(result *Result) {
	tell := func(b *block) {
		if int(b.id) >= len(e.used) || !e.used[b.id] {
			return
		}
		e.used[b.id] = false // it is told once
		for _, f := range b.findings {
			if f.Kind == "animation" {
				if !e.keyframes[f.Value] {
					continue
				}
				f.Kind = "property"
			}
			e.findings.add(f)
		}
	}
	for _, r := range e.rules.all {
		tell(r.block)
	}
	for _, p := range e.pageRules {
		tell(p.block)
		for _, b := range p.boxes {
			tell(b)
		}
	}
	for _, b := range e.inlines { // in order: only so many findings are kept
		tell(b)
	}
	slices.SortFunc(e.findings.list, before)
	result.Findings, result.More = e.findings.list, e.findings.more
}

func before(a, b Finding) int {
	if c := strings.Compare(sourceOrder(a.Source), sourceOrder(b.Source)); c != 0 {
		return c
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	if a.Column != b.Column {
		return a.Column - b.Column
	}
	if c := strings.Compare(a.Feature+a.Value, b.Feature+b.Value); c != 0 {
		return c
	}
	return strings.Compare(a.Kind+a.Reason, b.Kind+b.Reason)
}

// sourceOrder puts the document before its sheets.
func sourceOrder(name string) string {
	if name == "document" {
		return ""
	}
	return name
}
