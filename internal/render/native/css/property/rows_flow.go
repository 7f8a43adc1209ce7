package property

import "github.com/platen-render/platen/internal/render/native/css/value"

// flowRows are generated content and the breaks between pages.
func flowRows() []*Property {
	return []*Property{
		own("content", "normal", func(s *Style) *Content { return &s.Content }, content),
		own("counter-reset", "none", func(s *Style) *[]Counter { return &s.CounterReset }, counters(0)),
		own("counter-increment", "none", func(s *Style) *[]Counter { return &s.CounterIncrement }, counters(1)),
		own("counter-set", "none", func(s *Style) *[]Counter { return &s.CounterSet }, counters(0)),
		own("break-before", "auto", func(s *Style) *Keyword { return &s.BreakBefore }, keyword("auto avoid page left right recto verso avoid-page column avoid-column")),
		own("break-after", "auto", func(s *Style) *Keyword { return &s.BreakAfter }, keyword("auto avoid page left right recto verso avoid-page column avoid-column")),
		own("break-inside", "auto", func(s *Style) *Keyword { return &s.BreakInside }, keyword("auto avoid avoid-page avoid-column")),
		own("size", "auto", func(s *Style) *PageSize { return &s.PageSize }, pageSize),
	}
}

// gridRows are flex boxes and grids.
func gridRows() []*Property {
	return []*Property{
		own("flex-direction", "row", func(s *Style) *Keyword { return &s.FlexDirection }, keyword("row row-reverse column column-reverse")),
		own("flex-wrap", "nowrap", func(s *Style) *Keyword { return &s.FlexWrap }, flexWrap),
		own("flex-grow", "0", func(s *Style) *float64 { return &s.FlexGrow }, factor),
		own("flex-shrink", "1", func(s *Style) *float64 { return &s.FlexShrink }, factor),
		own("flex-basis", "auto", func(s *Style) *Size { return &s.FlexBasis }, flexBasis),
		own("order", "0", func(s *Style) *int { return &s.Order }, func(r *value.Reader) (int, bool) { return r.Integer() }),
		own("align-content", "normal", func(s *Style) *Keyword { return &s.AlignContent }, alignment("normal start end center stretch flex-start flex-end space-between space-around space-evenly baseline")),
		own("justify-content", "normal", func(s *Style) *Keyword { return &s.JustifyContent }, alignment("normal start end center stretch flex-start flex-end space-between space-around space-evenly left right")),
		own("align-items", "normal", func(s *Style) *Keyword { return &s.AlignItems }, alignment("normal stretch start end center flex-start flex-end self-start self-end baseline")),
		own("justify-items", "normal", func(s *Style) *Keyword { return &s.JustifyItems }, alignment("normal stretch start end center flex-start flex-end self-start self-end left right baseline legacy")),
		own("align-self", "auto", func(s *Style) *Keyword { return &s.AlignSelf }, alignment("auto normal stretch start end center flex-start flex-end self-start self-end baseline")),
		own("justify-self", "auto", func(s *Style) *Keyword { return &s.JustifySelf }, alignment("auto normal stretch start end center flex-start flex-end self-start self-end left right baseline")),
		own("row-gap", "normal", func(s *Style) *Size { return &s.RowGap }, size("normal", false)),
		own("column-gap", "normal", func(s *Style) *Size { return &s.ColumnGap }, size("normal", false)),
		own("grid-template-columns", "none", func(s *Style) *Tracks { return &s.GridTemplateColumns }, tracks),
		own("grid-template-rows", "none", func(s *Style) *Tracks { return &s.GridTemplateRows }, tracks),
		own("grid-template-areas", "none", func(s *Style) *[][]string { return &s.GridTemplateAreas }, areas),
		own("grid-auto-columns", "auto", func(s *Style) *[]Track { return &s.GridAutoColumns }, autoTracks),
		own("grid-auto-rows", "auto", func(s *Style) *[]Track { return &s.GridAutoRows }, autoTracks),
		own("grid-auto-flow", "row", func(s *Style) *Keyword { return &s.GridAutoFlow }, autoFlow),
		own("grid-row-start", "auto", func(s *Style) *GridLine { return &s.GridRowStart }, gridLine),
		own("grid-row-end", "auto", func(s *Style) *GridLine { return &s.GridRowEnd }, gridLine),
		own("grid-column-start", "auto", func(s *Style) *GridLine { return &s.GridColumnStart }, gridLine),
		own("grid-column-end", "auto", func(s *Style) *GridLine { return &s.GridColumnEnd }, gridLine),
	}
}
