package httpapi_test

import (
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/httpapi"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/receipts"
	"github.com/platen-render/platen/internal/render"
)

// bytesBody are bytes of some document.
func bytesBody(text string) option { return body("application/pdf", text) }

// another is another process on the same Redis and blobs, with a service that a test may have changed.
func (r *rig) another(change ...func(*jobs.Service)) *rig {
	r.Helper()
	other := &rig{
		T: r.T, redis: r.redis, store: redisstore.New(r.redis.Client(), redisstore.Options{PublicURL: publicURL}), blobs: r.blobs,
		guard: r.guard, logs: r.logs, registry: prometheus.NewRegistry(), key: r.key,
	}
	logger := slog.New(slog.NewJSONHandler(r.logs, nil))
	other.service = &jobs.Service{
		Store: other.store, Queue: r.service.Queue, Blobs: r.blobs, Watcher: r.service.Watcher, Key: r.service.Key, Logger: logger, CheckCallback: r.guard.check,
	}
	for _, c := range change {
		c(other.service)
	}
	r.Cleanup(other.service.Close)
	other.server = httpapi.New(httpapi.Options{
		Service: other.service, PublicURL: publicURL, AdminKey: adminKey, Gatherer: other.registry, Registerer: other.registry, Logger: logger,
	})
	other.client = spec.Client(r.T, other.server)
	return other
}

// made is what a worker tells of the bytes.
func made(data string) *jobs.Provenance {
	output := render.DefaultOutput()
	output.Footer = "<p>Frau Müller</p>"
	output.Pages = []render.PageRange{{First: 1, Last: 3}, {First: 5, Last: 5}, {First: 8}}
	return &jobs.Provenance{
		Input: jobs.InputStored, Text: sha("page"), Template: &jobs.TemplateRef{Name: "invoice", Version: 3, SHA256: sha("template")}, Data: sha(data),
		Resources: []jobs.ResourceDigest{{Name: "https://cdn.example/logo.png?token=s3cr3t", SHA256: sha("logo")}}, Fonts: sha("fonts"), Asked: "auto",
		Output: output, Wait: render.Wait{Selector: "#done"}, Expect: render.Expect{MinPages: 1, Contains: []string{"Frau Müller"}}, Strict: true, Attempts: 2,
	}
}

// issueMade issues a new document, and returns its id.
func (r *rig) issueMade(content, data string) string {
	r.Helper()
	j := r.submit(page)
	claimed := r.claim(j.ID)
	won, err := r.store.Complete(r.Context(), claimed.ID, claimed.Fence(), jobs.Result{
		Blob: "somewhere", SHA256: sha(content), Bytes: int64(len(content)), Pages: 2, ContentType: "application/pdf", Filename: "f.pdf",
		Engine: "native", Version: "1", Made: made(data),
	}, nil)
	if err != nil || won != jobs.Won {
		r.Fatalf("complete: %s, %v", won, err)
	}
	return j.DocumentID
}

// receiptText is what the server sends.
func (r *rig) receiptText(document string) string {
	r.Helper()
	a := r.get("/documents/" + document + "/receipt")
	if a.status != http.StatusOK {
		r.Fatalf("receipt: %d %s", a.status, a.body)
	}
	return string(a.body)
}

func (r *rig) receipt(document string) api.SignedReceipt {
	r.Helper()
	var signed api.SignedReceipt
	if err := json.Unmarshal([]byte(r.receiptText(document)), &signed); err != nil {
		r.Fatal(err)
	}
	return signed
}

// trusted are the keys that the server publishes.
func (r *rig) trusted() receipts.Keys {
	r.Helper()
	keys, err := receipts.ParseKeys(r.get("/keys/signing").body)
	if err != nil {
		r.Fatal(err)
	}
	return keys
}

func signedOf(t *testing.T, text string) receipts.Signed {
	t.Helper()
	var signed receipts.Signed
	if err := json.Unmarshal([]byte(text), &signed); err != nil {
		t.Fatal(err)
	}
	return signed
}

