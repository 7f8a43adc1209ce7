package chromium

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/emulation"
	"golang.org/x/net/html"

	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/native/fonts"
)

// examineScript looks inside the page for what the paper will not show of it.
//
//go:embed examine.js
var examineScript string

// budget is how long the script may look. An invoice takes it two milliseconds, and 2,000 rows 30; what would take more is hostile.
const budget = 5 * time.Second

// question is what the script is asked.
type question struct {
	Right      float64  `json:"right"`  // edge of the sheet in pixels of the page; 0 is none
	Bottom     float64  `json:"bottom"` // the same
	Boxes      bool     `json:"boxes"`  // there may be some that cut what is in them
	Loose      bool     `json:"loose"`  // they may stand anywhere
	Families   []string `json:"families"`
	Glyphs     bool     `json:"glyphs"` // which characters no font has
	Margins    string   `json:"margins"`
	MarginFont string   `json:"marginFont"`
	Budget     int64    `json:"budget"`
}

// findings are what it answers.
type findings struct {
	Clipped []string `json:"clipped"`
	Fonts   []string `json:"fonts"`
	Lacking []string `json:"lacking"`
	Late    bool     `json:"late"`

	Complaints []complaint `json:"complaints"`
}

// screen is the question before the page is printed: its layout is nearly that of the sheets, and there already. A picture is just this.
func (j *job) screen() question {
	out := j.req.Output
	q := j.question()
	q.Right = float64(viewport(out).width)
	if out.Format.IsImage() {
		q.Glyphs = true
		if q.Bottom = float64(viewport(out).height); out.FullPage {
			q.Right, q.Bottom = 0, 0 // it grows with the page
		}
	}
	return q
}

func (j *job) question() question {
	return question{
		Families: j.families(), Margins: textOf(j.req.Output.Header) + textOf(j.req.Output.Footer), MarginFont: marginFont,
		Budget: budget.Milliseconds(), Boxes: j.says(cutting), Loose: j.says(placing),
	}
}

// What a style sheet or a page says when some of its boxes may cut what is in them, or may stand anywhere. To look at each box, and at where each
// text is, takes a while in a long document.
var (
	cutting = regexp.MustCompile(`(?i)overflow|clamp|contain|<(?:textarea|input|select|details|iframe|object|marquee)|data:text/css|\\`)
	placing = regexp.MustCompile(`(?i)absolute|fixed|relative|sticky|transform|translate|scale|rotate|indent|[\s:(,]-[\d.(]|-var|calc|zoom|offset|float|anchor|data:text/css|\\`)
)

// says reports whether the page, or a style sheet that came with it, has what matches. What a script may add is not known.
func (j *job) says(pattern *regexp.Regexp) bool {
	if j.site.script || pattern.MatchString(j.site.html) {
		return true
	}
	for _, f := range j.site.files {
		if strings.Contains(f.resource.ContentType, "css") && pattern.Match(f.resource.Body) {
			return true
		}
	}
	return false
}

// keywords are families that are none (CSS Fonts 4, section 2.1.4), and names that only some systems know.
var keywords = []string{
	"serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-serif", "ui-sans-serif", "ui-monospace", "ui-rounded", "math",
	"emoji", "fangsong", "generic", "inherit", "initial", "-webkit-body", "-webkit-standard", "-webkit-pictograph", "-apple-system", "blinkmacsystemfont",
}

// families are the names that need no looking for.
func (j *job) families() []string {
	names := slices.Clone(keywords)
	for _, alias := range fonts.Aliases() {
		names = append(names, alias.Names...)
	}
	j.engine.mu.Lock()
	defer j.engine.mu.Unlock()
	for _, family := range j.engine.families {
		names = append(names, strings.ToLower(family))
	}
	return names
}

