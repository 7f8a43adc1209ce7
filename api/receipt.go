package api

import "time"

// Receipt says what was issued and what made it. It holds digests of what went in, and none of it: the receipt stays when data and
// bytes have gone. Digests are SHA-256 in hex. What is nil was not there, or was not noted by an older build.
type Receipt struct {
	Version     int               `json:"version"` // 1
	Tenant      string            `json:"tenant"`
	DocumentID  string            `json:"document_id"`
	DocumentKey *string           `json:"document_key"`
	JobID       string            `json:"job_id"`
	IssueNumber int64             `json:"issue_number"`
	IssuedAt    time.Time         `json:"issued_at"`
	SHA256      string            `json:"sha256"` // of the bytes
	Bytes       int64             `json:"bytes"`
	Pages       int               `json:"pages"`
	ContentType string            `json:"content_type"`
	Filename    string            `json:"filename"`
	Input       *ReceiptInput     `json:"input"`
	Template    *ReceiptTemplate  `json:"template"`    // the stored one
	DataSHA256  *string           `json:"data_sha256"` // of the canonical form of the data
	Resources   []ReceiptResource `json:"resources"`   // what the page could load, by name
	Engine      ReceiptEngine     `json:"engine"`
	FontsSHA256 *string           `json:"fonts_sha256"` // of all fonts that the engine could choose from
	Output      *ReceiptOutput    `json:"output"`
	WaitFor     *ReceiptWait      `json:"wait_for"`
	Strict      *bool             `json:"strict"`
	Expect      *ReceiptExpect    `json:"expect"`
	Attempts    *int              `json:"attempts"`
	CachedFrom  *string           `json:"cached_from"` // the document whose bytes these are a copy of
}

// ReceiptInput is what a document was made of: "html", "markdown", "template", "stored" or "url", and the digest of the text.
type ReceiptInput struct {
	Kind   string `json:"kind"`
	SHA256 string `json:"sha256"`
}

// ReceiptTemplate is a version of a stored template.
type ReceiptTemplate struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	SHA256  string `json:"sha256"`
}

// ReceiptResource is something that the page could load. The name of an address has no query.
type ReceiptResource struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// ReceiptEngine is what rendered.
type ReceiptEngine struct {
	Name    string  `json:"name"`
	Version string  `json:"version"`
	Asked   *string `json:"asked"`  // what the request said
	Reason  *string `json:"reason"` // why the server did not take the native one
}

// ReceiptOutput is how the document was to look, defaults filled in.
type ReceiptOutput struct {
	Format         string        `json:"format"`
	WidthMM        float64       `json:"width_mm"`
	HeightMM       float64       `json:"height_mm"`
	Landscape      bool          `json:"landscape"`
	MarginMM       ReceiptMargin `json:"margin_mm"`
	Scale          float64       `json:"scale"`
	HeaderSHA256   *string       `json:"header_sha256"`
	FooterSHA256   *string       `json:"footer_sha256"`
	Background     bool          `json:"background"`
	Tagged         bool          `json:"tagged"`
	Locale         string        `json:"locale"`
	TimeZone       string        `json:"time_zone"`
	FullPage       bool          `json:"full_page"`
	Pages          *string       `json:"pages"`
	MetadataSHA256 *string       `json:"metadata_sha256"`
	Outline        bool          `json:"outline"`
	DPI            *int          `json:"dpi"`
	Quality        *int          `json:"quality"`
}

// ReceiptMargin holds margins in millimeters.
type ReceiptMargin struct {
	Top    float64 `json:"top"`
	Right  float64 `json:"right"`
	Bottom float64 `json:"bottom"`
	Left   float64 `json:"left"`
}

// ReceiptWait is what the page was waited for.
type ReceiptWait struct {
	Selector       *string `json:"selector"`
	NetworkIdle    bool    `json:"network_idle"`
	TimeoutSeconds int     `json:"timeout_seconds"`
}

// ReceiptExpect is what was checked before the document was issued.
type ReceiptExpect struct {
	MinPages    *int    `json:"min_pages"`
	MaxPages    *int    `json:"max_pages"`
	MaxBytes    *int64  `json:"max_bytes"`
	TextsSHA256 *string `json:"texts_sha256"` // of the canonical form of {"contains": […], "not_contains": […]}
}

// ReceiptSigned begins the text that is signed for a receipt, which follows in the canonical form of RFC 8785.
const ReceiptSigned = "platen receipt v1\n"

