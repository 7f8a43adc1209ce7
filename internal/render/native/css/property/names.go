package property

// aliases are other names of the same property.
var aliases = map[string]string{
	"word-wrap": "overflow-wrap", "-webkit-print-color-adjust": "print-color-adjust", "color-adjust": "print-color-adjust",
	"grid-gap": "gap", "grid-row-gap": "row-gap", "grid-column-gap": "column-gap", "font-width": "font-stretch",
	"-webkit-box-sizing": "box-sizing", "-webkit-opacity": "opacity", "-webkit-transform": "transform",
	"-webkit-transform-origin": "transform-origin", "-webkit-background-size": "background-size",
	"-webkit-background-clip": "background-clip", "-webkit-background-origin": "background-origin",
	"-webkit-border-radius": "border-radius", "-webkit-border-top-left-radius": "border-top-left-radius",
	"-webkit-border-top-right-radius": "border-top-right-radius", "-webkit-border-bottom-left-radius": "border-bottom-left-radius",
	"-webkit-border-bottom-right-radius": "border-bottom-right-radius", "-webkit-flex": "flex", "-webkit-flex-direction": "flex-direction",
	"-webkit-flex-wrap": "flex-wrap", "-webkit-flex-flow": "flex-flow", "-webkit-flex-grow": "flex-grow", "-webkit-flex-shrink": "flex-shrink",
	"-webkit-flex-basis": "flex-basis", "-webkit-order": "order", "-webkit-align-content": "align-content", "-webkit-align-items": "align-items",
	"-webkit-align-self": "align-self", "-webkit-justify-content": "justify-content", "-webkit-font-feature-settings": "font-feature-settings",
	"-webkit-margin-start": "margin-inline-start", "-webkit-margin-end": "margin-inline-end", "-webkit-margin-before": "margin-block-start",
	"-webkit-margin-after": "margin-block-end", "-webkit-padding-start": "padding-inline-start", "-webkit-padding-end": "padding-inline-end",
	"-webkit-padding-before": "padding-block-start", "-webkit-padding-after": "padding-block-end",
	"-webkit-border-image": "border-image", "-webkit-border-start": "border-inline-start", "-webkit-border-end": "border-inline-end",
	"-webkit-border-before": "border-block-start", "-webkit-border-after": "border-block-end",
	"-webkit-border-start-color": "border-inline-start-color", "-webkit-border-end-color": "border-inline-end-color",
	"-webkit-border-before-color": "border-block-start-color", "-webkit-border-after-color": "border-block-end-color",
	"-webkit-border-start-style": "border-inline-start-style", "-webkit-border-end-style": "border-inline-end-style",
	"-webkit-border-before-style": "border-block-start-style", "-webkit-border-after-style": "border-block-end-style",
	"-webkit-border-start-width": "border-inline-start-width", "-webkit-border-end-width": "border-inline-end-width",
	"-webkit-border-before-width": "border-block-start-width", "-webkit-border-after-width": "border-block-end-width",
	"-webkit-logical-width": "inline-size", "-webkit-logical-height": "block-size",
	"-webkit-min-logical-width": "min-inline-size", "-webkit-min-logical-height": "min-block-size",
	"-webkit-max-logical-width": "max-inline-size", "-webkit-max-logical-height": "max-block-size",
	"-webkit-box-shadow": "box-shadow", "-webkit-filter": "filter", "-webkit-clip-path": "clip-path", "-webkit-column-count": "column-count",
	"-webkit-column-width": "column-width", "-webkit-columns": "columns", "-webkit-column-gap": "column-gap", "-webkit-column-span": "column-span",
	"-webkit-column-rule": "column-rule", "-webkit-column-rule-color": "column-rule-color", "-webkit-column-rule-style": "column-rule-style",
	"-webkit-column-rule-width": "column-rule-width", "-webkit-perspective": "perspective", "-webkit-perspective-origin": "perspective-origin",
	"-webkit-transform-style": "transform-style", "-webkit-backface-visibility": "backface-visibility", "-webkit-shape-outside": "shape-outside",
	"-webkit-shape-margin": "shape-margin", "-webkit-shape-image-threshold": "shape-image-threshold",
	"-webkit-text-emphasis": "text-emphasis", "-webkit-text-emphasis-color": "text-emphasis-color",
	"-webkit-text-emphasis-position": "text-emphasis-position", "-webkit-text-emphasis-style": "text-emphasis-style",
	"-webkit-ruby-position": "ruby-position", "-webkit-writing-mode": "writing-mode", "-webkit-text-orientation": "text-orientation", "-webkit-hyphenate-character": "hyphenate-character",
	"-webkit-mask": "mask", "-webkit-mask-image": "mask-image", "-webkit-mask-size": "mask-size", "-webkit-mask-repeat": "mask-repeat",
	"-webkit-mask-position": "mask-position", "-webkit-mask-origin": "mask-origin", "-webkit-mask-clip": "mask-clip", "-webkit-mask-composite": "mask-composite",
	"-webkit-alternative-animation": "animation", "-webkit-animation": "animation", "-webkit-animation-name": "animation-name",
	"-webkit-animation-delay": "animation-delay", "-webkit-animation-direction": "animation-direction", "-webkit-animation-duration": "animation-duration",
	"-webkit-animation-fill-mode": "animation-fill-mode", "-webkit-animation-iteration-count": "animation-iteration-count",
	"-webkit-animation-play-state": "animation-play-state", "-webkit-animation-timing-function": "animation-timing-function",
	"-webkit-transition": "transition", "-webkit-transition-delay": "transition-delay", "-webkit-transition-duration": "transition-duration",
	"-webkit-transition-property": "transition-property", "-webkit-transition-timing-function": "transition-timing-function",
	"-webkit-user-select": "user-select", "-webkit-appearance": "appearance", "-epub-word-break": "word-break",
	"-epub-text-transform": "text-transform", "-epub-caption-side": "caption-side", "-epub-writing-mode": "writing-mode",
	"-epub-text-emphasis": "text-emphasis", "-epub-text-emphasis-color": "text-emphasis-color", "-epub-text-emphasis-style": "text-emphasis-style",
	"-epub-text-orientation": "text-orientation", "-epub-text-combine": "text-combine-upright",
}

