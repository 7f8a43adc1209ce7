package api

import "time"

// ManifestSigned begins the text that is signed for a manifest. The SHA-256 of the canonical form of the manifest (RFC 8785) follows, in hex.
const ManifestSigned = "platen manifest v1\n"

// SignedManifest is a manifest with the signature over [ManifestSigned] and its digest. A manifest that was sent is in its canonical form.
type SignedManifest struct {
	Manifest  Manifest  `json:"manifest"`
	Signature Signature `json:"signature"`
}

// Manifest says what has become of each document of a batch, and of each that was expected in it.
type Manifest struct {
	Version    int            `json:"version"` // 1
	Tenant     string         `json:"tenant"`
	BatchID    string         `json:"batch_id"`
	Sequence   int            `json:"sequence"` // that of the batch: a retry makes a new manifest
	Status     BatchStatus    `json:"status"`   // completed or canceled
	CreatedAt  time.Time      `json:"created_at"`
	FinishedAt time.Time      `json:"finished_at"`
	Items      int            `json:"items"`
	Expected   *int           `json:"expected"` // how many keys the caller expected; nil when it named none
	Counts     ManifestCounts `json:"counts"`
	// Entries are the items in their order, and then the keys that are missing, in byte order.
	Entries []ManifestEntry `json:"entries"`
}

// ManifestCounts says how many entries have which status, and how many of them were not expected.
type ManifestCounts struct {
	Issued     int `json:"issued"`
	Reused     int `json:"reused"`
	Failed     int `json:"failed"`
	Canceled   int `json:"canceled"`
	Missing    int `json:"missing"`
	Unexpected int `json:"unexpected"`
}

// ManifestEntry is one document. What it was issued with is nil unless its status is issued or reused.
type ManifestEntry struct {
	Index       *int        `json:"index"` // of the item; nil when missing
	DocumentKey *string     `json:"document_key"`
	Status      EntryStatus `json:"status"`
	Unexpected  bool        `json:"unexpected"`  // the caller named the keys that it expected, and this is none of them
	DocumentID  *string     `json:"document_id"` // nil when missing
	IssueNumber *int64      `json:"issue_number"`
	SHA256      *string     `json:"sha256"` // of the bytes, in hex
	Bytes       *int64      `json:"bytes"`
	Pages       *int        `json:"pages"`
	Purged      bool        `json:"purged"` // it was issued, and its bytes have ended since
	File        *string     `json:"file"`   // its name in the archive; nil when it is not there
}

// EntryStatus is what has become of a document in its batch.
type EntryStatus string

// The statuses of an entry.
const (
	EntryIssued   EntryStatus = "issued"
	EntryReused   EntryStatus = "reused" // it had been issued before, of the same payload
	EntryFailed   EntryStatus = "failed"
	EntryCanceled EntryStatus = "canceled"
	EntryMissing  EntryStatus = "missing" // it was expected, and not sent
)

// ArchiveManifest is the name of the signed manifest in an archive. No document has it.
const ArchiveManifest = "manifest.json"