func TestAReceiptSaysWhatMadeTheDocumentWithoutItsData(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.issueMade(content, `{"total":"10.00"}`)
	text := r.receiptText(id)
	for _, hidden := range []string{"Müller", "s3cr3t", "10.00"} {
		if strings.Contains(text, hidden) {
			t.Errorf("the receipt has %q: %s", hidden, text)
		}
	}
	got := r.receipt(id)
	d := read[api.Document](t, r.get("/documents/"+id), http.StatusOK)
	footer, texts := sha("<p>Frau Müller</p>"), sha(`{"contains":["Frau Müller"],"not_contains":[]}`)
	dataSum, fonts, pages := sha(`{"total":"10.00"}`), sha("fonts"), "1-3,5,8-"
	want := api.Receipt{
		Version: 1, Tenant: "default", DocumentID: id, JobID: d.JobID, IssueNumber: 1, IssuedAt: *d.IssuedAt, SHA256: sha(content), Bytes: int64(len(content)),
		Pages: 2, ContentType: "application/pdf", Filename: "f.pdf", Input: &api.ReceiptInput{Kind: "stored", SHA256: sha("page")},
		Template: &api.ReceiptTemplate{Name: "invoice", Version: 3, SHA256: sha("template")}, DataSHA256: &dataSum,
		Resources: []api.ReceiptResource{{Name: "https://cdn.example/logo.png", SHA256: sha("logo")}}, Engine: api.ReceiptEngine{Name: "native", Version: "1", Asked: new("auto")},
		FontsSHA256: &fonts, Output: &api.ReceiptOutput{
			Format: "pdf", WidthMM: 210, HeightMM: 297, MarginMM: api.ReceiptMargin{Top: 20, Right: 20, Bottom: 20, Left: 20}, Scale: 1,
			FooterSHA256: &footer, Background: true, Locale: "en", TimeZone: "UTC", FullPage: true, Pages: &pages,
		},
		WaitFor: &api.ReceiptWait{Selector: new("#done"), TimeoutSeconds: 10}, Strict: new(true),
		Expect: &api.ReceiptExpect{MinPages: new(1), TextsSHA256: &texts}, Attempts: new(2),
	}
	if diff := cmp.Diff(want, got.Receipt); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !r.trusted().Verify(signedOf(t, text)) {
		t.Errorf("no published key made the signature: %s", text)
	}
	if again := r.receiptText(id); again != text {
		t.Errorf("another time it is %s, first it was %s", again, text)
	}
}

func TestOneDigitOfTheDataMakesAnotherReceipt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first, second := r.receipt(r.issueMade(content, `{"total":"10.00"}`)), r.receipt(r.issueMade(content, `{"total":"10.01"}`))
	if *first.Receipt.DataSHA256 == *second.Receipt.DataSHA256 || first.Signature.Value == second.Signature.Value {
		t.Errorf("they are the same: %+v, %+v", first, second)
	}
}

func TestOneChangedDigitOfAReceiptOrASignatureIsCaught(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	text := r.receiptText(r.issueMade(content, "1"))
	keys := r.trusted()
	signed := signedOf(t, text)
	if spaced, _ := json.MarshalIndent(signed, "", "   "); !keys.Verify(signedOf(t, string(spaced))) {
		t.Error("white space counts")
	}
	changed := 0
	for i, c := range signed.Receipt {
		if c < '0' || c > '9' {
			continue
		}
		other := signed
		other.Receipt = slices.Clone(signed.Receipt)
		other.Receipt[i] = '0' + (c-'0'+1)%10
		changed++
		if keys.Verify(other) {
			t.Errorf("digit %d is not signed: %s", i, other.Receipt)
		}
	}
	if changed < 100 {
		t.Errorf("only %d digits were changed", changed)
	}
	value, err := base64.StdEncoding.DecodeString(signed.Signature.Value)
	if err != nil {
		t.Fatal(err)
	}
	for i := range value {
		other := signed
		flipped := slices.Clone(value)
		flipped[i] ^= 1
		other.Signature.Value = base64.StdEncoding.EncodeToString(flipped)
		if keys.Verify(other) {
			t.Errorf("byte %d of the signature does not count", i)
		}
	}
}