// examine asks the script. A page that has put another document in its place takes our world away, so it is asked again; one that
// keeps doing so is not examined.
func (j *job) examine(ctx context.Context, q question) (findings, error) {
	var found findings
	text, err := json.Marshal(q)
	if err != nil {
		return found, err
	}
	call := strings.TrimSpace(examineScript) + "(" + string(text) + ")"
	for range 2 {
		if j.world != 0 {
			if err = j.evaluate(ctx, call, &found); err == nil {
				return found, nil
			}
		}
		if ctx.Err() != nil || errors.Is(err, errGone) {
			return found, err
		}
		if err = j.enterWorld(ctx); err != nil {
			break
		}
	}
	var answer *cdproto.Error
	if err != nil && !errors.As(err, &answer) {
		j.engine.opts.Logger.WarnContext(ctx, "page not examined", slog.String("error", err.Error()))
	}
	found.Late = true
	return found, ctx.Err()
}

// look reads the finished document.
func (j *job) look(ctx context.Context, document *pdf) {
	out := j.req.Output
	leaves, err := document.leaves(ctx)
	if err != nil {
		j.engine.opts.Logger.WarnContext(ctx, "document not looked through", slog.String("error", err.Error()))
		j.log.warn(unexamined, "the document: it is too large, or not as expected")
	}
	j.paper = readPaper(leaves, out.Header != "" || out.Footer != "", pointsPerPixel*scale(out))
}

// unexamined is the code of a warning that stops nothing: other warnings may be missing.
const unexamined = "not_examined"

// judge warns about what was found in the page and in the document. What the page showed before it was printed is looked at again as the sheets
// have it, if there is a reason to.
func (j *job) judge(ctx context.Context, found findings) error {
	if !j.req.Output.Format.IsImage() {
		var err error
		if found, err = j.examineAgain(ctx, found); err != nil {
			return err
		}
	}
	for _, text := range found.Clipped {
		detail := fmt.Sprintf("%q", text)
		if j.paper.pages == 1 {
			detail = "page 1: " + detail
		}
		j.log.warn(render.TextClipped, detail)
	}
	for _, family := range found.Fonts {
		j.log.warn(render.FontMissing, shorten(family)+": named and not found")
	}
	if lost := named(found.Lacking, j.paper.lost); len(lost) > 0 {
		w := render.GlyphsMissing(lost)
		j.log.warn(w.Code, w.Detail)
	} else if len(j.paper.lost) > 0 {
		j.log.warn(render.GlyphMissing, "characters that cannot be named")
	}
	if found.Late {
		j.log.warn(unexamined, "the page: it is too large, or changes too often")
	}
	j.paper.warn(j.log, j.req.Output)
	j.complain(found.Complaints)
	return nil
}

const (
	pointsPerPixel = 0.75
	mostShrunk     = 1.45 // by a half, and a little less for rounding
)

// examineAgain has the page laid out as on the sheets, whose width the document tells, shrunk to fit and all.
func (j *job) examineAgain(ctx context.Context, found findings) (findings, error) {
	before := viewport(j.req.Output)
	sheet := j.paper.sheetOr(before, scale(j.req.Output))
	narrower := sheet.right > 0 && sheet.right < float64(before.width)-3 // with more room than before nothing is cut that was not
	// A page that is as much too wide as the browser shrinks may be wider still.
	squeezed := j.paper.scale > 0 && pointsPerPixel*scale(j.req.Output)/j.paper.scale > mostShrunk
	if len(found.Clipped) == 0 && len(j.paper.lost) == 0 && !narrower && !squeezed {
		return found, nil
	}
	q := j.question()
	q.Glyphs, q.Loose = len(j.paper.lost) > 0, true
	if q.Right = max(0, sheet.right); q.Right > 0 {
		_, err := ask(ctx, j.tab.page, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: int64(math.Round(sheet.right)), Height: int64(math.Round(sheet.top)), DeviceScaleFactor: 1,
		})
		if err != nil {
			return found, err
		}
	}
	return j.examine(ctx, q)
}

// named are the characters that no font has: as the page tells them, or as the document spells those that it cannot be asked for.
func named(lacking, lost []string) []rune {
	var all []rune
	for _, text := range append(slices.Clone(lacking), lost...) {
		if runes := []rune(text); len(runes) == 1 && !slices.Contains(all, runes[0]) {
			all = append(all, runes[0])
		}
	}
	return all
}

