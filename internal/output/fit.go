package output

import "github.com/platen-render/platen/api"

// Fit returns the defaults that mean something for a document of which asked was said, which may be nil: what its format would ignore
// is left out, so that a template for sheets can make a picture too. What was asked itself stays to be refused by [Of]. Defaults
// are not changed.
func Fit(defaults, asked *api.Output) *api.Output {
	if defaults == nil || asked == nil {
		return defaults
	}
	fit := *defaults
	format := api.FormatPDF
	for _, given := range []*api.Format{fit.Format, asked.Format} {
		set(&format, given)
	}
	pdf := format == api.FormatPDF
	if !pdf && asked.FullPage != nil {
		fit.Pages = nil // a picture of the screen was asked for
	}
	sheets := pdf || fit.Pages != nil || asked.Pages != nil
	if !sheets {
		fit.MarginMM, fit.HeaderHTML, fit.FooterHTML = nil, nil, nil
	}
	if !pdf {
		fit.Tagged, fit.Outline, fit.Metadata = nil, nil, nil
	}
	if sheets {
		fit.FullPage = nil
	}
	if pdf || !sheets {
		fit.DPI = nil
	}
	if format != api.FormatJPEG {
		fit.Quality = nil
	}
	return &fit
}