// SignedReceipt is a receipt with the signature over [ReceiptSigned] and its canonical form.
type SignedReceipt struct {
	Receipt   Receipt   `json:"receipt"`
	Signature Signature `json:"signature"`
	// VerifyURL is the address where anybody can have a copy of the document verified who knows it.
	VerifyURL string `json:"verify_url"`
}

// Signature is one of Ed25519 (RFC 8032).
type Signature struct {
	Algorithm string `json:"algorithm"` // "ed25519"
	KeyID     string `json:"key_id"`
	Value     string `json:"value"` // standard base64 of 64 bytes
}

// SigningKey is the public part of a key that signs receipts.
type SigningKey struct {
	KeyID     string    `json:"key_id"`    // the first 16 digits of the SHA-256 of the public key, in hex
	Algorithm string    `json:"algorithm"` // "ed25519"
	PublicKey string    `json:"public_key"`
	CreatedAt time.Time `json:"created_at"`
	Current   bool      `json:"current"` // whether it signs what is issued now
}

// SigningKeyList holds all signing keys that a tenant ever had, the first one first. There is one page.
type SigningKeyList struct {
	Data       []SigningKey `json:"data"`
	NextCursor *string      `json:"next_cursor"`
}

// IssuedNumber is what was issued under a number.
type IssuedNumber struct {
	IssueNumber int64        `json:"issue_number"`
	Status      NumberStatus `json:"status"`
	DocumentID  *string      `json:"document_id"` // nil when even that is not known any more
	DocumentKey *string      `json:"document_key"`
	IssuedAt    *time.Time   `json:"issued_at"`
	SHA256      *string      `json:"sha256"`
}

// NumberStatus is what has become of a number.
type NumberStatus string

// The statuses. A missing document was removed, and not by a purge.
const (
	NumberIssued  NumberStatus = "issued"
	NumberPurged  NumberStatus = "purged"
	NumberMissing NumberStatus = "missing"
)

// IssuedNumberList is one page of issue numbers, the lowest first.
type IssuedNumberList struct {
	Data       []IssuedNumber `json:"data"`
	LastNumber int64          `json:"last_number"` // that the tenant has given; 0 for none
	NextCursor *string        `json:"next_cursor"` // nil on the last page
}

// VerificationStatus says what bytes are.
type VerificationStatus string

// The statuses.
const (
	VerifiedGenuine VerificationStatus = "genuine" // they are what was issued
	VerifiedAltered VerificationStatus = "altered"
	VerifiedPurged  VerificationStatus = "purged"  // they are what was issued, and was purged later
	VerifiedUnknown VerificationStatus = "unknown" // nothing like it was issued
)

// AlteredPart names what is not as it was issued.
type AlteredPart string

// The parts.
const (
	AlteredBytes     AlteredPart = "bytes"     // they are not those of the document
	AlteredReceipt   AlteredPart = "receipt"   // it does not say what the record of the document says
	AlteredSignature AlteredPart = "signature" // no key of the tenant made it
)

// Verification says what bytes are.
type Verification struct {
	Status VerificationStatus `json:"status"`
	SHA256 string             `json:"sha256"` // of the bytes that came
	Bytes  int64              `json:"bytes"`
	// Documents are those that it is about; equal bytes may be those of several.
	Documents []VerifiedDocument `json:"documents"`
}

// VerifiedDocument is a document that bytes were compared with.
type VerifiedDocument struct {
	DocumentID string             `json:"document_id"`
	Status     VerificationStatus `json:"status"`
	Altered    *AlteredPart       `json:"altered"` // while Status is altered
	Receipt    *SignedReceipt     `json:"receipt"` // nil when nothing was issued, or when Altered is the signature
}

// PublicVerification is what anybody may know of a document who has its verification link. The document key is not part of it: it may
// tell of the customer.
type PublicVerification struct {
	// Status is nil when no bytes came and the record is in order.
	Status      *VerificationStatus `json:"status"`
	Altered     *AlteredPart        `json:"altered"`
	DocumentID  string              `json:"document_id"`
	IssuedAt    time.Time           `json:"issued_at"`
	PurgedAt    *time.Time          `json:"purged_at"`
	SHA256      string              `json:"sha256"`
	Bytes       int64               `json:"bytes"`
	Pages       int                 `json:"pages"`
	ContentType string              `json:"content_type"`
	Key         *SigningKey         `json:"key"` // the one that signed the receipt; nil when none of the issuer's did
}
