package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/examples"
)

// ship stores the templates that come with Platen, by the command that a user has, and returns the data that each shows itself with.
func (s *stack) ship() map[string][]byte {
	s.Helper()
	dir, data := s.TempDir(), map[string][]byte{}
	s.command("templates", "init", dir)
	for _, name := range examples.TemplateNames() {
		s.command("templates", "put", filepath.Join(dir, name))
		sample, err := os.ReadFile(filepath.Join(dir, name, "sample.json"))
		if err != nil {
			s.Fatal(err)
		}
		data[name] = sample
	}
	return data
}

// command runs platen against the installation and returns what it says.
func (s *stack) command(args ...string) string {
	s.Helper()
	out, err := s.tryCommand(args...)
	if err != nil {
		s.Fatalf("platen %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (s *stack) tryCommand(args ...string) (string, error) {
	cmd := exec.CommandContext(s.Context(), filepath.Join(bin, "platen"), args...)
	cmd.Env = append(slices.Clone(s.env), "PLATEN_URL="+s.BaseURL, "PLATEN_KEY="+devKey)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// of is a job for a stored template.
func of(name string, data []byte, engine api.Engine) api.JobRequest {
	return api.JobRequest{Template: &api.Template{Name: &name}, Data: data, Engine: &engine, Strict: new(true)}
}

func TestAShippedTemplateGivesTheSameBytesInEachProcess(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.up()
	data := s.ship()
	digests := map[string][]string{}
	for range 2 { // workers, one after the other
		w := s.start("worker")
		for name, sample := range data {
			if name == "certificate" {
				continue // it prints which document it is
			}
			for _, engine := range []api.Engine{api.EngineNative, api.EngineChromium} {
				j := s.ordered(of(name, sample, engine))
				if s.issued(j); len(j.Warnings) > 0 {
					t.Errorf("%s by %s: %v", name, engine, j.Warnings)
				}
				what := name + " by " + string(engine)
				digests[what] = append(digests[what], j.Result.SHA256)
			}
		}
		w.stop()
	}
	for what, found := range digests {
		if len(found) != 2 || found[0] != found[1] {
			t.Errorf("%s: %v", what, found)
		}
	}
}

func TestADocumentCanBeProved(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.up()
	s.start("worker")
	data := s.ship()

	first := s.ordered(of("invoice", data["invoice"], api.EngineNative))
	pdf := s.issued(first)
	second := s.ordered(of("invoice", bytes.Replace(data["invoice"], []byte("2026-0417"), []byte("2026-0418"), 1), api.EngineNative))
	receipts := [2]api.SignedReceipt{}
	for i, j := range []api.Job{first, second} {
		var err error
		if receipts[i], err = s.Receipt(t.Context(), j.DocumentID); err != nil {
			t.Fatal(err)
		}
	}
	a, b := receipts[0].Receipt, receipts[1].Receipt
	if *a.DataSHA256 == *b.DataSHA256 || a.SHA256 == b.SHA256 || *a.Template != *b.Template || a.IssueNumber+1 != b.IssueNumber {
		t.Errorf("one digit of the data changed %+v to %+v", a, b)
	}
	s.offline(first.DocumentID, pdf)

	for _, c := range []struct {
		what  string
		bytes []byte
		want  api.VerificationStatus
	}{{"as it was issued", pdf, api.VerifiedGenuine}, {"one flipped bit", flipped(pdf), api.VerifiedAltered}} {
		got, err := s.VerifyDocument(t.Context(), first.DocumentID, c.bytes)
		if err != nil || got.Status != c.want {
			t.Errorf("%s: %+v, %v", c.what, got, err)
		}
	}
	if got, err := s.Verify(t.Context(), flipped(pdf)); err != nil || got.Status != api.VerifiedUnknown {
		t.Errorf("by the bytes alone: %+v, %v", got, err)
	}

	if _, err := s.Purge(t.Context(), first.DocumentID); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Verify(t.Context(), pdf); err != nil || got.Status != api.VerifiedPurged {
		t.Errorf("purged: %+v, %v", got, err)
	}
	after, err := s.Receipt(t.Context(), first.DocumentID)
	if err != nil || after.Signature != receipts[0].Signature {
		t.Errorf("the receipt of a purged document is %+v, %v", after, err)
	}

	if err := s.redis.Client().Del(t.Context(), "pl:{p0}:document:"+first.DocumentID).Err(); err != nil {
		t.Fatal(err)
	}
	if out, err := s.tryCommand("receipts", "check"); err == nil || !strings.Contains(out, fmt.Sprint(a.IssueNumber)) {
		t.Errorf("a document that was removed: %v, %s", err, out)
	}
}

// offline proves a document without a server: with three files.
func (s *stack) offline(document string, pdf []byte) {
	s.Helper()
	dir := s.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			s.Fatal(err)
		}
		return path
	}
	raw, err := s.ReceiptJSON(s.Context(), document)
	if err != nil {
		s.Fatal(err)
	}
	keys, err := s.SigningKeys(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	encoded, err := json.Marshal(keys)
	if err != nil {
		s.Fatal(err)
	}
	key := file("keys.json", encoded)
	for name, c := range map[string]struct {
		pdf, receipt []byte
		genuine      bool
	}{
		"as it was issued":          {pdf, raw, true},
		"a flipped bit":             {flipped(pdf), raw, false},
		"another number of pages":   {pdf, bytes.Replace(raw, []byte(`"pages":1`), []byte(`"pages":2`), 1), false},
		"another date of the issue": {pdf, bytes.Replace(raw, []byte(`"issued_at":"2`), []byte(`"issued_at":"3`), 1), false},
	} {
		if !c.genuine && bytes.Equal(c.pdf, pdf) && bytes.Equal(c.receipt, raw) {
			s.Fatalf("%s: nothing was changed in %s", name, raw)
		}
		out, err := s.tryCommand("verify", file("d.pdf", c.pdf), "--receipt", file("r.json", c.receipt), "--key", key)
		if (err == nil) != c.genuine {
			s.Errorf("%s: %v, %s", name, err, out)
		}
	}
}

// flipped is a copy with one bit turned, in the middle.
func flipped(b []byte) []byte {
	c := bytes.Clone(b)
	c[len(c)/2] ^= 1
	return c
}

func TestWhatIsExpectedIsReadInTheFinishedBytes(t *testing.T) {
	t.Parallel()
	bothEngines(t, func(s *stack, engine api.Engine) {
		page := `<style>.gone{display:none}</style><h1>Invoice 4711</h1><p>Total 1,499.90 EUR<p class="gone">Draft`
		expect := func(e api.Expect) api.Job { return s.ordered(api.JobRequest{HTML: &page, Engine: &engine, Expect: &e}) }
		s.issued(expect(api.Expect{
			Pages: &api.ExpectPages{Min: new(1), Max: new(1)}, Contains: []string{"Invoice 4711", "Total 1,499.90"}, NotContains: []string{"Draft", "NaN"},
		}))
		s.notIssued(expect(api.Expect{Contains: []string{"Invoice 4711", "Draft"}}), "expect_contains", "Draft")
		s.notIssued(expect(api.Expect{NotContains: []string{"Total"}}), "expect_not_contains", "Total")
		s.notIssued(expect(api.Expect{Pages: &api.ExpectPages{Min: new(2)}}), "expect_pages", "1 page")
		s.notIssued(expect(api.Expect{MaxBytes: new(int64(100))}), "expect_max_bytes", "100")
	})
}

func TestTheCacheGivesEqualJobsTheirOwnDocuments(t *testing.T) {
	t.Parallel()
	bothEngines(t, func(s *stack, engine api.Engine) {
		page := "<h1>The same for everybody</h1>"
		order := func(age int) api.Job {
			return s.ordered(api.JobRequest{HTML: &page, Engine: &engine, Cache: &api.Cache{MaxAgeSeconds: &age}})
		}
		first, second := order(3600), order(3600)
		if !bytes.Equal(s.issued(first), s.issued(second)) || first.DocumentID == second.DocumentID {
			s.Errorf("first %+v, second %+v", first.Result, second.Result)
		}
		receipt, err := s.Receipt(s.Context(), second.DocumentID)
		if err != nil || receipt.Receipt.CachedFrom == nil || *receipt.Receipt.CachedFrom != first.DocumentID {
			s.Errorf("the receipt says %+v, %v", receipt.Receipt.CachedFrom, err)
		}
	})
}

func TestAShippedDocumentIsMadeAnewWithTheSameBytes(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.up()
	s.start("worker")
	data := s.ship()
	for name, engine := range map[string]api.Engine{"invoice": api.EngineNative, "certificate": api.EngineChromium} {
		j := s.ordered(of(name, data[name], engine))
		s.issued(j)
		got, err := s.Rerender(t.Context(), j.DocumentID, false)
		if err != nil || !got.Identical || got.SHA256 != j.Result.SHA256 || got.Difference != nil {
			t.Errorf("%s by %s: %+v, %v", name, engine, got, err)
		}
	}
}

func TestDataThatIsNotTheTemplatesIsRefused(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.up()
	s.ship()
	if _, err := s.Submit(t.Context(), client.Submission{Request: of("invoice", []byte(`{"number": 7}`), api.EngineNative)}); err == nil || !strings.Contains(err.Error(), "/data") {
		t.Errorf("data that is not the template's: %v", err)
	}
}
