package client_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

var issuedAt = time.Date(2026, 3, 2, 9, 15, 0, 334e6, time.UTC)

func signed() api.SignedReceipt {
	return api.SignedReceipt{
		Receipt: api.Receipt{
			Version: 1, Tenant: "default", DocumentID: documentID, JobID: jobID, IssueNumber: 7, IssuedAt: issuedAt, SHA256: digest(pdf), Bytes: int64(len(pdf)),
			Pages: 2, ContentType: "application/pdf", Filename: "a.pdf", Resources: []api.ReceiptResource{},
		},
		Signature: api.Signature{Algorithm: "ed25519", KeyID: "0123456789abcdef", Value: strings.Repeat("A", 86) + "=="},
		VerifyURL: "https://platen.example/verify/" + documentID + "?code=00",
	}
}

func TestAReceiptIsReadAndKeptAsItWasSigned(t *testing.T) {
	t.Parallel()
	server := serve(t, reply(http.StatusOK, signed()), reply(http.StatusOK, signed()))
	c := server.inMemory()
	got, err := c.Receipt(t.Context(), documentID)
	if diff := cmp.Diff(signed(), got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	text, err := c.ReceiptJSON(t.Context(), documentID)
	if err != nil || !strings.Contains(string(text), `"issue_number":7`) {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := c.ReceiptJSON(t.Context(), "../keys"); err == nil {
		t.Error("another path was asked for")
	}
}

func TestBytesAreSentAsTheyAreToBeVerified(t *testing.T) {
	t.Parallel()
	receipt := signed()
	genuine := api.Verification{
		Status: api.VerifiedGenuine, SHA256: digest(pdf), Bytes: int64(len(pdf)),
		Documents: []api.VerifiedDocument{{DocumentID: documentID, Status: api.VerifiedGenuine, Receipt: &receipt}},
	}
	server := serve(t, reply(http.StatusOK, genuine), reply(http.StatusOK, genuine), problem(http.StatusNotFound, api.CodeDocumentNotFound))
	c := server.inMemory()
	for _, verify := range []func() (api.Verification, error){
		func() (api.Verification, error) { return c.Verify(t.Context(), []byte(pdf)) },
		func() (api.Verification, error) { return c.VerifyDocument(t.Context(), documentID, []byte(pdf)) },
	} {
		if got, err := verify(); err != nil || cmp.Diff(genuine, got) != "" {
			t.Errorf("%v\n%s", err, cmp.Diff(genuine, got))
		}
	}
	if _, err := c.VerifyDocument(t.Context(), documentID, []byte(pdf)); !client.HasCode(err, api.CodeDocumentNotFound) {
		t.Errorf("got %v", err)
	}
	for _, body := range server.bodies() {
		if body != pdf {
			t.Errorf("sent %q", body)
		}
	}
}

func TestAllNumbersAreGoneThrough(t *testing.T) {
	t.Parallel()
	number := func(n int64) api.IssuedNumber { return api.IssuedNumber{IssueNumber: n, Status: api.NumberIssued} }
	next := "2"
	server := serve(
		t,
		reply(http.StatusOK, api.IssuedNumberList{Data: []api.IssuedNumber{number(1), number(2)}, LastNumber: 3, NextCursor: &next}),
		reply(http.StatusOK, api.IssuedNumberList{Data: []api.IssuedNumber{number(3)}, LastNumber: 3}),
	)
	var got []int64
	for n, err := range server.inMemory().Numbers(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, n.IssueNumber)
	}
	if diff := cmp.Diff([]int64{1, 2, 3}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"GET /receipts?limit=200", "GET /receipts?cursor=2&limit=200"}, server.lines()); diff != "" {
		t.Error(diff)
	}
}

func TestASigningKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	key := api.SigningKey{KeyID: "0123456789abcdef", Algorithm: "ed25519", PublicKey: strings.Repeat("A", 43) + "=", CreatedAt: issuedAt, Current: true}
	server := serve(t, cut, reply(http.StatusCreated, key), reply(http.StatusOK, api.SigningKeyList{Data: []api.SigningKey{key}}))
	c := server.overTCP()
	if _, err := c.RotateSigningKey(t.Context(), "shop"); err == nil {
		t.Error("an answer that did not come is one")
	}
	if got, err := c.RotateSigningKey(t.Context(), "shop"); err != nil || got != key {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := c.SigningKeys(t.Context()); err != nil || len(got.Data) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	if diff := cmp.Diff([]string{"POST /admin/tenants/shop/signing-keys", "POST /admin/tenants/shop/signing-keys", "GET /keys/signing"}, server.lines()); diff != "" {
		t.Error(diff)
	}
}