// flowing is what a property of the flow means on paper: text runs from left to right, or from right to left, and
// down the page.
type flowing struct{ ltr, rtl string }

// Physical returns the longhand that a name of the flow stands for in a direction; other names stand for themselves.
func Physical(name string, direction Keyword) string {
	f, ok := logical[name]
	switch {
	case !ok:
		return name
	case direction == "rtl":
		return f.rtl
	}
	return f.ltr
}

// Logical reports whether a name depends on the direction of the text.
func Logical(name string) bool { return logical[name] != flowing{} }

var logical = flowingNames()

func flowingNames() map[string]flowing {
	m := map[string]flowing{
		"inline-size": {"width", "width"}, "block-size": {"height", "height"},
		"min-inline-size": {"min-width", "min-width"}, "min-block-size": {"min-height", "min-height"},
		"max-inline-size": {"max-width", "max-width"}, "max-block-size": {"max-height", "max-height"},
		"overflow-inline": {"overflow-x", "overflow-x"}, "overflow-block": {"overflow-y", "overflow-y"},
		"border-start-start-radius": {"border-top-left-radius", "border-top-right-radius"},
		"border-start-end-radius":   {"border-top-right-radius", "border-top-left-radius"},
		"border-end-start-radius":   {"border-bottom-left-radius", "border-bottom-right-radius"},
		"border-end-end-radius":     {"border-bottom-right-radius", "border-bottom-left-radius"},
	}
	sides := map[string]flowing{
		"block-start": {"top", "top"}, "block-end": {"bottom", "bottom"},
		"inline-start": {"left", "right"}, "inline-end": {"right", "left"},
	}
	for side, f := range sides {
		m["inset-"+side] = f
		for _, name := range []string{"margin-", "padding-"} {
			m[name+side] = flowing{name + f.ltr, name + f.rtl}
		}
		for _, part := range []string{"-width", "-style", "-color"} {
			m["border-"+side+part] = flowing{"border-" + f.ltr + part, "border-" + f.rtl + part}
		}
	}
	return m
}
