package property

import "strings"

// noEffect are the properties that change nothing on paper: those of the pointer, of scrolling, of time, of
// speech, and hints to the browser. Animations are here as well: they move something only when their keyframes
// exist, which the cascade looks after.
var noEffect = set(`
	accent-color anchor-name anchor-scope animation animation-composition animation-delay animation-direction
	animation-duration animation-fill-mode animation-iteration-count animation-name animation-play-state animation-range
	animation-range-end animation-range-start animation-timeline animation-timing-function animation-trigger app-region
	-webkit-app-region backface-visibility buffered-rendering caret caret-animation caret-color caret-shape
	color-interpolation-filters color-rendering cursor dynamic-range-limit font-display forced-color-adjust frame-sizing
	interactivity interest-delay interest-delay-end interest-delay-start interpolate-size isolation math-depth math-shift math-style
	overflow-anchor overlay overscroll-behavior overscroll-behavior-block overscroll-behavior-inline overscroll-behavior-x
	overscroll-behavior-y perspective-origin pointer-events position-anchor position-try position-try-fallbacks position-try-order
	position-visibility reading-flow reading-order resize scroll-axis-lock scroll-behavior scroll-initial-target scroll-margin
	scroll-margin-block scroll-margin-block-end scroll-margin-block-start scroll-margin-bottom scroll-margin-inline
	scroll-margin-inline-end scroll-margin-inline-start scroll-margin-left scroll-margin-right scroll-margin-top
	scroll-marker-group scroll-padding scroll-padding-block scroll-padding-block-end scroll-padding-block-start
	scroll-padding-bottom scroll-padding-inline scroll-padding-inline-end scroll-padding-inline-start scroll-padding-left
	scroll-padding-right scroll-padding-top scroll-snap-align scroll-snap-stop scroll-snap-type scroll-target-group
	scroll-timeline scroll-timeline-axis scroll-timeline-name scrollbar-color scrollbar-gutter scrollbar-width shape-rendering speak
	speak-as text-rendering text-size-adjust -webkit-text-size-adjust timeline-scope timeline-trigger
	timeline-trigger-activation-range timeline-trigger-activation-range-end timeline-trigger-activation-range-start
	timeline-trigger-active-range timeline-trigger-active-range-end timeline-trigger-active-range-start timeline-trigger-name
	timeline-trigger-source touch-action transform-style transition transition-behavior transition-delay transition-duration
	transition-property transition-timing-function trigger-scope user-select view-timeline view-timeline-axis view-timeline-inset
	view-timeline-name view-transition-class view-transition-group view-transition-name view-transition-scope will-change
	window-drag -webkit-font-smoothing -webkit-locale -webkit-rtl-ordering -webkit-tap-highlight-color
	-webkit-text-decorations-in-effect -webkit-touch-callout -webkit-user-drag -webkit-user-modify
	-webkit-perspective-origin-x -webkit-perspective-origin-y -webkit-transform-origin-z
`)

