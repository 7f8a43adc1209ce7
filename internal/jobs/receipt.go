package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/receipts"
	"github.com/platen-render/platen/internal/render"
)

// Receipts is what receipts and verification need of the store.
type Receipts interface {
	// PutReceipt records the signed receipt of a document that was issued, unless it has one, and returns the one that stands.
	// [ErrDocumentNotFound], [ErrNotIssued].
	PutReceipt(ctx context.Context, d Document, receipt []byte) ([]byte, error)
	// DocumentsByHash returns at most limit documents of a tenant that were issued with bytes of the hex SHA-256.
	DocumentsByHash(ctx context.Context, tenant, sha256 string, limit int) ([]Document, error)
	// Numbers lists the issue numbers of a tenant that follow after one, at most limit.
	Numbers(ctx context.Context, tenant string, after int64, limit int) (Numbers, error)
}

// Numbers is a part of the issue numbers of a tenant.
type Numbers struct {
	Items []Numbered // without gaps
	Last  int64      // the last number that the tenant has given; 0 for none
}

// Numbered is a number and the document that it was given to.
type Numbered struct {
	Number   int64
	Document ID        // "" when that is not known
	Found    *Document // nil when its record is gone
}

// Receipt returns the signed receipt of a document that was issued, which is made now if it was not made before: it is always the
// same one. [ErrNotIssued].
func (s *Signer) Receipt(ctx context.Context, d Document) (receipts.Signed, error) {
	text := d.Receipt
	if text == nil {
		var err error
		if text, err = s.make(ctx, d); err != nil {
			return receipts.Signed{}, err
		}
	}
	var signed receipts.Signed
	if err := json.Unmarshal(text, &signed); err != nil {
		return signed, fmt.Errorf("%w of %s: %w", errReceipt, d.ID, err)
	}
	return signed, nil
}

// errReceipt says that what is kept in the place of a receipt is none.
var errReceipt = errors.New("unreadable receipt")

// Ensure makes the receipt of a document that has just been issued.
func (s *Signer) Ensure(ctx context.Context, id ID) error {
	d, err := s.Store.Document(ctx, id)
	if err != nil || d.Receipt != nil {
		return err
	}
	_, err = s.make(ctx, d)
	return err
}

// make signs a receipt and keeps it, unless somebody else was first.
func (s *Signer) make(ctx context.Context, d Document) ([]byte, error) {
	if d.Result == nil || d.Number == 0 {
		return nil, aboutDocument(ErrNotIssued, d)
	}
	ring, err := s.ring(ctx, d.Tenant)
	if err != nil {
		return nil, err
	}
	signed, err := receipts.Sign(receiptOf(d), ring.current())
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(signed)
	if err != nil {
		return nil, fmt.Errorf("encode receipt: %w", err)
	}
	return s.Store.PutReceipt(ctx, d, text)
}

// receiptOf is made of the record of a document and nothing else, so that it can be made at any time.
func receiptOf(d Document) api.Receipt {
	r := api.Receipt{
		Version: 1, Tenant: d.Tenant, DocumentID: string(d.ID), DocumentKey: some(d.Key), JobID: string(d.Job),
		IssueNumber: d.Number, IssuedAt: d.Issued.UTC(),
		SHA256: d.Result.SHA256, Bytes: d.Result.Bytes, Pages: d.Result.Pages, ContentType: d.Result.ContentType, Filename: d.Result.Filename,
		Engine:    api.ReceiptEngine{Name: d.Result.Engine, Version: d.Result.Version, Reason: some(d.Result.Reason)},
		Resources: []api.ReceiptResource{},
	}
	if d.Made != nil {
		tellMade(&r, d.Made.Digested())
	}
	return r
}

// tellMade adds what made the bytes.
func tellMade(r *api.Receipt, p Provenance) {
	r.Input = &api.ReceiptInput{Kind: string(p.Input), SHA256: p.Text}
	if t := p.Template; t != nil {
		r.Template = &api.ReceiptTemplate{Name: t.Name, Version: t.Version, SHA256: t.SHA256}
	}
	r.DataSHA256, r.FontsSHA256 = some(p.Data), some(p.Fonts)
	for _, f := range p.Resources {
		r.Resources = append(r.Resources, api.ReceiptResource{Name: f.Name, SHA256: f.SHA256})
	}
	r.Engine.Asked = some(p.Asked)
	r.Output, r.WaitFor, r.Expect = outputOf(p), waitOf(p.Wait), expectOf(p)
	r.Strict, r.Attempts, r.CachedFrom = &p.Strict, &p.Attempts, some(string(p.CachedFrom))
}

func outputOf(p Provenance) *api.ReceiptOutput {
	o := p.Output
	return &api.ReceiptOutput{
		Format: string(o.Format), WidthMM: o.Width, HeightMM: o.Height, Landscape: o.Landscape, MarginMM: api.ReceiptMargin(o.Margin), Scale: o.Scale,
		HeaderSHA256: some(p.Digests.Header), FooterSHA256: some(p.Digests.Footer), Background: o.Background, Tagged: o.Tagged,
		Locale: o.Locale, TimeZone: o.TimeZone, FullPage: o.FullPage, Pages: some(rangesOf(o.Pages)), MetadataSHA256: some(p.Digests.Meta),
		Outline: o.Outline, DPI: some(o.DPI), Quality: some(o.Quality),
	}
}

// rangesOf spells ranges as a request does.
func rangesOf(ranges []render.PageRange) string {
	texts := make([]string, len(ranges))
	for i, r := range ranges {
		texts[i] = strconv.Itoa(r.First)
		switch r.Last {
		case r.First:
		case 0:
			texts[i] += "-"
		default:
			texts[i] += "-" + strconv.Itoa(r.Last)
		}
	}
	return strings.Join(texts, ",")
}

func waitOf(w render.Wait) *api.ReceiptWait {
	if w.IsZero() {
		return nil
	}
	limit := w.Timeout
	if limit == 0 {
		limit = render.DefaultWait
	}
	return &api.ReceiptWait{Selector: some(w.Selector), NetworkIdle: w.NetworkIdle, TimeoutSeconds: int(limit / time.Second)}
}

func expectOf(p Provenance) *api.ReceiptExpect {
	e := p.Expect
	if e.MinPages == 0 && e.MaxPages == 0 && e.MaxBytes == 0 && p.Digests.Expect == "" {
		return nil
	}
	return &api.ReceiptExpect{MinPages: some(e.MinPages), MaxPages: some(e.MaxPages), MaxBytes: some(e.MaxBytes), TextsSHA256: some(p.Digests.Expect)}
}

// some is nil for what is not there.
func some[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}
