package cli

import "github.com/platen-render/platen/api"

// looks are the flags about how a document shall look, which all commands have that render one.
type looks struct {
	format, paper, pages string
	locale, timeZone     string
	landscape, outline   bool
	dpi, quality         int
}

// lookFlags adds them.
func (l *looks) lookFlags(f *flags) {
	f.StringVar(&l.format, "output-format", "", "make this `FORMAT`: pdf, png or jpeg")
	f.StringVar(&l.paper, "paper", "", "print on this `PAPER`: a3, a4, a5, a6, letter, legal or tabloid")
	f.BoolVar(&l.landscape, "landscape", false, "turn the paper")
	f.StringVar(&l.pages, "pages", "", "make only these `PAGES`, as 1-3,5,8-; several as png or jpeg are a ZIP")
	f.BoolVar(&l.outline, "outline", false, "make bookmarks of the headings of a PDF")
	f.IntVar(&l.dpi, "dpi", 0, "draw the images of --pages with this `NUMBER` of dots an inch, 36 to 300; 144 without it")
	f.IntVar(&l.quality, "quality", 0, "make a JPEG of this quality, a `NUMBER` from 1 to 100; 85 without it")
	f.StringVar(&l.locale, "locale", "", "write dates and numbers of a template for this `LOCALE`, as de-CH")
	f.StringVar(&l.timeZone, "time-zone", "", "write times of a template for this `ZONE`, as Europe/Zurich")
}

// over puts what the flags say over what is there.
func (l *looks) over(output **api.Output) {
	if *l == (looks{}) {
		return
	}
	if *output == nil {
		*output = &api.Output{}
	}
	o := *output
	set(&o.Paper, l.paper)
	set(&o.Pages, l.pages)
	set(&o.DPI, l.dpi)
	set(&o.Quality, l.quality)
	set(&o.Format, api.Format(l.format))
	set(&o.Landscape, l.landscape)
	set(&o.Outline, l.outline)
	set(&o.Locale, l.locale)
	set(&o.TimeZone, l.timeZone)
}
