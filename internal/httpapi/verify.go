package httpapi

import (
	"net/http"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
)

// verification is an [api.Verification].
type verification struct {
	Status    jobs.Authenticity  `json:"status"`
	SHA256    string             `json:"sha256"`
	Bytes     int64              `json:"bytes"`
	Documents []verifiedDocument `json:"documents"`
}

// verifiedDocument is an [api.VerifiedDocument].
type verifiedDocument struct {
	DocumentID string            `json:"document_id"`
	Status     jobs.Authenticity `json:"status"`
	Altered    *api.AlteredPart  `json:"altered"`
	Receipt    *shownReceipt     `json:"receipt"`
}

// verify says whose bytes these are, if anybody's.
func (s *Server) verify(c *call) error {
	body, err := s.hashBody(c)
	if err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	found, err := s.signer.Find(ctx, c.key.Tenant, body.sha256)
	if err != nil {
		return err
	}
	return s.showVerification(c, body, found)
}

// verifyDocument says whether these bytes are those of a document.
func (s *Server) verifyDocument(c *call) error {
	d, err := s.ownDocument(c) // before the bytes are read
	if err != nil {
		return err
	}
	body, err := s.hashBody(c)
	if err != nil {
		return err
	}
	ctx, cancel := c.lasting()
	defer cancel()
	found, err := s.signer.Compare(ctx, d, body.sha256)
	if err != nil {
		return err
	}
	return s.showVerification(c, body, []jobs.Found{found})
}

func (s *Server) showVerification(c *call, body hashed, found []jobs.Found) error {
	answer := verification{Status: overall(found), SHA256: body.sha256, Bytes: body.bytes, Documents: []verifiedDocument{}}
	for _, f := range found {
		shown := verifiedDocument{DocumentID: string(f.Document.ID), Status: f.Status, Altered: orNil(api.AlteredPart(f.Altered))}
		if f.Receipt.Receipt != nil {
			receipt, err := s.receipt(c, f.Document, f.Receipt)
			if err != nil {
				return err
			}
			shown.Receipt = &receipt
		}
		answer.Documents = append(answer.Documents, shown)
	}
	return c.respond(http.StatusOK, answer)
}

// overall is the best that is found: equal bytes may be those of several documents.
func overall(found []jobs.Found) jobs.Authenticity {
	for _, status := range []jobs.Authenticity{jobs.Genuine, jobs.PurgedCopy, jobs.Altered} {
		for _, f := range found {
			if f.Status == status {
				return status
			}
		}
	}
	return jobs.Unknown
}
