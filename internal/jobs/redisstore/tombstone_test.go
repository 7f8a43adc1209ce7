package redisstore_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/jobs/redisstore"
	"github.com/platen-render/platen/internal/receipts"
	"github.com/platen-render/platen/internal/redistest"
	"github.com/platen-render/platen/internal/render"
)

// BenchmarkTombstone tells how many bytes a document takes for ever, in bytes/document: once its job's record has gone (issued), and
// once it is purged, each with and without a receipt. docs/receipts.md has the figures.
func BenchmarkTombstone(b *testing.B) {
	for _, signed := range []bool{false, true} {
		for _, purged := range []bool{false, true} {
			b.Run(fmt.Sprintf("receipt=%v/purged=%v", signed, purged), func(b *testing.B) { measureTombstones(b, signed, purged) })
		}
	}
}

const tombstones = 4000

func measureTombstones(b *testing.B, signed, purged bool) {
	b.Helper()
	rdb := redistest.Start(b).Client()
	store := redisstore.New(rdb, redisstore.Options{JobRetention: time.Millisecond})
	var bytesEach float64
	for b.Loop() {
		before := usedMemory(b, rdb)
		for n := range tombstones {
			leaveTombstone(b, store, n, signed, purged)
		}
		for cleaned := 1; cleaned > 0; {
			c, err := store.Clean(b.Context(), 0, 1000)
			if err != nil {
				b.Fatal(err)
			}
			cleaned = len(c.Jobs)
		}
		bytesEach = float64(usedMemory(b, rdb)-before) / tombstones
	}
	b.ReportMetric(bytesEach, "bytes/document")
	b.ReportMetric(0, "ns/op")
}

func randomHex() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	return hex.EncodeToString(raw)
}

// leaveTombstone issues a document as a worker does an invoice with a template of the tenant and a logo.
func leaveTombstone(b *testing.B, store *redisstore.Store, n int, signed, purged bool) {
	b.Helper()
	id, document := jobs.NewID(jobs.KindJob, 0), jobs.NewID(jobs.KindDocument, 0)
	a := jobs.Acceptance{Nonce: rand.Text(), Job: jobs.Job{
		ID: id, Document: document, DocumentKey: fmt.Sprintf("invoice:2026-%05d", n), Tenant: "default", Class: "render", Fingerprint: jobs.Fingerprint(randomHex()),
		Spec: make([]byte, 1000), Event: jobs.NewID(jobs.KindEvent, 0), Delivery: jobs.NewID(jobs.KindDelivery, 0),
	}}
	if got, err := store.Accept(b.Context(), a); err != nil || got.Verdict != jobs.Created {
		b.Fatal(got, err)
	}
	c, err := store.Claim(b.Context(), id, 1, rand.Text(), time.Minute)
	if err != nil {
		b.Fatal(err)
	}
	template := randomHex()
	r := jobs.Result{
		Blob: jobs.OutputBlob(c.Job, render.PDF), SHA256: randomHex(), Bytes: 48211, Pages: 2, ContentType: "application/pdf", Filename: string(document) + ".pdf",
		Engine: "native", Version: "1", Made: &jobs.Provenance{
			Input: jobs.InputStored, Text: template, Template: &jobs.TemplateRef{Name: "invoice", Version: 3, SHA256: template}, Data: randomHex(),
			Resources: []jobs.ResourceDigest{{Name: "asset:logo.png", SHA256: randomHex()}}, Fonts: randomHex(), Asked: "auto", Output: render.DefaultOutput(), Attempts: 1,
		},
	}
	if got, err := store.Complete(b.Context(), id, c.Job.Fence(), r, nil); err != nil || got != jobs.Won {
		b.Fatal(got, err)
	}
	if signed {
		signer(b, store, document)
	}
	if purged {
		if _, err := store.Purge(b.Context(), document); err != nil {
			b.Fatal(err)
		}
	}
}

// signer keeps a receipt like that of [jobs.Signer], whose tenant has no record here.
func signer(b *testing.B, store *redisstore.Store, id jobs.ID) {
	b.Helper()
	d, err := store.Document(b.Context(), id)
	if err != nil {
		b.Fatal(err)
	}
	digest := func(text string) *string { return &text }
	signed, err := receipts.Sign(api.Receipt{
		Version: 1, Tenant: d.Tenant, DocumentID: string(d.ID), DocumentKey: &d.Key, JobID: string(d.Job), IssueNumber: d.Number, IssuedAt: d.Issued,
		SHA256: d.Result.SHA256, Bytes: d.Result.Bytes, Pages: 2, ContentType: "application/pdf", Filename: d.Result.Filename,
		Input: &api.ReceiptInput{Kind: "stored", SHA256: d.Made.Text}, Template: &api.ReceiptTemplate{Name: "invoice", Version: 3, SHA256: d.Made.Text},
		DataSHA256: digest(d.Made.Data), Resources: []api.ReceiptResource{{Name: "asset:logo.png", SHA256: d.Made.Resources[0].SHA256}},
		Engine: api.ReceiptEngine{Name: "native", Version: "1", Asked: digest("auto")}, FontsSHA256: digest(d.Made.Fonts),
		Output: &api.ReceiptOutput{Format: "pdf", WidthMM: 210, HeightMM: 297, Scale: 1, MarginMM: api.ReceiptMargin{Top: 20, Right: 20, Bottom: 20, Left: 20}, Locale: "en", TimeZone: "UTC"},
		Strict: new(false), Attempts: new(1),
	}, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)))
	if err != nil {
		b.Fatal(err)
	}
	text, err := json.Marshal(signed)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := store.PutReceipt(b.Context(), d, text); err != nil {
		b.Fatal(err)
	}
}

func usedMemory(b *testing.B, rdb redis.UniversalClient) int64 {
	b.Helper()
	info, err := rdb.Info(b.Context(), "memory").Result()
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(info, "used_memory:")
	n, err := strconv.ParseInt(strings.TrimSpace(strings.SplitN(rest, "\n", 2)[0]), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return n
}
