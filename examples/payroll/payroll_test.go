package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/examples"
	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/rows"
)

// table is what the command writes.
func table(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(args, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTheTableIsAlwaysTheSame(t *testing.T) {
	t.Parallel()
	whole := table(t, "-n", "200")
	if again := table(t, "-n", "200"); again != whole {
		t.Error("the second one is another one")
	}
	if part := table(t, "-n", "50"); !strings.HasPrefix(whole, part) {
		t.Error("a longer table does not begin as a shorter one")
	}
	_, last, _ := strings.Cut(whole, "\n0000200,")
	_, alone, _ := strings.Cut(table(t, "-n", "1", "-from", "200"), "\n0000200,")
	if last == "" || alone != last {
		t.Errorf("employee 200 is %q, and alone %q", last, alone)
	}
}

// TestEachRowFitsTheTemplate makes data of the rows as "platen batch submit" does with the flags of README.md.
func TestEachRowFitsTheTemplate(t *testing.T) {
	t.Parallel()
	payslip := stored(t)
	var common struct {
		Data map[string]json.RawMessage `json:"data"`
	}
	text, err := os.ReadFile("defaults.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &common); err != nil {
		t.Fatal(err)
	}
	n, keys := 0, map[string]bool{}
	key, err := rows.ParseKey("payslip:2026-10:{{.number}}")
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range (rows.CSV{OmitEmpty: true}).Rows(strings.NewReader(table(t, "-n", "300"))) {
		if err != nil {
			t.Fatal(err)
		}
		name, err := key.Of(row.Data)
		if err != nil || keys[name] {
			t.Fatalf("line %d: the key %q, %v", row.Line, name, err)
		}
		keys[name] = true
		data := maps.Clone(common.Data)
		if err := json.Unmarshal(row.Data, &data); err != nil {
			t.Fatal(err)
		}
		delete(data, "number")
		merged, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := payslip.CheckData(t.Context(), merged, "/data"); err != nil {
			t.Fatalf("line %d: %v\n%s", row.Line, err, merged)
		}
		n++
	}
	if n != 300 {
		t.Errorf("%d rows", n)
	}
}

// stored is the template as a server has it.
func stored(tb testing.TB) *catalog.Template {
	tb.Helper()
	file := func(name string) []byte {
		text, err := fs.ReadFile(examples.Templates(), "payslip/"+name)
		if err != nil {
			tb.Fatal(err)
		}
		return text
	}
	page, style := string(file("template.html")), string(file("style.css"))
	content, err := catalog.Canonical(api.TemplateRequest{HTML: &page, CSS: &style, Schema: file("schema.json"), Sample: file("sample.json")})
	if err != nil {
		tb.Fatal(err)
	}
	parsed, err := catalog.Parse(content)
	if err != nil {
		tb.Fatal(err)
	}
	return parsed
}

func TestTheSumsAreRight(t *testing.T) {
	t.Parallel()
	for number := 1; number <= 2000; number++ {
		s := employ(number).slip()
		var deducted cents
		for _, d := range s.deductions {
			deducted += d
		}
		if s.gross != s.salary+s.overtimePay || s.net != s.gross-deducted || s.paid != s.net+s.travel-s.bicycle || s.leaveTaken > s.leave {
			t.Fatalf("%+v", s)
		}
		if rest := remainder(s.account[4:] + "1314" + s.account[2:4]); rest != 1 {
			t.Fatalf("%s leaves %d", s.account, rest)
		}
	}
}

func TestAmountsAreWrittenWithTheirDecimals(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"0.05": cents(5).String(), "-38.00": cents(-3800).String(), "-0.07": cents(-7).String(), "6.5": tenths(65).String(), "9.30": basis(930).String(),
		"10.01": basis(1001).of(9_999).String(),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestNumbersBeyondTheLastAreRefused(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-n", "2", "-from", "9999999"}, {"-from", "0"}, {"-n", "-1"}} {
		if err := run(args, &bytes.Buffer{}); err == nil {
			t.Errorf("%v was taken", args)
		}
	}
}

func TestTheTableIsOneOfCSV(t *testing.T) {
	t.Parallel()
	records, err := csv.NewReader(strings.NewReader(table(t, "-n", "100"))).ReadAll()
	if err != nil || len(records) != 101 || len(records[0]) != len(columns()) {
		t.Errorf("%d records, %v", len(records), err)
	}
}
