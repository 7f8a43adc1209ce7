package output_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/output"
	"github.com/platen-render/platen/internal/render"
)

// asked decodes an output as it is sent.
func asked(t *testing.T, text string) *api.Output {
	t.Helper()
	var o api.Output
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return &o
}

func TestWhatIsNotAskedForHasItsDefault(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]*api.Output{"nil": nil, "empty": {}, "empty margin": {MarginMM: &api.Margin{}}} {
		got, filename, wrong := output.Of(o)
		if diff := cmp.Diff(render.DefaultOutput(), got); diff != "" || filename != "" || wrong != nil {
			t.Errorf("%s: file name %q, wrong %v, %s", name, filename, wrong, diff)
		}
	}
}

// commas lists numbers, each after a comma.
func commas(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, ",%d", i)
	}
	return b.String()
}

func TestWhatIsAskedForIsTaken(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		asked string
		want  func(*render.Output)
	}{
		"paper":         {`{"paper":"letter"}`, func(o *render.Output) { o.Width, o.Height = 215.9, 279.4 }},
		"size":          {`{"width_mm":80,"height_mm":5000}`, func(o *render.Output) { o.Width, o.Height = 80, 5000 }},
		"least size":    {`{"width_mm":10,"height_mm":10,"margin_mm":{"top":0,"right":0,"bottom":0,"left":0}}`, func(o *render.Output) { o.Width, o.Height, o.Margin = 10, 10, render.Margin{} }},
		"landscape":     {`{"landscape":true}`, func(o *render.Output) { o.Landscape = true }},
		"each margin":   {`{"margin_mm":{"top":1,"right":2,"bottom":3,"left":4.5}}`, func(o *render.Output) { o.Margin = render.Margin{Top: 1, Right: 2, Bottom: 3, Left: 4.5} }},
		"one margin":    {`{"margin_mm":{"left":0}}`, func(o *render.Output) { o.Margin.Left = 0 }},
		"least scale":   {`{"scale":0.1}`, func(o *render.Output) { o.Scale = 0.1 }},
		"largest scale": {`{"scale":2}`, func(o *render.Output) { o.Scale = 2 }},
		"running texts": {`{"header_html":"<b>","footer_html":"<i>"}`, func(o *render.Output) { o.Header, o.Footer = "<b>", "<i>" }},
		"switches":      {`{"background":false,"tagged":true}`, func(o *render.Output) { o.Background, o.Tagged = false, true }},
		"locale":        {`{"locale":"zh-Hant-TW"}`, func(o *render.Output) { o.Locale = "zh-Hant-TW" }},
		"time zone":     {`{"time_zone":"America/Argentina/Buenos_Aires"}`, func(o *render.Output) { o.TimeZone = "America/Argentina/Buenos_Aires" }},
		"a page":        {`{"pages":"7"}`, func(o *render.Output) { o.Pages = []render.PageRange{{First: 7, Last: 7}} }},
		"pages": {`{"pages":"1-3,4,6-6,8-"}`, func(o *render.Output) {
			o.Pages = []render.PageRange{{First: 1, Last: 3}, {First: 4, Last: 4}, {First: 6, Last: 6}, {First: 8}}
		}},
		"as many ranges as may be": {`{"pages":"1` + commas(2, 50) + `"}`, func(o *render.Output) {
			for i := range 50 {
				o.Pages = append(o.Pages, render.PageRange{First: i + 1, Last: i + 1})
			}
		}},
		"metadata": {`{"metadata":{"title":"` + strings.Repeat("é", 250) + `","author":"","subject":"s","keywords":"k"},"outline":true}`, func(o *render.Output) {
			o.Meta, o.Outline = render.Meta{Title: strings.Repeat("é", 250), Subject: "s", Keywords: "k"}, true
		}},
		"a JPEG of the screen": {`{"format":"jpeg","quality":1}`, func(o *render.Output) { o.Format, o.Quality = render.JPEG, 1 }},
		"pictures of pages": {`{"format":"jpeg","pages":"2-","dpi":300,"quality":100,"margin_mm":{"left":1},"header_html":"h","footer_html":"f"}`, func(o *render.Output) {
			o.Format, o.Pages, o.DPI, o.Quality, o.Margin.Left, o.Header, o.Footer = render.JPEG, []render.PageRange{{First: 2}}, 300, 100, 1, "h", "f"
		}},
		"what images do without": {`{"format":"png","metadata":{},"outline":false,"full_page":true}`, func(o *render.Output) { o.Format = render.PNG }},
		"an image":               {`{"format":"png","full_page":false}`, func(o *render.Output) { o.Format, o.FullPage = render.PNG, false }},
		// An image has no margins.
		"a small image": {`{"format":"png","width_mm":30,"height_mm":30}`, func(o *render.Output) { o.Format, o.Width, o.Height = render.PNG, 30, 30 }},
		// What asks for nothing is not ignored.
		"an image without what a PDF has": {`{"format":"png","header_html":"","tagged":false,"margin_mm":{}}`, func(o *render.Output) { o.Format = render.PNG }},
	}
	for name, test := range tests {
		want := render.DefaultOutput()
		test.want(&want)
		got, _, wrong := output.Of(asked(t, test.asked))
		if diff := cmp.Diff(want, got); diff != "" || len(wrong) > 0 {
			t.Errorf("%s: wrong %v, %s", name, wrong, diff)
		}
	}
}

