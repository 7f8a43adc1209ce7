package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/httpapi"
	"github.com/platen-render/platen/internal/jobs"
)

// found is a verification without its receipts.
func found(t *testing.T, a answer) string {
	t.Helper()
	v := read[api.Verification](t, a, http.StatusOK)
	text := string(v.Status)
	for _, d := range v.Documents {
		text += " " + d.DocumentID + ":" + string(d.Status)
		if d.Altered != nil {
			text += ":" + string(*d.Altered)
		}
		if d.Receipt == nil || d.Receipt.Receipt.DocumentID != d.DocumentID {
			t.Errorf("document %s with the receipt %+v", d.DocumentID, d.Receipt)
		}
	}
	return text
}

// flipped has one bit less or more.
func flipped(text string, at int) string {
	b := []byte(text)
	b[at] ^= 1
	return string(b)
}

func TestBytesAloneTellWhatTheyAre(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first, second, purged := r.issueMade(content, "1"), r.issueMade(content, "1"), r.issueMade("other "+content, "2")
	read[api.Document](t, r.delete("/documents/"+purged), http.StatusOK)
	other := r.newKey("other", jobs.ScopeRead)
	for _, test := range []struct {
		name, text, want string
		options          []option
	}{
		{"equal bytes of two documents", content, "genuine " + first + ":genuine " + second + ":genuine", nil},
		{"a purged one", "other " + content, "purged " + purged + ":purged", nil},
		{"one flipped byte", flipped(content, len(content)/2), "unknown", nil},
		{"another tenant", content, "unknown", []option{as(other)}},
	} {
		if got := found(t, r.post("/verify", append([]option{bytesBody(test.text)}, test.options...)...)); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
	read[api.Document](t, r.delete("/documents/"+first), http.StatusOK)
	if got, want := found(t, r.post("/verify", form(part{name: "file", file: "a.pdf", mediaType: "application/pdf", text: content}))),
		"genuine "+first+":purged "+second+":genuine"; got != want {
		t.Errorf("one of two purged, as a form: got %s, want %s", got, want)
	}
	got := read[api.Verification](t, r.post("/verify", bytesBody(content)), http.StatusOK)
	if got.SHA256 != sha(content) || got.Bytes != int64(len(content)) {
		t.Errorf("got %+v", got)
	}
}

func TestOneFlippedByteIsAltered(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.issueMade(content, "1")
	verify := func(text string) string { return found(t, r.post("/documents/"+id+"/verify", bytesBody(text))) }
	if got, want := verify(content), "genuine "+id+":genuine"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	altered := "altered " + id + ":altered:bytes"
	for at := range content {
		if got := verify(flipped(content, at)); got != altered {
			t.Errorf("byte %d: got %s", at, got)
		}
	}
	read[api.Document](t, r.delete("/documents/"+id), http.StatusOK)
	if got, want := verify(content), "purged "+id+":purged"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := verify(content + " "); got != altered {
		t.Errorf("other bytes than those that were purged: %s", got)
	}
}

func TestARecordThatWasChangedIsSeen(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		field string
		from  string
		to    string
		want  string
	}{
		{"the hash of the bytes", "result", sha(content), sha("forged"), "receipt"},
		{"the number", "number", "1", "2", "receipt"},
		{"the key", "key", "invoice:1", "invoice:2", "receipt"},
		{"a digit of the receipt", "receipt", `"pages":2`, `"pages":3`, "signature"},
		{"the signature", "receipt", `"value":"`, `"value":"AAAA`, "signature"},
		{"the key of the signature", "receipt", `"key_id":"`, `"key_id":"0`, "signature"},
		{"all of the receipt", "receipt", `{`, `x`, "signature"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			j := r.submit(`{"html":"<p>","document_key":"invoice:1"}`)
			claimed := r.claim(j.ID)
			if _, err := r.store.Complete(t.Context(), claimed.ID, claimed.Fence(), jobs.Result{
				Blob: "b", SHA256: sha(content), Bytes: int64(len(content)), Pages: 2, ContentType: "application/pdf", Filename: "f.pdf", Engine: "native", Version: "1",
			}, nil); err != nil {
				t.Fatal(err)
			}
			r.receipt(j.DocumentID)
			record := "pl:{p0}:document:" + j.DocumentID
			before, err := r.redis.Client().HGet(t.Context(), record, test.field).Result()
			if test.field == "receipt" {
				before = r.receiptText(j.DocumentID) // it is packed there, and may be there as it is
			}
			if err != nil || !strings.Contains(before, test.from) {
				t.Fatalf("%s is %q, %v", test.field, before, err)
			}
			if err := r.redis.Client().HSet(t.Context(), record, test.field, strings.Replace(before, test.from, test.to, 1)).Err(); err != nil {
				t.Fatal(err)
			}
			want := "altered"
			for _, path := range []string{"/verify", "/documents/" + j.DocumentID + "/verify"} {
				v := read[api.Verification](t, r.post(path, bytesBody(content)), http.StatusOK)
				if string(v.Status) != want || len(v.Documents) != 1 || string(*v.Documents[0].Altered) != test.want {
					t.Errorf("%s: got %+v, want %s", path, v, test.want)
				}
			}
		})
	}
}

func TestABodyThatIsNoDocumentIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *settings) { s.http.MaxDocument = 1000 })
	id := r.issueMade(content, "1")
	link := strings.TrimPrefix(r.receipt(id).VerifyURL, publicURL)
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	_, _ = w.Write([]byte(content))
	_ = w.Close()
	for _, path := range []string{"/verify", "/documents/" + id + "/verify", link} {
		for _, test := range []struct {
			name    string
			options []option
			status  int
			code    api.ErrorCode
		}{
			{"empty", []option{bytesBody("")}, http.StatusUnprocessableEntity, api.CodeInputMissing},
			{"an empty file", []option{form(part{name: "file", file: "a.pdf"})}, http.StatusUnprocessableEntity, api.CodeInputMissing},
			{"a form without a file", []option{form(part{name: "html", text: content})}, http.StatusUnprocessableEntity, api.CodeInputMissing},
			{"a form that is cut", []option{body("multipart/form-data; boundary="+boundary, "--"+boundary+"\r\nContent-Dis")}, http.StatusBadRequest, api.CodeBodyMalformed},
			{"a form without its boundary", []option{body("multipart/form-data", "x")}, http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported},
			{"compressed", []option{bytesBody(compressed.String()), header("Content-Encoding", "gzip")}, http.StatusUnsupportedMediaType, api.CodeMediaTypeUnsupported},
			{"too large", []option{bytesBody(strings.Repeat("x", 1001))}, http.StatusRequestEntityTooLarge, api.CodeBodyTooLarge},
			{"too large a file", []option{form(part{name: "file", file: "a.pdf", text: strings.Repeat("x", 1001)})}, http.StatusRequestEntityTooLarge, api.CodeBodyTooLarge},
		} {
			a := r.post(path, append(test.options, wrong, header("Accept", "application/json"))...)
			if a.status != test.status {
				t.Errorf("%s, %s: got %d %s", path, test.name, a.status, a.body)
				continue
			}
			refused(t, a, test.status, test.code)
		}
		if a := r.post(path, bytesBody(strings.Repeat("x", 1000)), header("Accept", "application/json")); a.status != http.StatusOK {
			t.Errorf("%s: as large as may be: %d %s", path, a.status, a.body)
		}
	}
}

const anything = "text/html,application/xhtml+xml,*/*;q=0.8"

func TestAnybodyWithTheLinkCanVerify(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(`{"html":"<p>","document_key":"invoice:<42>"}`)
	r.issue(j.ID, content)
	link := strings.TrimPrefix(r.receipt(j.DocumentID).VerifyURL, publicURL)
	state := func(a answer) string {
		t.Helper()
		p := read[api.PublicVerification](t, a, http.StatusOK)
		if p.DocumentID != j.DocumentID || p.SHA256 != sha(content) || p.Key == nil || !p.Key.Current {
			t.Errorf("got %+v", p)
		}
		if p.Status == nil {
			return ""
		}
		return string(*p.Status)
	}
	asJSON := header("Accept", "application/json")
	file := func(text string) option {
		return form(part{name: "file", file: "a.pdf", mediaType: "application/pdf", text: text})
	}
	got := []string{
		state(r.get(link, as(""), asJSON)), state(r.post(link, as(""), asJSON, bytesBody(content))), state(r.post(link, as(""), asJSON, file(content))),
		state(r.post(link, as(""), asJSON, file(flipped(content, 3)))),
	}
	read[api.Document](t, r.delete("/documents/"+j.DocumentID), http.StatusOK)
	got = append(got, state(r.get(link, as(""), asJSON)), state(r.post(link, as(""), asJSON, bytesBody(content))), state(r.post(link, as(""), asJSON, bytesBody(content+"x"))))
	if diff := cmp.Diff([]string{"", "genuine", "genuine", "altered", "", "purged", "altered"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if code := regexp.MustCompile(`code=([0-9a-f]{32})$`).FindStringSubmatch(link); code == nil {
		t.Errorf("the link is %s", link)
	} else if strings.Contains(r.logs.String(), code[1]) {
		t.Error("the log has the code")
	}
}

func TestThePageIsForPeopleAndLoadsNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(`{"html":"<p>","document_key":"invoice:<42>"}`)
	r.issue(j.ID, content)
	link := strings.TrimPrefix(r.receipt(j.DocumentID).VerifyURL, publicURL)
	browser := header("Accept", anything)
	file := func(text string) option {
		return form(part{name: "file", file: "a.pdf", mediaType: "application/pdf", text: text})
	}
	const asks = "Is your copy what was issued?</h1>"
	pages := map[string]answer{
		asks:                            r.get(link, as(""), browser),
		"Genuine</h1>":                  r.post(link, as(""), browser, file(content)),
		"Not what was issued</h1>":      r.post(link, as(""), browser, file(content+"x")),
		"No document has this address<": r.get("/verify/"+someDocument+"?code=0", as(""), browser),
		"This could not be checked<":    r.post(link, as(""), browser, file(""), wrong),
	}
	for want, a := range pages {
		page := string(a.body)
		if !strings.Contains(page, want) || a.header.Get("Content-Type") != "text/html; charset=UTF-8" || a.header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %d %v %s", want, a.status, a.header, page)
		}
		style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(page)
		if policy := a.header.Get("Content-Security-Policy"); style == nil || policy != "default-src 'none'; style-src 'sha256-"+httpapi.HashOf(style[1])+"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'" {
			t.Errorf("%s: the policy %q does not allow the style", want, policy)
		}
		if loads := regexp.MustCompile(`(?i)(src|href|url)\s*[=(]|<script|@import|<link|style=`).FindString(page); loads != "" {
			t.Errorf("%s: the page has %s", want, loads)
		}
		if strings.Contains(page, "invoice:") || strings.Contains(page, "&lt;42") {
			t.Errorf("%s: the page tells the document key", want)
		}
		if !strings.Contains(page, "<strong>platen.example</strong>") {
			t.Errorf("%s: the page does not say where it speaks for: %s", want, page)
		}
	}
	issued := string(pages[asks].body)
	for _, fact := range []string{
		"<dt>Issued at</dt><dd>platen.example</dd>", sha(content), j.DocumentID, fmt.Sprintf("1 page, %d bytes", len(content)), `method="post" enctype="multipart/form-data"`,
	} {
		if !strings.Contains(issued, fact) {
			t.Errorf("the page does not have %s: %s", fact, issued)
		}
	}
}

