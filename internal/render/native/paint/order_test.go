package paint_test

import (
	"image/color"
	"testing"

	"github.com/platen-render/platen/internal/render/native/fragment"
)

func TestBoxesCoverEachOtherInTheOrderOfTheirLevels(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	full := func(css string) *fragment.Fragment { return s.block(css, 0, 0, 40, 40) }
	at := func(x float64, kids ...*fragment.Fragment) *fragment.Fragment {
		return s.block("", x, 10, 40, 40, kids...)
	}
	img := s.show(s.root(400, 100,
		at(10, full("float:left;background:red"), full("background:blue")),                                                           // floats over blocks
		at(60, full("position:relative;background:red"), full("background:blue")),                                                    // positioned over the flow
		at(110, full("position:relative;z-index:2;background:red"), full("position:relative;z-index:1;background:blue")),             // by level
		at(160, full("position:relative;background:red"), full("position:absolute;background:blue")),                                 // by place in the document
		s.block("background:lime", 210, 10, 40, 40, full("position:relative;z-index:-1;background:red")),                             // under the blocks
		s.block("position:relative;z-index:0;background:lime", 260, 10, 40, 40, full("position:relative;z-index:-1;background:red")), // but not under the context
		at(310, s.block("opacity:0.5", 0, 0, 40, 40, full("position:relative;z-index:9;background:red")), full("position:relative;background:blue")),
	))
	s.check(img, spots{
		{30, 30}: red, {80, 30}: red, {130, 30}: red, {180, 30}: blue, {230, 30}: lime, {280, 30}: red, {330, 30}: blue,
	})
}

func TestAGroupShinesThroughAsAWhole(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	img := s.show(s.root(200, 100, s.block("opacity:0.5;background:red", 10, 10, 80, 80,
		s.block("background:blue", 20, 20, 40, 40)), s.block("opacity:0;background:red", 110, 10, 80, 80)))
	s.check(img, spots{
		{15, 15}: {R: 255, G: 127, B: 127, A: 255}, {50, 50}: {R: 127, G: 127, B: 255, A: 255}, {150, 50}: white,
	})
}

func TestWhatIsTransformedTurnsAroundItsOrigin(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	img := s.show(s.root(300, 100,
		s.block("transform:rotate(90deg);background:red", 10, 40, 80, 20, s.block("background:blue", 0, 0, 20, 20)),
		s.block("transform:translate(50%, 10px);background:lime", 110, 10, 40, 40),
		s.block("transform:scale(2);transform-origin:0 0;background:red", 200, 10, 20, 20),
		s.block("transform:scale(0);background:red", 250, 50, 40, 40),
	))
	s.check(img, spots{
		{50, 15}: blue, {50, 80}: red, {20, 50}: white,
		{120, 30}: white, {160, 50}: lime, {235, 45}: red, {270, 70}: white,
	})
}

func TestWhatOverflowsIsCutOff(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	big := func(css string) *fragment.Fragment { return s.block(css+";background:red", -20, -20, 100, 100) }
	img := s.show(s.root(400, 100,
		s.block("overflow:hidden", 10, 10, 40, 40, big("")),
		s.block("overflow:hidden;border-radius:20px;border:2px solid blue", 80, 10, 40, 40, big("")),
		s.block("overflow:hidden", 150, 10, 40, 40, s.block("overflow:hidden", 10, 10, 60, 20, big(""))),
		s.block("overflow:hidden", 220, 10, 40, 40, s.block("opacity:0.5", 0, 0, 20, 20, big("position:relative"))),
		s.block("overflow-x:clip;overflow-y:visible", 310, 30, 40, 40, big("")),
	))
	s.check(img, spots{
		{12, 12}: red, {8, 30}: white, {55, 30}: white,
		{82, 12}: white, {100, 30}: red, {125, 30}: white, {100, 11}: blue,
		{155, 15}: white, {165, 25}: red, {185, 25}: red, {195, 25}: white, {165, 45}: white,
		{255, 45}: {R: 255, G: 127, B: 127, A: 255}, {265, 30}: white,
		{330, 15}: red, {300, 50}: white,
	})
}

func TestInvisibleBoxesMayHoldVisibleOnes(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	img := s.show(s.root(100, 100,
		s.block("visibility:hidden;background:red", 10, 10, 80, 80, s.block("visibility:visible;background:blue", 20, 20, 20, 20))))
	s.check(img, spots{{15, 15}: white, {40, 40}: blue})
}

func TestRelativeBoxesAreMovedWithWhatIsInThem(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	moved := s.block("position:relative;background:red", 10, 10, 20, 20, s.block("background:blue", 20, 0, 20, 20))
	moved.ShiftX, moved.ShiftY = 30, 5
	img := s.show(s.root(100, 60, moved))
	s.check(img, spots{{15, 15}: white, {45, 20}: red, {65, 20}: blue})
}

func TestThePartsOfACutBoxHaveNoLineBetweenThem(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	upper := s.block("border:5px solid blue;border-radius:10px;background:linear-gradient(red 50px, lime 50px)", 10, 10, 40, 40)
	upper.CutBottom = true
	lower := s.block("border:5px solid blue;border-radius:10px;background:linear-gradient(red 50px, lime 50px)", 60, 10, 40, 40)
	lower.CutTop, lower.Before = true, 40
	img := s.show(s.root(120, 60, upper, lower))
	s.check(img, spots{
		{30, 12}: blue, {11, 11}: white, {30, 48}: red, {12, 48}: blue,
		{80, 12}: red, {80, 30}: lime, {80, 47}: blue, {61, 12}: blue, {61, 49}: white,
	})
}

func TestItemsArePaintedInTheirOrder(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	first := s.block("background:red;order:1", 0, 0, 40, 40)
	second := s.block("background:blue", 0, 0, 40, 40)
	img := s.show(s.root(60, 60, s.flex(10, 10, 40, 40, first, second)))
	s.check(img, spots{{30, 30}: red})
	level := s.block("background:lime;z-index:1", 0, 0, 40, 40)
	img = s.show(s.root(60, 60, s.flex(10, 10, 40, 40, level, s.block("background:blue", 0, 0, 40, 40))))
	s.check(img, spots{{30, 30}: color.NRGBA{G: 255, A: 255}})
}
