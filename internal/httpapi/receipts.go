package httpapi

import (
	"encoding/base64"
	"net/http"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/receipts"
)

// getReceipt shows the receipt of a document that was issued, purged or not. It is made now if it was not made before.
func (s *Server) getReceipt(c *call) error {
	d, err := s.ownDocument(c)
	if err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	if d.Result == nil {
		return s.service.Readable(ctx, d) // says why nothing was issued
	}
	signed, err := s.signer.Receipt(ctx, d)
	if err != nil {
		return err
	}
	shown, err := s.receipt(c, d, signed)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, shown)
}

// shownReceipt is an [api.SignedReceipt] whose receipt has every member that was signed, in the order of the signed text.
type shownReceipt struct {
	receipts.Signed
	VerifyURL string `json:"verify_url"`
}

func (s *Server) receipt(c *call, d jobs.Document, signed receipts.Signed) (shownReceipt, error) {
	url, err := s.signer.VerifyURL(c.Request().Context(), d.Tenant, d.ID)
	return shownReceipt{Signed: signed, VerifyURL: url}, err
}

// listReceipts shows a page of the tenant's issue numbers, the lowest first, and those whose documents are gone.
func (s *Server) listReceipts(c *call) error {
	q := c.query("limit", "cursor")
	after, limit := q.number("cursor"), q.limit()
	if q.err != nil {
		return q.err
	}
	page, err := s.service.Store.Numbers(c.Request().Context(), c.key.Tenant, after, limit)
	if err != nil {
		return err
	}
	list := api.IssuedNumberList{Data: each(page.Items, numbered), LastNumber: page.Last}
	if n := len(page.Items); n > 0 && page.Items[n-1].Number < page.Last {
		list.NextCursor = orNil(strconv.FormatInt(page.Items[n-1].Number, 10))
	}
	return c.respond(http.StatusOK, list)
}

// number is a parameter that is a number, 0 when it is left out.
func (q *query) number(name string) int64 {
	if q.get(name) == "" {
		return 0
	}
	const digits = 18 // fit into an int64 with room to count on
	n, err := strconv.ParseUint(q.get(name), 10, 64)
	if err != nil || len(q.get(name)) > digits {
		q.fail("%s must be the next_cursor of the page before.", name)
	}
	return int64(n) //nolint:gosec // of at most 18 digits
}

func numbered(n jobs.Numbered) api.IssuedNumber {
	shown := api.IssuedNumber{IssueNumber: n.Number, Status: api.NumberMissing, DocumentID: orNil(string(n.Document))}
	if d := n.Found; d != nil {
		shown.Status = api.NumberIssued
		if d.Status == jobs.Purged {
			shown.Status = api.NumberPurged
		}
		shown.DocumentKey, shown.IssuedAt = orNil(d.Key), timeOrNil(d.Issued)
		if d.Result != nil {
			shown.SHA256 = &d.Result.SHA256
		}
	}
	return shown
}

// listSigningKeys shows the public keys of the key's tenant. The first one is made now if nobody has needed it before.
func (s *Server) listSigningKeys(c *call) error {
	ctx, cancel := c.lasting()
	defer cancel()
	keys, err := s.signer.SigningKeys(ctx, c.key.Tenant)
	if err != nil {
		return err
	}
	return c.respond(http.StatusOK, api.SigningKeyList{Data: each(keys, signingKey)})
}

// rotateSigningKey gives a tenant a new key to sign with.
func (s *Server) rotateSigningKey(c *call) error {
	name, err := c.tenantName()
	if err != nil {
		return err
	}
	if err := s.noBody(c); err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	made, err := s.signer.RotateSigningKey(ctx, name)
	if err != nil {
		return err
	}
	return c.respond(http.StatusCreated, signingKey(made))
}

func signingKey(k jobs.SigningKey) api.SigningKey {
	return api.SigningKey{
		KeyID: k.ID, Algorithm: receipts.Algorithm, PublicKey: base64.StdEncoding.EncodeToString(k.Public), CreatedAt: k.Created.UTC(), Current: k.Current,
	}
}
