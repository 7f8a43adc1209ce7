package paint_test

import (
	"image/color"
	"testing"
)

func TestBackgroundsAndBordersStandWhereTheirBoxesAre(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	img := s.show(s.root(400, 300,
		s.block("background:red", 10, 10, 50, 30),
		s.block("background:red;border:5px solid blue", 70, 10, 50, 30),
		s.block("background:red;border-radius:15px", 130, 10, 50, 30),
		s.block("border:10px solid;border-color:red lime blue black", 10, 60, 60, 60),
		s.block("border:6px double red", 80, 60, 60, 60),
		s.block("border:10px solid red;border-radius:30px;background:lime", 150, 60, 60, 60),
		s.block("border:2px dashed red", 220, 60, 60, 60),
		s.block("border:6px dotted blue", 290, 60, 60, 60),
		s.block("border:8px groove red", 10, 140, 60, 60),
		s.block("border:8px inset red", 80, 140, 60, 60),
		s.block("border:8px ridge black", 150, 140, 60, 60),
		s.block("outline:4px solid blue;outline-offset:3px", 230, 150, 40, 40),
		s.block("border-left:20px solid red;border-top:20px solid transparent;border-bottom:20px solid transparent", 300, 140, 20, 40),
		s.block("border:10px solid red;border-left-color:blue;border-radius:30px", 330, 140, 60, 60),
		s.block("background:red;background-clip:content-box;padding:5px;border:5px solid transparent", 10, 220, 60, 60),
		s.block("border:4px dashed red;border-radius:20px", 80, 220, 60, 60),
	))
	shadow := color.NRGBA{R: 171, A: 255}
	s.check(img, spots{
		{11, 11}: red, {59, 39}: red, {9, 20}: white, {60, 20}: white,
		{72, 20}: blue, {77, 20}: red, {118, 38}: blue,
		{131, 11}: white, {150, 20}: red,
		{40, 64}: red, {66, 90}: lime, {40, 116}: blue, {14, 90}: black, {18, 64}: red, {12, 70}: black, {40, 90}: white,
		{110, 60}: red, {110, 63}: white, {110, 65}: red, {110, 70}: white,
		{151, 61}: white, {180, 64}: red, {180, 90}: lime, {165, 75}: red,
		{221, 60}: red, {227, 60}: white, {278, 118}: red,
		{293, 63}: blue, {290, 60}: white,
		{40, 142}: shadow, {40, 146}: red, {40, 198}: red, {40, 194}: shadow,
		{110, 143}: shadow, {110, 197}: red, {83, 170}: shadow, {137, 170}: red,
		{180, 141}: {R: 168, G: 168, B: 168, A: 255}, {180, 146}: {R: 84, G: 84, B: 84, A: 255},
		{250, 145}: blue, {250, 149}: white, {225, 170}: blue, {270, 170}: white,
		{304, 160}: red, {316, 158}: red, {316, 145}: white,
		{335, 170}: blue, {360, 145}: red, {385, 170}: red, {360, 170}: white,
		{14, 250}: white, {21, 250}: red, {59, 250}: red, {61, 250}: white,
	})
}
