package native

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/platen-render/platen/internal/render/native/css/cascade"
	"github.com/platen-render/platen/internal/render/native/css/property"
	"github.com/platen-render/platen/internal/render/native/css/value"
	"github.com/platen-render/platen/internal/render/native/fonts"
	"github.com/platen-render/platen/internal/render/native/images"
)

// addFonts adds the fonts that the page brings to its set, and tells by their families of those that are there but cannot be
// used as a browser would. One that is not there at all is missing in a browser too: another family stands in for it.
func (p *prepared) addFonts(library cascade.Library, faces []cascade.FontFace) map[string]cascade.Finding {
	wrong := map[string]cascade.Finding{}
	for _, face := range faces {
		family := strings.ToLower(face.Family)
		p.declared[family] = true
		if _, told := wrong[family]; told {
			continue
		}
		if reason := p.addFont(library, face); reason != "" {
			wrong[family] = cascade.Finding{
				Kind: "font", Feature: "@font-face", Value: face.Family, Reason: reason, Source: face.Source, Line: face.Line,
			}
		}
	}
	return wrong
}

// named keeps of the fonts that cannot be used those that the page asks for.
func (p *prepared) named(wrong map[string]cascade.Finding) []cascade.Finding {
	var list []cascade.Finding
	ask := func(s *property.Style) {
		if s == nil {
			return
		}
		for _, family := range s.FontFamily {
			family = strings.ToLower(family)
			if finding, ok := wrong[family]; ok {
				list = append(list, finding)
				delete(wrong, family)
			}
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	for _, styled := range p.styles.Distinct() {
		ask(styled.Style)
		ask(styled.Before)
		ask(styled.After)
	}
	for kind := range 8 {
		page := p.styles.Page(kind&1 != 0, kind&2 != 0, kind&4 != 0)
		for _, name := range slices.Sorted(maps.Keys(page.Boxes)) {
			ask(page.Boxes[name])
		}
	}
	return list
}

// addFont takes the first source that can be read, as browsers do, and says what is wrong with it.
func (p *prepared) addFont(library cascade.Library, face cascade.FontFace) (reason string) {
	for _, source := range face.Sources {
		if source.URL == "" {
			continue // an installed font: a page that names one brings another along, for where it is not there
		}
		_, resource, ok := library.Find(source.Base, source.URL)
		if !ok {
			continue
		}
		if err := p.fonts.Add(declaration(face), resource.Body); err != nil {
			reason = "the font cannot be read"
			continue
		}
		brought := p.fonts.Brought()
		switch font := brought[len(brought)-1]; {
		case font.Variable():
			return "variable fonts are not supported"
		case font.Colored():
			return "colored fonts are not supported"
		}
		return ""
	}
	return reason
}

// declaration is what @font-face says, as package fonts takes it.
func declaration(face cascade.FontFace) fonts.Declaration {
	d := fonts.Declaration{
		Family: face.Family, Lightest: int(face.MinWeight), Heaviest: int(face.MaxWeight), Italic: face.Italic, Width: fonts.WidthClass(face.MinStretch),
	}
	for _, r := range face.Ranges {
		d.Only = append(d.Only, [2]rune{r.First, r.Last})
	}
	return d
}

// lookAtPictures reads the pictures that the page shows and tells of those that cannot be drawn. One that is missing is no
// more in a browser; one of an unknown kind may be known there.
func (p *prepared) lookAtPictures(ctx context.Context, options cascade.Options, found *findings) error {
	for i, n := range p.document.Elements {
		if i&255 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if n.Tag != "img" || n.Namespace != "" || p.styles.Of(n).Hidden() {
			continue
		}
		src, _ := n.Attr("src")
		at := cascade.Finding{Kind: "image", Feature: "<img>", Source: "document", Line: n.At.Line, Column: n.At.Column}
		if err := p.lookAt(ctx, p.styles.Base, src, at, options, found); err != nil {
			return err
		}
	}
	for _, styled := range p.styles.Distinct() {
		for _, style := range []*property.Style{styled.Style, styled.Before, styled.After} {
			for _, image := range imagesOf(style) {
				at := cascade.Finding{Kind: "image", Feature: "url()", Source: "document"}
				if err := p.lookAt(ctx, p.styles.Base, image.URL, at, options, found); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// imagesOf lists the pictures of a style; nil has none.
func imagesOf(s *property.Style) []value.Image {
	if s == nil {
		return nil
	}
	var list []value.Image
	for _, image := range s.BackgroundImage {
		if image.URL != "" {
			list = append(list, image)
		}
	}
	if s.ListStyleImage.URL != "" && s.Display == "list-item" {
		list = append(list, s.ListStyleImage)
	}
	for _, item := range s.Content.Items {
		if item.Kind == property.ContentImage && item.Image.URL != "" {
			list = append(list, item.Image)
		}
	}
	return list
}

// lookAt reads one picture.
func (p *prepared) lookAt(ctx context.Context, base, address string, at cascade.Finding, options cascade.Options, found *findings) error {
	image, err := p.pictures.Find(base, address)
	at.Value = brief(address)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, images.ErrBroken) && p.notOne(base, address):
	case errors.Is(err, images.ErrBroken):
		at.Reason = "the image is damaged or of a kind that is not supported"
		found.once(at)
	case errors.Is(err, images.ErrTooLarge):
		at.Reason = "the image has more pixels than this server allows"
		found.once(at)
	case err == nil && image.Document != nil:
		return p.lookInto(ctx, image, at, options, found)
	}
	return nil
}

// notOne reports whether what stands at an address is no picture in any browser either. Its name is kept for a warning.
func (p *prepared) notOne(base, address string) bool {
	name, resource, _ := p.library.Find(base, address)
	if !images.NotOne(resource.Body) {
		return false
	}
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(address)), "data:") {
		name = "a data: resource"
	}
	if !slices.Contains(p.notImages, name) {
		p.notImages = append(p.notImages, name)
	}
	return true
}

// lookInto computes the styles of a picture that is a document of its own, and tells what of it is not drawn.
func (p *prepared) lookInto(ctx context.Context, image *images.Image, at cascade.Finding, options cascade.Options, found *findings) error {
	if p.vectors[image] {
		return nil
	}
	options.Library, options.Fonts = cascade.Library{}, nil // a picture loads nothing
	styles, err := cascade.Compute(ctx, image.Document, options)
	if err != nil {
		return fmt.Errorf("styles of %s: %w", at.Value, err)
	}
	p.vectors[image] = true
	for _, f := range styles.Findings {
		f.Source = at.Value
		found.add(f)
	}
	found.more += styles.More
	return nil
}

// once adds a finding that is not there yet.
func (f *findings) once(x cascade.Finding) {
	if !slices.Contains(f.list, x) {
		f.add(x)
	}
}

// brief shortens an address that holds the picture itself.
func brief(address string) string {
	const most = 80
	if len(address) > most {
		return address[:most] + "…"
	}
	return address
}