func TestAReceiptSurvivesThePurge(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	read1, unread := r.issueMade(content, "1"), r.issueMade(content, "2")
	before := r.receiptText(read1)
	for _, id := range []string{read1, unread} {
		read[api.Document](t, r.delete("/documents/"+id), http.StatusOK)
	}
	if after := r.receiptText(read1); after != before {
		t.Errorf("got %s, before it was %s", after, before)
	}
	if late := r.receipt(unread); late.Receipt.SHA256 != sha(content) || *late.Receipt.DataSHA256 != sha("2") || !r.trusted().Verify(signedOf(t, r.receiptText(unread))) {
		t.Errorf("a receipt that was made after the purge: %+v", late)
	}
}

func TestWhatWasNotIssuedHasNoReceipt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	pending, failed, purged := r.submit(page), r.submit(page), r.submit(page)
	r.fail(failed.ID)
	r.fail(purged.ID)
	read[api.Document](t, r.delete("/documents/"+purged.DocumentID), http.StatusOK)
	refused(t, r.get("/documents/"+pending.DocumentID+"/receipt"), http.StatusConflict, api.CodeDocumentPending)
	refused(t, r.get("/documents/"+failed.DocumentID+"/receipt"), http.StatusConflict, api.CodeDocumentNotIssued)
	refused(t, r.get("/documents/"+purged.DocumentID+"/receipt"), http.StatusGone, api.CodeDocumentPurged)
	if got := read[api.Verification](t, r.post("/documents/"+failed.DocumentID+"/verify", bytesBody(content)), http.StatusOK); got.Status != api.VerifiedUnknown || got.Documents[0].Receipt != nil {
		t.Errorf("got %+v", got)
	}
}

func TestADocumentOfAnOlderBuildHasAReceiptOfWhatIsKnown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(page)
	r.issue(j.ID, content) // notes nothing of what made it
	got := r.receipt(j.DocumentID)
	if got.Receipt.SHA256 != sha(content) || got.Receipt.Input != nil || got.Receipt.Output != nil || got.Receipt.Strict != nil || got.Receipt.Engine.Name != "test" {
		t.Errorf("got %+v", got.Receipt)
	}
	// What a build from before the indexes left is found once its receipt was read.
	rdb := r.redis.Client()
	if err := rdb.Del(t.Context(), "pl:{p0}:nums:default:0", "pl:{p0}:sums:default").Err(); err != nil {
		t.Fatal(err)
	}
	if err := rdb.HDel(t.Context(), "pl:{p0}:document:"+j.DocumentID, "receipt").Err(); err != nil {
		t.Fatal(err)
	}
	if found := read[api.Verification](t, r.post("/verify", bytesBody(content)), http.StatusOK); found.Status != api.VerifiedUnknown {
		t.Fatalf("found without an index: %+v", found)
	}
	if again := r.receipt(j.DocumentID); cmp.Diff(got, again) != "" {
		t.Errorf("made again it is another one:\n%s", cmp.Diff(got, again))
	}
	if found := read[api.Verification](t, r.post("/verify", bytesBody(content)), http.StatusOK); found.Status != api.VerifiedGenuine {
		t.Errorf("got %+v", found)
	}
}

