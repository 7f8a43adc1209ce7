package jobs

import (
	"context"
	"errors"

	"github.com/platen-render/platen/internal/receipts"
)

// Authenticity says what bytes are.
type Authenticity string

// The findings. Whatever is not a document that was issued is unknown.
const (
	Genuine    Authenticity = "genuine"
	Altered    Authenticity = "altered"
	PurgedCopy Authenticity = "purged" // they were issued, and purged here
	Unknown    Authenticity = "unknown"
)

// What can be altered.
const (
	AlteredBytes     = "bytes"     // other bytes than the document's
	AlteredReceipt   = "receipt"   // the record of the document says other than its receipt
	AlteredSignature = "signature" // none of the tenant's keys made the signature of the receipt
)

// Found is a document that bytes were compared with.
type Found struct {
	Document Document
	Status   Authenticity
	Altered  string          // while Status is Altered
	Receipt  receipts.Signed // of what was issued; zero when nothing was, or when no key of the tenant made its signature
	Key      SigningKey      // that made the signature; zero when none did
}

// maxFound bounds how many documents of equal bytes are named.
const maxFound = 20

// Find looks for documents of a tenant that were issued with bytes of a hex SHA-256, at most 20 of them.
func (s *Signer) Find(ctx context.Context, tenant, sha256 string) ([]Found, error) {
	documents, err := s.Store.DocumentsByHash(ctx, tenant, sha256, maxFound)
	if err != nil {
		return nil, err
	}
	found := make([]Found, len(documents))
	for i, d := range documents {
		if found[i], err = s.Compare(ctx, d, sha256); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Compare says what bytes of a hex SHA-256 are to a document. With "" it only says whether the record is in order.
func (s *Signer) Compare(ctx context.Context, d Document, sha256 string) (Found, error) {
	f := Found{Document: d, Status: Unknown}
	if d.Result == nil {
		return f, nil
	}
	signed, err := s.Receipt(ctx, d)
	if err != nil && !errors.Is(err, errReceipt) {
		return f, err
	}
	if f.Key, f.Altered, err = s.examine(ctx, d, signed); err != nil {
		return f, err
	}
	if f.Altered != AlteredSignature {
		f.Receipt = signed // what nobody has signed is shown to nobody
	}
	switch {
	case f.Altered != "":
		f.Status = Altered
	case sha256 != "" && sha256 != d.Result.SHA256:
		f.Status, f.Altered = Altered, AlteredBytes
	case d.Status == Purged:
		f.Status = PurgedCopy
	default:
		f.Status = Genuine
	}
	return f, nil
}

// examine says what is wrong with the record of a document and its receipt, and which key signed it.
func (s *Signer) examine(ctx context.Context, d Document, signed receipts.Signed) (SigningKey, string, error) {
	key, known, err := s.keyOf(ctx, d.Tenant, signed.Signature.KeyID)
	if err != nil {
		return key, "", err
	}
	if !known || !signed.Verify(key.Public) {
		return SigningKey{}, AlteredSignature, nil
	}
	says, err := signed.Says()
	if err != nil {
		return key, "", err
	}
	if says.Tenant != d.Tenant || says.DocumentID != string(d.ID) || says.SHA256 != d.Result.SHA256 || says.Bytes != d.Result.Bytes ||
		says.IssueNumber != d.Number || !says.IssuedAt.Equal(d.Issued) || !equal(says.DocumentKey, d.Key) {
		return key, AlteredReceipt, nil
	}
	return key, "", nil
}

// keyOf finds a key by its id. One that was made a moment ago, by another process, is looked for anew.
func (s *Signer) keyOf(ctx context.Context, tenant, id string) (SigningKey, bool, error) {
	ring, err := s.ring(ctx, tenant)
	if err != nil {
		return SigningKey{}, false, err
	}
	if key, ok := ring.find(id); ok {
		return key, true, nil
	}
	if ring, err = s.fresh(ctx, tenant); err != nil {
		return SigningKey{}, false, err
	}
	key, ok := ring.find(id)
	return key, ok, nil
}

// equal reports whether a member has a value; nil is none.
func equal(member *string, value string) bool {
	if member == nil {
		return value == ""
	}
	return *member == value
}
