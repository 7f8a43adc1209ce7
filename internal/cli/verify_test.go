package cli_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/receipts"
)

var signingKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

func publicKey() api.SigningKey {
	public, _ := signingKey.Public().(ed25519.PublicKey)
	return api.SigningKey{
		KeyID: receipts.KeyID(public), Algorithm: receipts.Algorithm, PublicKey: base64.StdEncoding.EncodeToString(public), CreatedAt: noon, Current: true,
	}
}

func signedReceipt(t *testing.T) (api.SignedReceipt, string) {
	t.Helper()
	key := "invoice:7"
	signed, err := receipts.Sign(api.Receipt{
		Version: 1, Tenant: "shop", DocumentID: documentID, DocumentKey: &key, JobID: jobID, IssueNumber: 42, IssuedAt: noon, SHA256: digest(pdf), Bytes: int64(len(pdf)),
		Pages: 2, ContentType: "application/pdf", Filename: "a.pdf", Resources: []api.ReceiptResource{}, Engine: api.ReceiptEngine{Name: "native", Version: "1"},
		Template: &api.ReceiptTemplate{Name: "invoice", Version: 3, SHA256: digest("t")},
	}, signingKey)
	if err != nil {
		t.Fatal(err)
	}
	says, err := signed.Says()
	if err != nil {
		t.Fatal(err)
	}
	shown := api.SignedReceipt{Receipt: says, Signature: signed.Signature, VerifyURL: "http://platen.test/verify/" + documentID + "?code=00"}
	text, err := json.MarshalIndent(shown, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return shown, string(text)
}

func TestAFileIsVerifiedWithoutAnyServer(t *testing.T) {
	t.Parallel()
	_, receipt := signedReceipt(t)
	dir := t.TempDir()
	keys, err := json.Marshal(api.SigningKeyList{Data: []api.SigningKey{publicKey()}})
	if err != nil {
		t.Fatal(err)
	}
	public, _ := signingKey.Public().(ed25519.PublicKey)
	pem, err := receipts.PEM(public)
	if err != nil {
		t.Fatal(err)
	}
	other, err := receipts.PEM(ed25519.PublicKey(bytes.Repeat([]byte{9}, ed25519.PublicKeySize)))
	if err != nil {
		t.Fatal(err)
	}
	flipped := []byte(pdf)
	flipped[5] ^= 1
	for _, test := range []struct {
		name, content, receipt, keys string
		status                       int
		want                         []string
	}{
		{"genuine, JSON", pdf, receipt, string(keys), 0, []string{"genuine\n", "invoice:7", "42", "invoice, version 3", publicKey().KeyID, "2026-03-02 12:00:00Z"}},
		{"genuine, PEM", pdf, receipt, string(pem), 0, []string{"genuine\n"}},
		{"genuine, base64", pdf, receipt, publicKey().PublicKey, 0, []string{"genuine\n"}},
		{"one flipped byte", string(flipped), receipt, string(keys), 1, []string{"altered\n", "bytes: the file is not", "invoice:7", "file sha256    " + digest(string(flipped)), "issued sha256  " + digest(pdf)}},
		{"one digit of the receipt", pdf, strings.Replace(receipt, `"issue_number": 42`, `"issue_number": 43`, 1), string(keys), 1, []string{"altered\n", "receipt: "}},
		{"a signature that is none", pdf, strings.Replace(receipt, `"value": "`, `"value": "AAAA`, 1), string(keys), 1, []string{"altered\n", "signature: "}},
		{"another key", pdf, receipt, string(other), 1, []string{"altered\n", "signature: none of the keys"}},
	} {
		f, r, k := file(t, dir, "a.pdf", test.content), file(t, dir, "r.json", test.receipt), file(t, dir, "k", test.keys)
		got := run(t, nil, "", nil, "verify", f, "--receipt", r, "--key", k)
		if got.status != test.status {
			t.Errorf("%s: status %d, %s%s", test.name, got.status, got.stdout, got.stderr)
		}
		for _, want := range test.want {
			if !strings.Contains(got.stdout, want) {
				t.Errorf("%s: %q is not in %s", test.name, want, got.stdout)
			}
		}
		if regexp.MustCompile(`number +43`).MatchString(got.stdout) {
			t.Errorf("%s: what nobody has signed is repeated: %s", test.name, got.stdout)
		}
		inJSON := run(t, nil, test.content, nil, "verify", "-", "--receipt", r, "--key", k, "--json")
		var v api.Verification
		if err := json.Unmarshal([]byte(inJSON.stdout), &v); err != nil || inJSON.status != test.status || !strings.HasPrefix(test.want[0], string(v.Status)) {
			t.Errorf("%s: status %d, %s, %v", test.name, inJSON.status, inJSON.stdout, err)
		}
	}
}

func TestWhatIsNoReceiptAndNoKeyIsSaid(t *testing.T) {
	t.Parallel()
	_, receipt := signedReceipt(t)
	dir := t.TempDir()
	f, r, k := file(t, dir, "a.pdf", pdf), file(t, dir, "r.json", receipt), file(t, dir, "k", publicKey().PublicKey)
	twice := file(t, dir, "twice.json", strings.Replace(receipt, `"tenant": "shop"`, `"tenant": "other", "tenant": "shop"`, 1))
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"verify", f, "--receipt", r}, 2, "--receipt and --key belong together"},
		{[]string{"verify", f, "--key", k}, 2, "--receipt and --key belong together"},
		{[]string{"verify", f, "--receipt", r, "--key", k, "--document", documentID}, 2, "none is asked"},
		{[]string{"verify"}, 2, "FILE is missing"},
		{[]string{"verify", dir + "/none", "--receipt", r, "--key", k}, 1, "no such file"},
		{[]string{"verify", f, "--receipt", dir + "/none", "--key", k}, 1, "no such file"},
		{[]string{"verify", f, "--receipt", k, "--key", k}, 1, "not valid JSON"},
		{[]string{"verify", f, "--receipt", twice, "--key", k}, 1, `two members named "tenant"`},
		{[]string{"verify", f, "--receipt", file(t, dir, "x.json", "{}"), "--key", k}, 1, "is not a receipt"},
		{[]string{"verify", f, "--receipt", r, "--key", r}, 1, "want the JSON of GET /keys/signing"},
	} {
		if got := run(t, nil, "", nil, test.args...); got.status != test.status || !strings.Contains(got.stderr, test.want) || got.stdout != "" {
			t.Errorf("%v: status %d, %s%s", test.args, got.status, got.stdout, got.stderr)
		}
	}
}