func TestThePagePromisesNothingBeforeTheBytesWereCompared(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	long := content + strings.Repeat("x", 1_234_567-len(content))
	id := r.issueMade(long, "1")
	link := strings.TrimPrefix(r.receipt(id).VerifyURL, publicURL)
	browser := header("Accept", anything)
	text := func(a answer) string { return string(a.body) }
	before := text(r.get(link, as(""), browser))
	read[api.Document](t, r.delete("/documents/"+id), http.StatusOK)
	purged := text(r.get(link, as(""), browser))
	for name, page := range map[string]string{"issued": before, "purged": purged} {
		if promise := regexp.MustCompile(`(?i)genuine|class="(genuine|purged)`).FindString(regexp.MustCompile(`(?s)<style>.*</style>`).ReplaceAllString(page, "")); promise != "" {
			t.Errorf("%s: the page says %s of a copy that nobody has compared", name, promise)
		}
		if !strings.Contains(page, "1,234,567 bytes") {
			t.Errorf("%s: the size is hard to read: %s", name, page)
		}
	}
	if says := "The issuer no longer keeps a copy of this document. Your copy can still be compared."; !strings.Contains(purged, says) || strings.Contains(before, "no longer") {
		t.Errorf("before a purge %s, after it %s", before, purged)
	}
	after := text(r.post(link, as(""), browser, bytesBody(long)))
	if !strings.Contains(after, "Genuine</h1>") || !strings.Contains(after, "no longer keeps a copy") || regexp.MustCompile(`(?i)withdrawn|revoked`).MatchString(after+purged) {
		t.Errorf("a genuine copy of a purged document: %s", after)
	}
}

func TestAWrongCodeIsLikeADocumentThatIsNotThere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	issued, pending := r.issueMade(content, "1"), r.submit(page).DocumentID
	link := strings.TrimPrefix(r.receipt(issued).VerifyURL, publicURL)
	_, code, _ := strings.Cut(link, "?code=")
	asJSON := header("Accept", "application/json")
	var bodies []string
	for _, path := range []string{
		"/verify/" + issued, "/verify/" + issued + "?code=", "/verify/" + issued + "?code=" + strings.ToUpper(code) + "0", "/verify/" + issued + "?code=" + code[:31],
		"/verify/" + someDocument + "?code=" + code, "/verify/" + pending + "?code=" + code, "/verify/x?code=" + code,
	} {
		for _, a := range []answer{r.get(path, as(""), asJSON, wrong), r.post(path, as(""), asJSON, bytesBody(content), wrong)} {
			p := refused(t, a, http.StatusNotFound, api.CodeDocumentNotFound)
			p.RequestID = ""
			bodies = append(bodies, fmt.Sprintf("%+v", p))
		}
	}
	for _, body := range bodies {
		if body != bodies[0] {
			t.Errorf("they differ: %s, %s", bodies[0], body)
		}
	}
	// Even the right code of a document that is not issued yet tells nothing.
	url, err := (&jobs.Signer{Store: r.store, Key: r.service.Key}).VerifyURL(t.Context(), "default", jobs.ID(pending))
	if err != nil {
		t.Fatal(err)
	}
	refused(t, r.get(url, as(""), asJSON), http.StatusNotFound, api.CodeDocumentNotFound)
	r.redis.Kill()
	refused(t, r.get(link, as(""), asJSON), http.StatusServiceUnavailable, api.CodeStoreUnavailable)
	refused(t, r.post(link, as(""), asJSON, bytesBody(content)), http.StatusServiceUnavailable, api.CodeStoreUnavailable)
}