func TestAFileNameIsReturnedApart(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", "Rechnung 17 – März.pdf", "..a", strings.Repeat("é", 100)} {
		if _, got, wrong := output.Of(&api.Output{Filename: &name}); got != name || len(wrong) > 0 {
			t.Errorf("%q: got %q, wrong %v", name, got, wrong)
		}
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		asked   string
		pointer string // below /output
		detail  string // part of it
	}{
		"an unknown format":       {`{"format":"svg"}`, "/format", "output.format must be pdf, png or jpeg."},
		"a format in capitals":    {`{"format":"PDF"}`, "/format", "pdf, png or jpeg"},
		"an unknown paper":        {`{"paper":"A4"}`, "/paper", "output.paper must be one of a3, a4, a5, a6, legal, letter, tabloid."},
		"a width alone":           {`{"width_mm":100}`, "", "output.width_mm and output.height_mm go together."},
		"a height alone":          {`{"height_mm":100}`, "", "go together"},
		"a paper and a size":      {`{"paper":"a4","width_mm":100,"height_mm":100}`, "", "Give either output.paper or output.width_mm and output.height_mm."},
		"a paper and a width":     {`{"paper":"a4","width_mm":100}`, "", "go together"},
		"a paper too narrow":      {`{"width_mm":9.9,"height_mm":100}`, "/width_mm", "output.width_mm must be 10 to 5000."},
		"a paper too high":        {`{"width_mm":100,"height_mm":5000.1}`, "/height_mm", "output.height_mm must be 10 to 5000."},
		"a negative margin":       {`{"margin_mm":{"left":-1}}`, "/margin_mm/left", "output.margin_mm.left must be 0 to 500."},
		"a margin too large":      {`{"margin_mm":{"top":501}}`, "/margin_mm/top", "output.margin_mm.top must be 0 to 500."},
		"margins without room":    {`{"width_mm":40,"height_mm":100}`, "/margin_mm", "The margins leave no room on a sheet of 40 × 100 mm."},
		"no room in height":       {`{"paper":"a4","margin_mm":{"top":150,"bottom":147}}`, "/margin_mm", "210 × 297"},
		"no room once turned":     {`{"landscape":true,"margin_mm":{"top":105,"bottom":105}}`, "/margin_mm", "297 × 210"},
		"a scale too small":       {`{"scale":0.09}`, "/scale", "output.scale must be 0.1 to 2."},
		"a scale too large":       {`{"scale":2.01}`, "/scale", "0.1 to 2"},
		"a locale of POSIX":       {`{"locale":"de_AT"}`, "/locale", "BCP 47"},
		"an empty locale":         {`{"locale":""}`, "/locale", "BCP 47"},
		"a locale too long":       {`{"locale":"en-` + strings.Repeat("abcdefgh-", 4) + `x"}`, "/locale", "BCP 47"},
		"an unknown zone":         {`{"time_zone":"Mars/Olympus"}`, "/time_zone", "IANA"},
		"the machine's zone":      {`{"time_zone":"Local"}`, "/time_zone", "IANA"},
		"an empty zone":           {`{"time_zone":""}`, "/time_zone", "IANA"},
		"a zone out of its place": {`{"time_zone":"../../etc/localtime"}`, "/time_zone", "IANA"},
		"an empty file name":      {`{"filename":""}`, "/filename", "1 to 200 bytes"},
		"a file name too long":    {`{"filename":"` + strings.Repeat("é", 100) + `x"}`, "/filename", "1 to 200 bytes"},
		"a file name with a path": {`{"filename":"a/b.pdf"}`, "/filename", "without a path"},
		"a backslash":             {`{"filename":"a\\b.pdf"}`, "/filename", "without a path"},
		"the folder above":        {`{"filename":".."}`, "/filename", `neither "." nor ".."`},
		"a line break":            {`{"filename":"a\r\nb"}`, "/filename", "control characters"},
		"a header for an image":   {`{"format":"png","header_html":"<b>"}`, "/header_html", "output.header_html is only for pdf, and for images of chosen output.pages."},
		"a footer for an image":   {`{"format":"png","footer_html":"<b>"}`, "/footer_html", "only for pdf"},
		"a margin for an image":   {`{"format":"png","margin_mm":{"left":0}}`, "/margin_mm", "output.margin_mm is only for pdf, and for images of chosen output.pages."},
		"tags for an image":       {`{"format":"png","tagged":true}`, "/tagged", "only for pdf"},
		"one sheet of a PDF":      {`{"full_page":false}`, "/full_page", "output.full_page is only for png and jpeg without output.pages."},
		"one sheet of pages":      {`{"format":"png","pages":"1","full_page":false}`, "/full_page", "without output.pages"},
		"tags for pictures":       {`{"format":"jpeg","pages":"1","tagged":true}`, "/tagged", "only for pdf."},
		"an outline of an image":  {`{"format":"png","outline":true}`, "/outline", "only for pdf."},
		"metadata of an image":    {`{"format":"jpeg","metadata":{"title":""}}`, "/metadata", "only for pdf."},
		"dots of a PDF":           {`{"dpi":100}`, "/dpi", "output.dpi is only for png and jpeg with output.pages."},
		"dots of a screen":        {`{"format":"png","dpi":100}`, "/dpi", "with output.pages"},
		"too few dots":            {`{"format":"png","pages":"1","dpi":35}`, "/dpi", "output.dpi must be 36 to 300."},
		"too many dots":           {`{"format":"png","pages":"1","dpi":301}`, "/dpi", "36 to 300"},
		"quality of a PNG":        {`{"format":"png","quality":80}`, "/quality", "output.quality is only for jpeg."},
		"no quality":              {`{"format":"jpeg","quality":0}`, "/quality", "output.quality must be 1 to 100."},
		"too much quality":        {`{"format":"jpeg","quality":101}`, "/quality", "1 to 100"},
		"pages without room":      {`{"format":"png","pages":"1","width_mm":40,"height_mm":100}`, "/margin_mm", "40 × 100"},
		"no pages":                {`{"pages":""}`, "/pages", "as 1-3,5,8-"},
		"page 0":                  {`{"pages":"0"}`, "/pages", `"0" is wrong`},
		"a page with a blank":     {`{"pages":"1, 2"}`, "/pages", `" 2" is wrong`},
		"a range without a begin": {`{"pages":"-3"}`, "/pages", `"-3" is wrong`},
		"a range backwards":       {`{"pages":"1,7-5"}`, "/pages", `"7-5" is wrong`},
		"pages backwards":         {`{"pages":"3,1"}`, "/pages", `"1" is wrong`},
		"a page twice":            {`{"pages":"1-3,3"}`, "/pages", `"3" is wrong`},
		"more after the end":      {`{"pages":"2-,9"}`, "/pages", `"9" is wrong`},
		"a page beyond all":       {`{"pages":"1000000"}`, "/pages", "is wrong"},
		"words":                   {`{"pages":"odd"}`, "/pages", `"odd" is wrong`},
		"too many ranges":         {`{"pages":"1` + commas(2, 51) + `"}`, "/pages", "at most 50"},
		"a long title":            {`{"metadata":{"title":"` + strings.Repeat("é", 250) + `x"}}`, "/metadata/title", "output.metadata.title must have at most 500 bytes"},
		"a subject of two lines":  {`{"metadata":{"subject":"a\nb"}}`, "/metadata/subject", "control characters"},
	}
	for name, test := range tests {
		_, _, wrong := output.Of(asked(t, test.asked))
		if len(wrong) != 1 || wrong[0].Pointer != "/output"+test.pointer || !strings.Contains(wrong[0].Detail, test.detail) {
			t.Errorf("%s: got %+v", name, wrong)
			continue
		}
		if wrong[0].Code != string(api.CodeFieldInvalid) {
			t.Errorf("%s: code %s", name, wrong[0].Code)
		}
	}
}

func TestAllThatIsWrongIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	_, _, wrong := output.Of(asked(t, `{"format":"png","paper":"a0","width_mm":1,"margin_mm":{"top":-1,"left":501},"scale":0,
		"header_html":"x","footer_html":"x","tagged":true,"locale":"_","time_zone":"_","filename":"/"}`))
	var got []string
	for _, f := range wrong {
		got = append(got, strings.TrimPrefix(f.Pointer, "/output"))
	}
	want := []string{
		"/paper", "", "/width_mm", "/margin_mm/top", "/margin_mm/left", "/scale", "/locale", "/time_zone",
		"/margin_mm", "/header_html", "/footer_html", "/tagged", "/filename",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
