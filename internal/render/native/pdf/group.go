package pdf

// Group draws something as a whole and puts it onto the canvas with this opacity, 0–1: what overlaps inside does not shine
// through. Nothing is seen outside the bounds.
func (c *Canvas) Group(bounds Bounds, opacity float64, draw func(*Canvas)) {
	if opacity <= 0 || !c.ready() {
		return
	}
	inner := newCanvas(c.doc, nil)
	draw(inner)
	inner.end()
	name := c.doc.resources.objects.add(c.doc.form(inner, bounds, ""))
	c.Save()
	defer c.Restore()
	// A form begins with the colors of its surroundings, a canvas with black; opacity is reset by the group itself.
	c.setFill(opaqueBlack)
	c.setStroke(opaqueBlack)
	if opacity < 1 {
		alpha := string(appendNumber(nil, min(opacity, 1)))
		c.useState("/ca " + alpha + "/CA " + alpha)
	}
	c.buf = append(appendName(c.buf, name), " Do\n"...)
}

// Form is a drawing that is stored once and shown any number of times: a tile, a row of tiles. It belongs to its document.
type Form struct{ name string }

// Form stores what draw draws. Nothing is seen outside the bounds.
func (d *Document) Form(bounds Bounds, draw func(*Canvas)) *Form {
	if d.Err() != nil {
		return nil
	}
	inner := newCanvas(d, nil)
	draw(inner)
	inner.end()
	return &Form{name: d.resources.objects.add(d.form(inner, bounds, ""))}
}

// Show draws a form with its origin at (x, y). Nil draws nothing.
func (c *Canvas) Show(f *Form, x, y float64) {
	if f == nil || !c.ready() {
		return
	}
	c.doc.marks++
	c.Save()
	defer c.Restore()
	c.setFill(opaqueBlack) // as in Group
	c.setStroke(opaqueBlack)
	c.buf = append(c.buf, "1 0 0 1 "...)
	c.buf = append(appendNumbers(c.buf, x, y), " cm "...)
	c.buf = append(appendName(c.buf, f.name), " Do\n"...)
}

// Masked draws something only where mask draws: as opaque as the mask is white, on black.
func (c *Canvas) Masked(bounds Bounds, mask, draw func(*Canvas)) {
	if !c.ready() {
		return
	}
	inner := newCanvas(c.doc, nil)
	mask(inner)
	inner.end()
	form := c.doc.form(inner, bounds, "/CS/DeviceRGB")
	c.Save()
	defer c.Restore()
	c.useState("/SMask" + string(appendEntry([]byte("<</S/Luminosity"), "G", form)) + ">>")
	c.Group(bounds, 1, draw)
}

// Bounds is a rectangle by two corners.
type Bounds struct{ X0, Y0, X1, Y1 float64 }

func bounds(p Path) Bounds {
	x0, y0, x1, y1 := p.Bounds()
	return Bounds{x0, y0, x1, y1}
}

// form writes what was drawn as a form that is a transparency group (11.6.6).
func (d *Document) form(inner *Canvas, box Bounds, group string) ref {
	r := d.file.alloc()
	b := append([]byte("/Type/XObject/Subtype/Form/Group<</S/Transparency"), group...)
	b = appendNumbers(append(b, ">>/BBox["...), box.X0, box.Y0, box.X1, box.Y1)
	b = appendEntry(append(b, ']'), "Resources", d.shared)
	d.file.stream(r, b, inner.buf)
	return r
}

// Mark says what a part of the content is, for programs that read the file rather than show it (14.6). The zero Mark is an artifact:
// a rule, a background, a page number.
type Mark struct {
	Tag        string // a structure type such as "P" or "Span"; "" is "Artifact"
	ActualText string // what the part stands for, when its text does not say it
	Lang       string // BCP 47
}

// Marked draws a marked part. Parts nest.
func (c *Canvas) Marked(m Mark, draw func()) {
	if !c.ready() {
		return
	}
	if m.Tag == "" {
		m.Tag = "Artifact"
	}
	c.buf = append(appendName(c.buf, m.Tag), "<<"...)
	if m.ActualText != "" {
		c.buf = appendText(append(c.buf, "/ActualText"...), m.ActualText)
	}
	if m.Lang != "" {
		c.buf = appendText(append(c.buf, "/Lang"...), m.Lang)
	}
	c.buf = append(c.buf, ">>BDC\n"...)
	draw()
	c.buf = append(c.buf, "EMC\n"...)
}
