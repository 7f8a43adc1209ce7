package jobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/receipts"
	"github.com/platen-render/platen/internal/strictjson"
)

// Manifest writes the signed manifest of a batch that has ended: an [api.SignedManifest] in canonical form. After an error what was
// written is no JSON: it lacks its end, and with it the signature. [ErrBatchPending] comes before anything is written.
func (c *CloseOut) Manifest(ctx context.Context, w io.Writer, b Batch) error {
	_, err := c.manifest(ctx, w, b)
	return err
}

// manifest returns the digest of the entries, by which to see whether they are still the same.
func (c *CloseOut) manifest(ctx context.Context, w io.Writer, b Batch) ([]byte, error) {
	if err := Ended(b); err != nil {
		return nil, err
	}
	ring, err := c.Signer.ring(ctx, b.Tenant)
	if err != nil {
		return nil, err
	}
	head, tail, err := frame(b)
	if err != nil {
		return nil, err
	}
	m := manifestWriter{to: w, whole: sha256.New(), entries: sha256.New()}
	m.plain(`{"manifest":`)
	m.signed(head)
	for e, err := range c.entries(ctx, b) {
		if err == nil {
			err = m.add(e.ManifestEntry)
		}
		if err != nil {
			return nil, err
		}
	}
	m.signed(tail)
	signature, err := json.Marshal(receipts.SignManifest([sha256.Size]byte(m.whole.Sum(nil)), ring.current()))
	if err != nil {
		return nil, fmt.Errorf("encode signature: %w", err)
	}
	m.plain(`,"signature":` + string(signature) + "}\n")
	return m.entries.Sum(nil), m.err
}

// frame is the canonical form of a manifest before and behind its entries.
func frame(b Batch) (head, tail []byte, err error) {
	text, err := canonical(api.Manifest{
		Version: 1, Tenant: b.Tenant, BatchID: string(b.ID), Sequence: b.Epoch, Status: api.BatchStatus(b.Status),
		CreatedAt: b.Created.UTC(), FinishedAt: b.Finished.UTC(), Items: b.Items, Expected: some(b.Expected),
		Counts: countsOf(b), Entries: []api.ManifestEntry{},
	})
	// No other place looks like this: in a string the quotes have a backslash before them.
	const empty, inside = `"entries":[]`, len(`"entries":[`)
	at := bytes.Index(text, []byte(empty)) + inside
	if err != nil {
		return nil, nil, err
	}
	return text[:at], text[at:], nil
}

func canonical(v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	text, err := strictjson.Canonical(raw)
	if err != nil {
		return nil, fmt.Errorf("canonical manifest: %w", err)
	}
	return text, nil
}

// manifestWriter writes a manifest and hashes what is signed of it. Its first error stays.
type manifestWriter struct {
	to             io.Writer
	whole, entries hash.Hash // which never fail
	begun          bool
	err            error
}

func (m *manifestWriter) plain(text string) { m.write([]byte(text)) }

func (m *manifestWriter) write(text []byte) {
	if m.err == nil {
		_, m.err = m.to.Write(text)
	}
}

func (m *manifestWriter) signed(text []byte) {
	_, _ = m.whole.Write(text)
	m.write(text)
}

func (m *manifestWriter) add(e api.ManifestEntry) error {
	text, err := canonical(e)
	if err != nil {
		return err
	}
	if m.begun {
		m.signed([]byte(","))
	}
	m.begun = true
	m.signed(text)
	_, _ = m.entries.Write(text)
	return m.err
}