func TestProcessesThatSignAtOnceMakeOneKeyAndOneReceipt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.issueMade(content, "1")
	texts := make([]string, 8)
	var group sync.WaitGroup
	for i := range texts {
		process := r.another()
		group.Go(func() { texts[i] = string(process.get("/documents/" + id + "/receipt").body) })
	}
	group.Wait()
	if slices.Sort(texts); len(slices.Compact(texts)) != 1 {
		t.Errorf("several receipts: %q", texts)
	}
	if list := read[api.SigningKeyList](t, r.get("/keys/signing"), http.StatusOK); len(list.Data) != 1 || !list.Data[0].Current {
		t.Errorf("keys %+v", list.Data)
	}
	if !r.trusted().Verify(signedOf(t, texts[0])) {
		t.Errorf("not by the key that stands: %s", texts[0])
	}
}

func TestANewKeySignsAndTheOldOnesVerifyForEver(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	old := r.issueMade(content, "1")
	before := r.receiptText(old)
	unsigned := r.issueMade(content, "2")
	for range 2 {
		made := read[api.SigningKey](t, r.post("/admin/tenants/default/signing-keys", as(adminKey)), http.StatusCreated)
		if !made.Current {
			t.Errorf("made %+v", made)
		}
	}
	list := read[api.SigningKeyList](t, r.get("/keys/signing"), http.StatusOK).Data
	if len(list) != 3 || list[0].Current || list[1].Current || !list[2].Current || list[0].CreatedAt.IsZero() {
		t.Fatalf("keys %+v", list)
	}
	if after := r.receiptText(old); after != before || signedOf(t, after).Signature.KeyID != list[0].KeyID || !r.trusted().Verify(signedOf(t, after)) {
		t.Errorf("the old receipt is %s", after)
	}
	if got := r.receipt(unsigned).Signature.KeyID; got != list[2].KeyID {
		t.Errorf("signed by %s, not by the new key %s", got, list[2].KeyID)
	}
	// Links belong to the first key, whatever comes later.
	if got := r.receipt(old).VerifyURL; !strings.Contains(before, got) {
		t.Errorf("the link is %s now", got)
	}
	other := r.newKey("other", jobs.ScopeRead)
	theirs := read[api.SigningKeyList](t, r.get("/keys/signing", as(other)), http.StatusOK).Data
	if len(theirs) != 1 || theirs[0].KeyID == list[0].KeyID {
		t.Errorf("another tenant has %+v", theirs)
	}
	refused(t, r.post("/admin/tenants/default/signing-keys", as(adminKey), jsonBody(`{}`), wrong), http.StatusBadRequest, api.CodeBodyMalformed)
}

func TestARotationThatNeverComesToItsTurnIsAConflict(t *testing.T) {
	t.Parallel()
	r := newRig(t).another(func(s *jobs.Service) { s.Store = contended{s.Store} })
	refused(t, r.post("/admin/tenants/default/signing-keys", as(adminKey)), http.StatusConflict, api.CodeTenantChanged)
}

func TestSigningKeysSurviveTheMasterKey(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := r.issueMade(content, "1")
	before, keys := r.receiptText(id), string(r.get("/keys/signing").body)
	link := strings.TrimPrefix(r.receipt(id).VerifyURL, publicURL)

	fresh := secretKey(t)
	rotating := r.another(func(s *jobs.Service) { s.Key = fresh.Before(s.Key) })
	if got, want := rotating.resealAll(), (api.Resealed{Checked: 2, Rewritten: 2}); got != want { // secrets and signing keys
		t.Errorf("resealed %+v, want %+v", got, want)
	}
	after := r.another(func(s *jobs.Service) { s.Key = fresh })
	if got := string(after.get("/keys/signing").body); got != keys {
		t.Errorf("the keys are %s, they were %s", got, keys)
	}
	if got := after.receiptText(id); got != before {
		t.Errorf("the receipt is %s, it was %s", got, before)
	}
	if a := after.get(link, as("")); a.status != http.StatusOK {
		t.Errorf("the printed link: %d", a.status)
	}
	second := after.issueMade(content, "2")
	if !after.trusted().Verify(signedOf(t, after.receiptText(second))) {
		t.Error("what is signed now is not by the key")
	}
	// A process without the key that sealed them signs nothing, and makes no other key either.
	lost := r.another(func(s *jobs.Service) { s.Key = secretKey(t) })
	refused(t, lost.get("/keys/signing"), http.StatusInternalServerError, api.CodeInternal)
	if got := string(after.get("/keys/signing").body); got != keys {
		t.Errorf("the keys are %s now", got)
	}
}