func TestAServerIsAskedWithTheBytes(t *testing.T) {
	t.Parallel()
	receipt, _ := signedReceipt(t)
	answer := func(status api.VerificationStatus) http.HandlerFunc {
		v := api.Verification{Status: status, SHA256: digest(pdf), Bytes: int64(len(pdf)), Documents: []api.VerifiedDocument{}}
		if status != api.VerifiedUnknown {
			v.Documents = append(v.Documents, api.VerifiedDocument{DocumentID: documentID, Status: status, Receipt: &receipt})
		}
		return reply(http.StatusOK, v)
	}
	dir := t.TempDir()
	f := file(t, dir, "a.pdf", pdf)
	for status, want := range map[api.VerificationStatus]int{api.VerifiedGenuine: 0, api.VerifiedPurged: 0, api.VerifiedAltered: 1, api.VerifiedUnknown: 1} {
		s := newServer(map[string]http.HandlerFunc{"POST /verify": answer(status), "POST /documents/{id}/verify": answer(status)})
		for _, test := range []struct {
			line string
			args []string
		}{{"POST /verify", nil}, {"POST /documents/" + documentID + "/verify", []string{"--document", documentID}}} {
			got := run(t, s, "", withKey, append([]string{"verify", f}, test.args...)...)
			if got.status != want || !strings.HasPrefix(got.stdout, string(status)+"\n") {
				t.Errorf("%s: status %d, %s%s", status, got.status, got.stdout, got.stderr)
			}
			if n := strings.Count(got.stdout, string(status)); n != 1 {
				t.Errorf("%s is said %d times: %s", status, n, got.stdout)
			}
			if asked := s.request(t, test.line); asked.body != pdf {
				t.Errorf("sent %q", asked.body)
			}
		}
	}
}

