package layout_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/platen-render/platen/internal/render/native/layout"
	"github.com/platen-render/platen/internal/render/native/layout/layouttest"
	"github.com/platen-render/platen/internal/render/native/table"
)

// TestHostileTablesEnd lays out tables that are made to take for ever: each is done, or refused by name.
func TestHostileTablesEnd(t *testing.T) {
	t.Parallel()
	const deep = 120
	for name, c := range map[string]struct {
		page string
		want error
	}{
		"wide everywhere":  {page: "<table>" + strings.Repeat("<tr>"+strings.Repeat("<td colspan=1000>x", 5), 2000)},
		"wide and fixed":   {page: `<table style="table-layout:fixed;width:500px">` + strings.Repeat("<tr>"+strings.Repeat("<td colspan=1000>x", 11), 20), want: table.ErrTooManyColumns},
		"high everywhere":  {page: "<table>" + strings.Repeat("<tr><td rowspan=65534>x", 300)},
		"higher":           {page: "<table>" + strings.Repeat("<tr><td rowspan=65534>", 9000), want: table.ErrTooComplex},
		"many columns":     {page: "<table><tr>" + strings.Repeat("<td>", table.MaxColumns+1), want: table.ErrTooManyColumns},
		"many cols":        {page: "<table>" + strings.Repeat("<col span=1000 width=1>", 20) + "<tr><td>x", want: table.ErrTooManyColumns},
		"sparse borders":   {page: `<table style="border-collapse:collapse"><tr>` + strings.Repeat("<td>", 9000) + strings.Repeat("<tr><td>", 3000), want: table.ErrTooComplex},
		"deep":             {page: strings.Repeat(`<table style="height:100%"><tr><td style="height:50px">`, deep) + "x" + strings.Repeat("</table>", deep)},
		"deep and aligned": {page: strings.Repeat(`<table><tr><td valign=bottom>a<td><div style="height:200px"></div><td>`, deep) + "x" + strings.Repeat("</table>", deep)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if _, err := layouttest.Try(ctx, "<!DOCTYPE html><body>"+c.page, nil, layout.Limits{}); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}