func TestARemovedDocumentIsAMissingNumber(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var ids []string
	for range 5 {
		ids = append(ids, r.issueMade(content, "1"))
	}
	read[api.Document](t, r.delete("/documents/"+ids[1]), http.StatusOK)
	rdb := r.redis.Client()
	if err := rdb.Del(t.Context(), "pl:{p0}:document:"+ids[3]).Err(); err != nil {
		t.Fatal(err)
	}
	if err := rdb.HDel(t.Context(), "pl:{p0}:nums:default:0", "5").Err(); err != nil {
		t.Fatal(err)
	}
	var got []api.IssuedNumber
	for path := "/receipts?limit=2"; ; {
		page := read[api.IssuedNumberList](t, r.get(path), http.StatusOK)
		got = append(got, page.Data...)
		if page.LastNumber != 5 || len(page.Data) > 2 {
			t.Errorf("page %+v", page)
		}
		if page.NextCursor == nil {
			break
		}
		path = "/receipts?limit=2&cursor=" + *page.NextCursor
	}
	statuses := []api.NumberStatus{}
	for i, n := range got {
		if n.IssueNumber != int64(i+1) {
			t.Errorf("entry %d is %+v", i, n)
		}
		statuses = append(statuses, n.Status)
	}
	want := []api.NumberStatus{api.NumberIssued, api.NumberPurged, api.NumberIssued, api.NumberMissing, api.NumberMissing}
	if diff := cmp.Diff(want, statuses); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if *got[3].DocumentID != ids[3] || got[4].DocumentID != nil || *got[1].SHA256 != sha(content) {
		t.Errorf("got %+v", got)
	}
	for _, cursor := range []string{"5", "6", "999999999999999999"} {
		if page := read[api.IssuedNumberList](t, r.get("/receipts?cursor="+cursor), http.StatusOK); len(page.Data) != 0 || page.NextCursor != nil || page.LastNumber != 5 {
			t.Errorf("after %s comes %+v", cursor, page)
		}
	}
	for _, cursor := range []string{"-1", "%2B1", "9223372036854775807", "99999999999999999999"} {
		refused(t, r.get("/receipts?cursor="+cursor, wrong), http.StatusBadRequest, api.CodeQueryMalformed)
	}
	refused(t, r.get("/receipts?status=missing", wrong), http.StatusBadRequest, api.CodeQueryMalformed)
	other := r.newKey("other", jobs.ScopeRead)
	if list := read[api.IssuedNumberList](t, r.get("/receipts", as(other)), http.StatusOK); len(list.Data) != 0 || list.LastNumber != 0 {
		t.Errorf("another tenant sees %+v", list)
	}
}

func TestAnInputThatIsKeptNoLongerCannotBeRetried(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := r.submit(`{"html":"<p>Geheimnis</p>","input_retention_seconds":1}`)
	r.fail(j.ID)
	eventually(t, "the input is forgotten", func() bool {
		cleaned, err := r.store.Clean(t.Context(), 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		return len(cleaned.Inputs) == 1
	})
	refused(t, r.post("/jobs/"+j.ID+"/retry"), http.StatusGone, api.CodeInputPurged)
	if got := r.job(j.ID); got.Status != api.JobFailed || got.FinishedAt == nil || time.Since(*got.FinishedAt) > time.Hour {
		t.Errorf("job %+v", got)
	}
	keys, err := r.redis.Client().Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range keys {
		if dump, err := r.redis.Client().Dump(t.Context(), name).Result(); err != nil || strings.Contains(dump, "Geheimnis") {
			t.Errorf("%s holds the input still, %v", name, err)
		}
	}
}