// outside are the properties that change something that the native engine does not draw, with the values that
// do not: groups of "values: names", the values between bars.
var outside = groups(`
	none: backdrop-filter border-image border-image-source box-shadow clip-path mask mask-image mask-border marker marker-end
		marker-mid marker-start offset offset-path perspective shape-outside text-shadow text-emphasis text-emphasis-style
		-webkit-box-reflect -webkit-mask-box-image -webkit-mask-box-image-source -webkit-line-clamp -webkit-text-security
		text-combine-upright -webkit-text-combine object-view-box position-area border-shape font-size-adjust
		text-fit margin-trim contain-intrinsic-size contain-intrinsic-width contain-intrinsic-height contain-intrinsic-block-size
		contain-intrinsic-inline-size column-span container-name d
	auto: clip columns column-count column-width column-height column-wrap offset-anchor page
		text-underline-position hyphenate-character hyphenate-limit-chars offset-rotate page-margin-safety
	normal: background-blend-mode mix-blend-mode font-language-override font-palette font-variant-alternates
		font-variant-east-asian font-variant-emoji font-variant-position font-variation-settings initial-letter text-box
		text-autospace container-type offset-position text-spacing-trim
	none|style: contain
	visible|auto: content-visibility
	none|normal: container text-box-trim
	normal|light|light dark|dark light|only light|light only: color-scheme
	1|1.0|100%|normal: zoom
	from-image: image-orientation
	auto|smooth|high-quality|-webkit-optimize-contrast|crisp-edges: image-rendering
	horizontal-tb|lr|lr-tb: writing-mode
	mixed|upright|sideways|vertical-right: text-orientation
	balance|auto|balance-all: column-fill
	auto|stable: text-wrap-style
	auto|inter-word: text-justify
	auto|none: font-optical-sizing
	upright: page-orientation
	fixed: field-sizing
	slice: box-decoration-break -webkit-box-decoration-break
	weight style small-caps|weight style|auto: font-synthesis
	auto|none: font-synthesis-small-caps font-synthesis-style font-synthesis-weight
	normal|fill|fill stroke|fill stroke markers: paint-order
	none|non-scaling-stroke: vector-effect
	auto|srgb: color-interpolation
	auto|baseline: baseline-source dominant-baseline alignment-baseline
	0|0px|baseline: baseline-shift
	0%|0|0px|left|top: background-position-x background-position-y
	0|0px: shape-margin overflow-clip-margin offset-distance -webkit-text-stroke -webkit-text-stroke-width
	0|0.0: shape-image-threshold
	round: corner-shape corner-block-end-shape corner-block-start-shape corner-bottom-left-shape corner-bottom-right-shape
		corner-bottom-shape corner-end-end-shape corner-end-start-shape corner-inline-end-shape corner-inline-start-shape
		corner-left-shape corner-right-shape corner-shape corner-start-end-shape corner-start-start-shape corner-top-left-shape
		corner-top-right-shape corner-top-shape
	currentcolor: -webkit-text-fill-color
	auto|separate: ruby-align ruby-overhang ruby-position ruby-merge
	auto|normal|loose: -webkit-line-break
	auto|always: -webkit-column-break-after -webkit-column-break-before -webkit-column-break-inside
	horizontal: -webkit-box-orient -webkit-box-direction -webkit-box-align -webkit-box-pack -webkit-box-flex -webkit-box-ordinal-group
	50%: -webkit-transform-origin-x -webkit-transform-origin-y
	0: cx cy r x y rx ry
	border-box: mask-clip mask-origin
	add: mask-composite
	match-source: mask-mode
	luminance: mask-type
	repeat: mask-repeat
	0% 0%: mask-position -webkit-mask-position-x -webkit-mask-position-y
	black: flood-color
	1: flood-opacity flex-line-count
	white: lighting-color
`)

// dependent are the properties that change something only together with another one, which is outside and told:
// the color of a shadow of emphasis, the style of a rule between columns.
var dependent = set(`
	border-image-outset border-image-repeat border-image-slice border-image-width column-rule-break
	column-rule-inset column-rule-inset-cap column-rule-inset-cap-end column-rule-inset-cap-start
	column-rule-inset-end column-rule-inset-junction column-rule-inset-junction-end column-rule-inset-junction-start
	column-rule-inset-start column-rule-visibility-items mask-size
	text-box-edge text-emphasis-color text-emphasis-position -webkit-text-stroke-color
	-webkit-mask-box-image-outset -webkit-mask-box-image-repeat -webkit-mask-box-image-slice -webkit-mask-box-image-width
	row-rule-break row-rule-inset row-rule-inset-cap row-rule-inset-cap-end row-rule-inset-cap-start row-rule-inset-end
	row-rule-inset-junction row-rule-inset-junction-end row-rule-inset-junction-start row-rule-inset-start
	row-rule-visibility-items rule-break rule-inset rule-inset-cap rule-inset-end rule-inset-junction rule-inset-start
	rule-overlap rule-visibility-items
`)

// Rules between the tracks of flex boxes and grids are drawn by new browsers: these are outside with any value.
var newRules = set("column-rule column-rule-color column-rule-style column-rule-width row-rule row-rule-color row-rule-style row-rule-width rule rule-color rule-style rule-width")

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// groups reads the list above.
func groups(text string) map[string]string {
	m := map[string]string{}
	harmless := ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if values, names, ok := strings.Cut(line, ": "); ok {
			harmless, line = values, names
		}
		for name := range strings.FieldsSeq(line) {
			m[name] = harmless
		}
	}
	return m
}
