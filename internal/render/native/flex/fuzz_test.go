package flex_test

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render/native/align"
	"github.com/platen-render/platen/internal/render/native/flex"
)

// read makes a container and items of bytes.
func read(data []byte) (flex.Container, []flex.Item) {
	next := func() float64 {
		if len(data) < 2 {
			return 0
		}
		v := binary.LittleEndian.Uint16(data)
		data = data[2:]
		return float64(v) / 16
	}
	flags := int(next() * 16)
	c := flex.Container{
		Main: next(), Cross: next(), Break: next(), MaxCross: next(), MainGap: next() / 64, CrossGap: next() / 64,
		Wrap: flags&1 != 0, Justify: align.Mode(flags >> 1 & 7), Content: align.Mode(flags >> 4 & 7),
	}
	if flags&256 != 0 {
		c.Main = flex.Indefinite
	}
	if flags&512 != 0 {
		c.Cross = flex.Indefinite
	}
	var items []flex.Item
	for len(data) > 0 && len(items) < 500 {
		f := int(next() * 16)
		i := flex.Item{
			Base: next(), Min: next(), Max: next(), Frame: next(), Grow: next() / 512, Shrink: next() / 512,
			Cross: next(), MaxCross: next(), Baseline: next(), Align: align.Mode(f & 7),
		}
		i.MainMargin = flex.Margins{Start: next() - 2000, AutoEnd: f&8 != 0}
		i.CrossMargin = flex.Margins{Start: next() - 2000, AutoEnd: f&16 != 0, AutoStart: f&32 != 0}
		items = append(items, i)
	}
	return c, items
}

func FuzzContainersAreFinite(f *testing.F) {
	f.Add([]byte("flexible boxes of all kinds and sizes, one after the other, with margins"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, items := read(data)
		lines := c.Lines(items)
		cross := c.Stretch(items, lines)
		c.Place(items, lines, cross)
		at := 0
		for _, line := range lines {
			if line.First != at || line.End <= line.First {
				t.Fatalf("line %+v after %d items", line, at)
			}
			at = line.End
		}
		if at != len(items) {
			t.Fatalf("%d items in lines, of %d", at, len(items))
		}
		for _, i := range items {
			for _, v := range []float64{i.Main, i.Cross, i.MainAt, i.CrossAt, cross} {
				if math.IsNaN(v) || math.Abs(v) > 1e9 {
					t.Fatalf("%+v", i)
				}
			}
			if i.Main < i.Min || i.Main > max(i.Min, i.Max) {
				t.Fatalf("main size %v is not between %v and %v", i.Main, i.Min, i.Max)
			}
		}
	})
}

// Limits that are all different freeze one item after the other: the worst there is.
func TestManyLimitsTakeLittleTime(t *testing.T) {
	t.Parallel()
	items := make([]flex.Item, 20_000)
	for i := range items {
		items[i] = item(0, 1, 1)
		items[i].Max = float64(i) * 0.001 * float64(i)
	}
	c := row(1e9)
	begin := time.Now()
	c.Lines(items)
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}
