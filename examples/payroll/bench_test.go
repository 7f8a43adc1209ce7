package main

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/platen-render/platen/internal/render/templates"
	"github.com/platen-render/platen/internal/rows"
)

// BenchmarkFill fills the template in with payslips of the table, as each is when it is accepted and again when it is rendered.
func BenchmarkFill(b *testing.B) {
	payslip, slips := stored(b), data(b, 100)
	env := templates.Environment{Identity: templates.Nobody("payslip")}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if _, err := payslip.Fill(b.Context(), slips[n%len(slips)], env); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCheckData holds payslips of the table against the schema of the template.
func BenchmarkCheckData(b *testing.B) {
	payslip, slips := stored(b), data(b, 100)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if err := payslip.CheckData(b.Context(), slips[n%len(slips)], "/data"); err != nil {
			b.Fatal(err)
		}
	}
}

// data is that of the first n payslips, with the defaults.
func data(tb testing.TB, n int) []json.RawMessage {
	tb.Helper()
	var common struct {
		Data map[string]json.RawMessage `json:"data"`
	}
	text, err := os.ReadFile("defaults.json")
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(text, &common); err != nil {
		tb.Fatal(err)
	}
	var all []json.RawMessage
	var table strings.Builder
	if err := write(&table, 1, n); err != nil {
		tb.Fatal(err)
	}
	for row, err := range (rows.CSV{OmitEmpty: true}).Rows(strings.NewReader(table.String())) {
		if err != nil {
			tb.Fatal(err)
		}
		merged := maps.Clone(common.Data)
		if err := json.Unmarshal(row.Data, &merged); err != nil {
			tb.Fatal(err)
		}
		delete(merged, "number")
		raw, err := json.Marshal(merged)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, raw)
	}
	return all
}
