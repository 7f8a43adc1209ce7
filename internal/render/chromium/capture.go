package chromium

import (
	"cmp"
	"context"
	"math"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"

	"github.com/platen-render/platen/internal/render"
)

// metrics make the page a sheet at 96 dpi, enlarged by the scale of the output.
func metrics(out render.Output) emulation.SetDeviceMetricsOverrideParams {
	sheet := viewport(out)
	return emulation.SetDeviceMetricsOverrideParams{Width: sheet.width, Height: sheet.height, DeviceScaleFactor: scale(out)}
}

func scale(out render.Output) float64 {
	if out.Scale <= 0 {
		return 1
	}
	return out.Scale
}

// capture makes the picture: one sheet, or the whole page as one image.
func (j *job) capture(ctx context.Context) ([]byte, error) {
	sheet := viewport(j.req.Output)
	clip := &page.Viewport{Width: float64(sheet.width), Height: float64(sheet.height), Scale: 1}
	beyond := j.req.Output.FullPage
	if beyond {
		layout, err := ask(ctx, j.tab.page, page.GetLayoutMetrics, cdp.Empty{})
		if err != nil {
			return nil, err
		}
		clip.Width = max(clip.Width, math.Ceil(layout.CSSContentSize.Width))
		clip.Height = max(clip.Height, math.Ceil(layout.CSSContentSize.Height))
	}
	limit, factor := float64(j.engine.opts.MaxHeight), scale(j.req.Output)
	if clip.Height*factor > limit || clip.Width*factor > limit {
		return nil, render.ErrDocumentTooLarge.With("The image would be larger than %d pixels on one side.", j.engine.opts.MaxHeight)
	}
	params := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng, Clip: clip, CaptureBeyondViewport: &beyond}
	if j.req.Output.Format == render.JPEG {
		params.Format, params.Quality = page.CaptureScreenshotFormatJpeg, new(int64(cmp.Or(j.req.Output.Quality, render.DefaultQuality)))
	}
	shot, err := ask(ctx, j.tab.page, page.CaptureScreenshot, params)
	if err != nil {
		return nil, err
	}
	if limit := j.req.MaxBytes; limit > 0 && int64(len(shot.Data)) > limit {
		return nil, render.ErrDocumentTooLarge
	}
	return shot.Data, nil
}