func TestEachOfSeveralDocumentsHasItsVerdict(t *testing.T) {
	t.Parallel()
	receipt, _ := signedReceipt(t)
	s := newServer(map[string]http.HandlerFunc{"POST /verify": reply(http.StatusOK, api.Verification{
		Status: api.VerifiedGenuine, SHA256: digest(pdf), Bytes: int64(len(pdf)), Documents: []api.VerifiedDocument{
			{DocumentID: documentID, Status: api.VerifiedGenuine, Receipt: &receipt}, {DocumentID: "doc_01KCPDHS1S0EXAMPZE00000003", Status: api.VerifiedPurged, Receipt: &receipt},
		},
	})})
	got := run(t, s, "", withKey, "verify", file(t, t.TempDir(), "a.pdf", pdf))
	for _, want := range []string{"genuine\nfile sha256 ", "status         genuine\n", "status         purged\n"} {
		if got.status != 0 || strings.Count(got.stdout, want) != 1 {
			t.Errorf("%q is not there once: %s%s", want, got.stdout, got.stderr)
		}
	}
}

func TestReceiptsAndKeysArePrintedToBeKept(t *testing.T) {
	t.Parallel()
	receipt, _ := signedReceipt(t)
	s := newServer(map[string]http.HandlerFunc{
		"GET /documents/{id}/receipt": reply(http.StatusOK, receipt), "GET /keys/signing": reply(http.StatusOK, api.SigningKeyList{Data: []api.SigningKey{publicKey()}}),
		"POST /admin/tenants/{name}/signing-keys": reply(http.StatusCreated, publicKey()),
	})
	dir := t.TempDir()
	r := file(t, dir, "r.json", run(t, s, "", withKey, "receipts", "get", documentID).stdout)
	for _, args := range [][]string{{"receipts", "keys"}, {"receipts", "keys", "--pem"}} {
		k := file(t, dir, "k", run(t, s, "", withKey, args...).stdout)
		if got := run(t, nil, "", nil, "verify", file(t, dir, "a.pdf", pdf), "--receipt", r, "--key", k); got.status != 0 {
			t.Errorf("%v: status %d, %s%s", args, got.status, got.stdout, got.stderr)
		}
	}
	got := run(t, s, "", withAdminKey, "receipts", "rotate", "--tenant", "shop")
	if got.status != 0 || !strings.Contains(got.stdout, publicKey().KeyID) || s.request(t, "POST /admin/tenants/shop/signing-keys").body != "" {
		t.Errorf("rotate: %d, %s%s", got.status, got.stdout, got.stderr)
	}
}

func TestMissingNumbersAreToldAndCount(t *testing.T) {
	t.Parallel()
	id, next := documentID, "2"
	number := func(n int64, status api.NumberStatus) api.IssuedNumber {
		return api.IssuedNumber{IssueNumber: n, Status: status, DocumentID: &id, IssuedAt: &noon}
	}
	pages := map[string]api.IssuedNumberList{
		"":  {Data: []api.IssuedNumber{number(1, api.NumberIssued), number(2, api.NumberMissing)}, LastNumber: 4, NextCursor: &next},
		"2": {Data: []api.IssuedNumber{number(3, api.NumberPurged), {IssueNumber: 4, Status: api.NumberMissing}}, LastNumber: 4},
	}
	s := newServer(map[string]http.HandlerFunc{"GET /receipts": func(w http.ResponseWriter, r *http.Request) {
		reply(http.StatusOK, pages[r.URL.Query().Get("cursor")])(w, r)
	}})
	got := run(t, s, "", withKey, "receipts", "check")
	if want := "NUMBER  DOCUMENT\n2       " + documentID + "\n4       -\n"; got.status != 1 || got.stdout != want || !strings.Contains(got.stderr, "the last number is 4, 2 are missing") {
		t.Errorf("status %d, %s%s", got.status, got.stdout, got.stderr)
	}
	pages["2"] = api.IssuedNumberList{Data: []api.IssuedNumber{}, LastNumber: 2}
	pages[""].Data[1].Status = api.NumberIssued
	if got := run(t, s, "", withKey, "receipts", "check", "--json"); got.status != 0 || strings.TrimSpace(got.stdout) != "[]" {
		t.Errorf("status %d, %s%s", got.status, got.stdout, got.stderr)
	}
}