// textOf is the text of a header or footer.
func textOf(markup string) string {
	var b strings.Builder
	for tokens := html.NewTokenizer(strings.NewReader(markup)); tokens.Next() != html.ErrorToken; {
		if token := tokens.Token(); token.Type == html.TextToken {
			b.WriteString(token.Data)
		}
	}
	return b.String()
}

// paper is what a finished document shows.
type paper struct {
	pages  int
	blank  []int // pages with nothing of the page on them
	lost   []string
	scale  float64 // points to a pixel of the page; 0 if it cannot be told
	size   area    // of what a sheet has of the page, in pixels of it; -1 wide if sheets differ, empty if it cannot be told
	header bool    // it runs into the page
	footer bool    // the same
}

// readPaper reads all sheets; asked is how many points a pixel is to have.
func readPaper(leaves []*drawing, margins bool, asked float64) paper {
	p := paper{pages: len(leaves)}
	for i, leaf := range leaves {
		body, margin := leaf.body(margins)
		if body.unframed() {
			body.clip, body.scale = leaf.sheet, asked
		}
		p.lost = append(p.lost, leaf.lost...)
		if !body.shows {
			p.blank = append(p.blank, i+1)
		}
		p.measure(body)
		p.overlaps(leaf.sheet, body.clip, margin)
	}
	return p
}

// unframed reports whether most of what was drawn stands outside of the clip: then that is a picture's, and the page has none because it
// takes the whole sheet.
func (p part) unframed() bool {
	outside := 0
	for _, box := range p.boxes {
		if !p.clip.holds(box) {
			outside++
		}
	}
	return p.clip != (area{}) && 2*outside > len(p.boxes)
}

// measure notes the size of what a sheet has of the page. One that differs makes all unknown.
func (p *paper) measure(body part) {
	if body.scale == 0 || p.size.right < 0 {
		return
	}
	p.scale = body.scale
	size := area{right: (body.clip.right - body.clip.left) / body.scale, top: (body.clip.top - body.clip.bottom) / body.scale}
	if p.size != (area{}) && math.Abs(p.size.right-size.right) > 1 {
		size = area{right: -1}
	}
	p.size = size
}

// sheetOr is the size, or what it should be where the document does not tell.
func (p *paper) sheetOr(asked size, scale float64) area {
	if p.size != (area{}) {
		return p.size
	}
	return area{right: float64(asked.width) / scale, top: float64(asked.height) / scale}
}

// overlaps notes what of a header or footer stands where the page does.
func (p *paper) overlaps(sheet, body area, margin part) {
	const slack = 1
	if body == (area{}) {
		return
	}
	for _, box := range margin.boxes {
		if box.bottom < body.top-slack && box.top > body.bottom+slack {
			above := box.bottom+box.top > sheet.bottom+sheet.top
			p.header, p.footer = p.header || above, p.footer || !above
		}
	}
}

func (p *paper) warn(log *requestLog, out render.Output) {
	const most = 10
	for _, page := range p.blank[:min(len(p.blank), most)] {
		log.warn(render.PageBlank, fmt.Sprintf("page %d", out.Number(page)))
	}
	if more := len(p.blank) - most; more > 0 {
		log.warn(render.PageBlank, fmt.Sprintf("%d more pages", more))
	}
	if p.header {
		log.warn(render.TextClipped, "header: it is higher than the top margin, and runs into the page")
	}
	if p.footer {
		log.warn(render.TextClipped, "footer: it is higher than the bottom margin, and runs into the page")
	}
}

// body puts the parts of a drawing together: what is the page's, and what is in its margins.
func (d *drawing) body(margins bool) (body, margin part) {
	parts := d.parts
	if last := len(parts) - 1; margins && last > 0 {
		margin, parts = parts[last], parts[:last]
	}
	for _, p := range parts {
		body.shows = body.shows || p.shows
		body.boxes = append(body.boxes, p.boxes...)
		if body.clip == (area{}) {
			body.clip, body.scale = p.clip, p.scale
		}
		body.scale = cmp.Or(body.scale, p.scale)
	}
	return body, margin
}
