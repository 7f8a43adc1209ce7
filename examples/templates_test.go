package examples_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/examples"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/fidelity"
)

// inPlace is which part of the words must stand where the browser has them.
const inPlace = 0.95

// many is how long the lists are that a template must bear.
const many = 300

const (
	longName = "Ольга Константиновна Преображенская-Вознесенская и Αλέξανδρος Παπαδιαμαντόπουλος"
	hebrew   = "דוד בן־גוריון"
)

// variants are data that a template must bear beside its sample and the least that its schema requires: lists, and what else stands
// at a path.
var variants = map[string]struct {
	list string
	name string // whose document it is
	also map[string]any
}{
	"invoice": {"items", "buyer.name", map[string]any{
		"items.0.unit_price": "1234567.89", "items.0.amount": "-12345678901.23", "totals.due": json.Number("-9157.51"), "totals.paid": missing{},
		"items.1.name": strings.Repeat("Schrankwand mit Schiebetüren für die Nordwand, ", 6), "currency": "CHF",
	}},
	"payslip": {"earnings", "employee.name", map[string]any{
		"totals.paid": "-123456789.99", "adjustments": missing{}, "leave": missing{}, "earnings.0.name": strings.Repeat("Zulage für Arbeit ", 6),
	}},
	"statement": {"sections.1.entries", "holder.name", map[string]any{
		"sections.0.entries": []any{}, "closing_balance": "-1234567890.12", "sections.1.entries.3.balance": "-1234567890.12",
		"sections.1.entries.5.text": strings.Repeat("Verwendungszweck mit Rechnungsnummer ", 10),
	}},
	"letter": {"paragraphs", "recipient.name", map[string]any{
		"dispatch": "Registered mail", "enclosures": []any{"One"}, "subject": strings.Repeat("Proposal for the second floor ", 6),
	}},
	"certificate": {"modules", "recipient.name", map[string]any{"place": missing{}, "signatories.1.role": missing{}, "course.hours": missing{}}},
}

// cases are the data that each template is filled in with. The unusual has many lines, too.
func cases(tb testing.TB, name string, s shipped) map[string]json.RawMessage {
	tb.Helper()
	sample, v := s.request.Sample, variants[name]
	schema, _ := parse(tb, s.request.Schema).(map[string]any)
	unusual := set(tb, sample, v.name, longName)
	for path, value := range v.also {
		unusual = set(tb, unusual, path, value)
	}
	return map[string]json.RawMessage{
		"sample":        sample,
		"least":         encode(tb, least(tb, schema, parse(tb, sample), schema)),
		"one line":      repeated(tb, sample, v.list, 1),
		"many lines":    repeated(tb, sample, v.list, many),
		"right to left": set(tb, sample, v.name, hebrew),
		"unusual":       repeated(tb, unusual, v.list, many),
	}
}

// TestTemplatesAreAlikeByBothEngines holds the templates to what TestFidelity of package native holds its documents to.
func TestTemplatesAreAlikeByBothEngines(t *testing.T) {
	t.Parallel()
	ours, theirs := engines(t)
	for _, name := range examples.TemplateNames() {
		s := example(t, name)
		for variant, data := range cases(t, name, s) {
			t.Run(name+"/"+variant, func(t *testing.T) {
				t.Parallel()
				req, err := s.page(t.Context(), data)
				if err != nil {
					t.Fatal(fault.Text(err))
				}
				decision, err := ours.Inspect(t.Context(), req)
				if err != nil || !decision.Inside {
					t.Fatalf("the native engine does not take it: %s, %v", decision.Reason(), err)
				}
				want, got := words(t, theirs, req), words(t, ours, req)
				r := fidelity.Compare(want, got)
				if r.PagesA != r.PagesB || !r.SameSizes || !r.SameText() || r.Share() < inPlace {
					t.Errorf("it differs from the browser's:\n%s\n%s\n%s", fidelity.Header(), r.Row(name), r.Details())
				}
			})
		}
	}
}

// words renders without any warning and reads the result.
func words(t *testing.T, e render.Engine, req render.Request) fidelity.Document {
	t.Helper()
	pdf, report, err := draw(t.Context(), e, req)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Warnings) > 0 {
		t.Errorf("%s warns: %+v", report.Engine, report.Warnings)
	}
	document, err := fidelity.Read(t.Context(), pdf)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func TestTemplatesCanBeStored(t *testing.T) {
	t.Parallel()
	for _, name := range examples.TemplateNames() {
		if wrong := catalog.Check(t.Context(), example(t, name).request); len(wrong) > 0 {
			t.Errorf("%s: %+v", name, wrong)
		}
	}
}

// TestSchemasRefuseWhatDoesNotFit breaks a sample at one place at a time.
func TestSchemasRefuseWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	broken := map[string]map[string]any{
		"invoice": {
			"number": missing{}, "issued": "28.10.2026", "due": json.Number("20261111"), "currency": "Euro", "items": []any{}, "items.0.amount": "4,960.00",
			"items.0.vat_rate": missing{}, "items.0.price": "1.00", "payment.iban": "DE02 1203 0000 0000 2020 51", "totals.due": nil, "discount": "5",
		},
		"payslip": {
			"earnings": []any{}, "earnings.0.amount": "€ 10", "employee.name": "", "period.from": "October", "totals.net": missing{}, "leave.left": "many",
		},
		"statement": {
			"sections.0.entries.0.balance": missing{}, "sections.0.entries.0.out": missing{}, "sections.0.entries.0.in": "1.00", "sections.0.entries.0.date": "2026-13-01",
			"account.iban": "X", "closing_balance": "12.",
		},
		"letter":      {"paragraphs": []any{}, "paragraphs.0": json.Number("1"), "recipient.address": "Malmö", "date": "2026-10-32", "signatory": missing{}},
		"certificate": {"recipient.name": "", "course.hours": json.Number("1.5"), "signatories": []any{}, "modules": []any{}, "issued": "2026-10"},
	}
	for _, name := range examples.TemplateNames() {
		s := example(t, name)
		template, err := s.parsed()
		if err != nil {
			t.Fatal(err)
		}
		for path, value := range broken[name] {
			data := set(t, s.request.Sample, path, value)
			if err := template.CheckData(t.Context(), data, "/data"); fault.From(err).Code != "template_data_invalid" {
				t.Errorf("%s with %s = %v: %v", name, path, value, err)
			}
		}
		if len(broken[name]) == 0 {
			t.Errorf("%s: nothing was tried", name)
		}
	}
}

func TestTemplatesAreEqualBytesInEveryProcess(t *testing.T) {
	t.Parallel()
	first, second := apart(t), apart(t)
	if want := 2 * len(examples.TemplateNames()); len(first) != want {
		t.Errorf("there are %d documents, not %d: %v", len(first), want, first)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the second process made others (-first +second):\n%s", diff)
	}
}

// apart asks another process for the digests of all samples.
func apart(t *testing.T) (sums map[string]string) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childVariable+"=1")
	child.Stderr = os.Stderr
	out, err := child.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &sums); err != nil {
		t.Fatal(err)
	}
	return sums
}
