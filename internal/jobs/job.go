package jobs

import (
	"encoding/json"
	"time"

	"github.com/platen-render/platen/internal/render"
)

// InputKind says what the text of a [Spec] is.
type InputKind string

// The inputs that a job may have.
const (
	InputHTML     InputKind = "html"
	InputMarkdown InputKind = "markdown"
	InputTemplate InputKind = "template" // Go html/template over Data
	InputStored   InputKind = "stored"   // a template of the tenant's, named by [Spec.Template], over Data
	InputURL      InputKind = "url"      // the address of a page
)

// Spec is what was asked: everything a worker needs to make the document, fixed at acceptance. It holds no
// callback, no secret and no password.
type Spec struct {
	Kind     InputKind
	Text     string          // "" when stored
	Data     json.RawMessage `json:",omitempty"` // the caller's bytes, number tokens verbatim; nil when none was given
	Template *TemplateRef    `json:",omitempty"` // when stored: the version that was frozen at acceptance
	Assets   []AssetRef      `json:",omitempty"` // what the page names as asset:NAME, frozen at acceptance
	// Bare says which of the template's margins the job does without: it has its own, be it empty.
	Bare     Bare `json:",omitzero"`
	Files    []File
	Engine   string // as asked: "auto" or an engine's name
	Output   render.Output
	Filename string
	Timeout  time.Duration // of one attempt
	Wait     render.Wait   `json:",omitzero"`
	Expect   render.Expect `json:",omitzero"`
	Strict   bool          `json:",omitempty"` // what would be a warning fails the job
	// Cache is how old the bytes of an equal document may be to be issued again; 0 is never.
	Cache time.Duration `json:",omitempty"`
}

// Bare names margins of a sheet.
type Bare struct {
	Header bool `json:",omitempty"`
	Footer bool `json:",omitempty"`
}

// TemplateRef names a version of a stored template and where it lies.
type TemplateRef struct {
	Name    string
	Version int
	SHA256  string // hex, of its canonical content
	Blob    string `json:",omitempty"`
}

// AssetRef names a version of an asset and where it lies.
type AssetRef struct {
	Name        string
	Version     int
	ContentType string
	SHA256      string // hex
	Size        int64
	Blob        string
}

// File is something the page may load by its relative name.
type File struct {
	Name        string
	ContentType string
	SHA256      string // hex
	Size        int64
	Blob        string // where the bytes are
}

// Job is the work of making one document, as the store knows it.
type Job struct {
	ID          ID
	Document    ID
	DocumentKey string
	Tenant      string
	Status      Status
	Progress    int // 0–100
	// Attempt counts the tries so far; with Owner it is the fence of the current one.
	Attempt int
	Owner   string
	// EngineLost counts the attempts that ended because an engine died, whichever page it was that killed it.
	EngineLost int
	// Lost counts the attempts whose worker died.
	Lost int
	// Generation counts dispatches: a queue task of an older one is void.
	Generation  int
	Class       Class
	Fingerprint Fingerprint
	// Spec is set where the record holds it, SpecBlob where it lies in the blob store instead.
	Spec     []byte
	SpecBlob string
	Metadata json.RawMessage
	// Retention is how long the bytes are kept after they were issued; 0 is for ever.
	Retention time.Duration
	// InputRetention is how long the input is kept after the end of the job; 0 is as long as the record.
	InputRetention time.Duration
	// Template is the stored template that the job uses, without its place; nil when it uses none.
	Template *TemplateRef
	Result   *Result  // once succeeded
	Failure  *Failure // once failed; of the last attempt while a retry waits
	Warnings []render.Warning
	Callback *CallbackState // nil without a callback URL
	// Sealed is the encrypted [Callback], for a retry to copy.
	Sealed   []byte
	Event    ID // of its terminal event, reserved at acceptance
	Delivery ID // of that event to the callback URL, reserved likewise
	Batch    ID // that it was made for; "" for none
	// Reports are the types of its terminal event that are delivered, of those of a batch; nil is all.
	Reports         []string
	Target          string // names the callback URL, see [Target]; "" without one
	CancelRequested bool
	Created         time.Time
	Started         time.Time // of the current or last attempt; zero before the first
	Finished        time.Time // zero until terminal
	Expires         time.Time // when the issued bytes end; zero for never
}

// Class says which jobs are done first; see [ClassNormal] and the others.
type Class string

// The classes. Each is a line of its own, and none starves. The name of the normal one is from before there were others.
const (
	ClassHigh   Class = "high"
	ClassNormal Class = "render"
	ClassLow    Class = "low"
	ClassBatch  Class = "batch" // of every job that is made for a batch
)

// Name is what callers call a class.
func (c Class) Name() string {
	if c == "" || c == ClassNormal {
		return "normal"
	}
	return string(c)
}

// alone is the class of a job that is made anew by itself: somebody waits for it, be the old one of a batch.
func (c Class) alone() Class {
	if c == ClassBatch {
		return ClassNormal
	}
	return c
}

// Classes lists them.
var Classes = []Class{ClassHigh, ClassNormal, ClassLow, ClassBatch}

// Fence tells one attempt from every other. Whatever an attempt writes is refused unless both parts match.
type Fence struct {
	Attempt int
	Owner   string // random, drawn once for each run of a handler
}

// Fence is that of the job's current attempt.
func (j Job) Fence() Fence { return Fence{Attempt: j.Attempt, Owner: j.Owner} }

// Result is what a successful attempt made.
type Result struct {
	Blob        string
	SHA256      string // hex
	Bytes       int64
	Pages       int
	ContentType string
	Filename    string
	Engine      string
	Version     string
	Reason      string `json:",omitempty"` // why this engine; "" where nothing speaks against the first choice
	// Made says what made the bytes, for the receipt. The store keeps it with the document only.
	Made *Provenance `json:"-"`
}

// Provenance is what made the bytes of a document, beside what its [Result] says. No data is in it, only digests (hex SHA-256).
type Provenance struct {
	Input      InputKind
	Text       string           // digest of the page, the template or the address
	Template   *TemplateRef     `json:",omitempty"`
	Data       string           `json:",omitempty"` // digest of the canonical form (see [FingerprintRequest]); "" without data
	Resources  []ResourceDigest `json:",omitempty"` // all that the page could load without the network, by name
	Fonts      string           // digest of the fonts that the engine could choose from
	Asked      string           // the engine that was asked for
	Output     render.Output
	Wait       render.Wait   `json:",omitzero"`
	Expect     render.Expect `json:",omitzero"`
	Strict     bool          `json:",omitempty"`
	Attempts   int
	CachedFrom ID `json:",omitempty"` // the document whose bytes these are a copy of
	// Digests stand for the texts once [Provenance.Digested] has taken them out.
	Digests Digests `json:",omitzero"`
}

// ResourceDigest is something that a page could load.
type ResourceDigest struct{ Name, SHA256 string }

// Failure is why an attempt did not make a document; the parts of a fault that its owner may see.
type Failure struct {
	Code      string
	Detail    string
	Retryable bool   // whether the same job submitted again may do better
	RequestID string // of the request that submitted the job
	// Engine and Reason are as in [Result], of the attempt; "" when it ended before an engine was chosen.
	Engine string `json:",omitempty"`
	Reason string `json:",omitempty"`
	// Warnings are what was noticed before the attempt ended.
	Warnings []render.Warning `json:",omitempty"`
}

// CallbackState is how the report of a job stands.
type CallbackState struct {
	Host        string
	Status      DeliveryStatus
	Attempts    int
	NextAttempt time.Time // zero when none is planned
}

// Document is an identity and, once issued, its bytes. It outlives its jobs.
type Document struct {
	ID          ID
	Key         string
	Tenant      string
	Status      DocumentStatus
	Fingerprint Fingerprint
	Job         ID // the current one; the winner once issued
	Number      int64
	Sequence    int64 // terminal events of its jobs so far
	Result      *Result
	Made        *Provenance // what made the bytes; nil before, and for documents of builds that noted none
	Receipt     []byte      // the signed receipt, once it was made
	Created     time.Time
	Issued      time.Time
	Expires     time.Time // when the bytes end; zero for never
	PurgedAt    time.Time
}

// AsJob builds the job that a document was issued by, for when that job's record is past its retention: same
// id, succeeded. A document that was purged without ever being issued gives a canceled job.
func (d Document) AsJob() Job {
	j := Job{
		ID: d.Job, Document: d.ID, DocumentKey: d.Key, Tenant: d.Tenant, Fingerprint: d.Fingerprint,
		Status: Canceled, Created: d.Created, Finished: d.PurgedAt, Expires: d.Expires,
	}
	if d.Result != nil {
		j.Status, j.Progress, j.Result, j.Finished = Succeeded, 100, d.Result, d.Issued
	}
	return j
}

// Delivery is one event on its way to one URL.
type Delivery struct {
	ID         ID
	Event      ID
	EventType  string
	Job        ID // "" of a batch
	Document   ID // likewise
	Batch      ID // whose end it reports; "" of a job
	Tenant     string
	Host       string // of the URL; the URL itself is sealed
	Target     string // names the URL, see [Target]
	Ping       bool   // it is a test, about no job
	Status     DeliveryStatus
	Generation int
	Attempt    int // tries so far, replays included
	Base       int // tries before the last replay: the schedule counts from here
	Owner      string
	Accepted   time.Time // when its job was, or when its batch or the retry of that was asked for
	Created    time.Time // when its event was
	Next       time.Time // zero when no attempt is planned
	Died       time.Time
	Expired    bool // its dead letter is past its retention
	Log        []DeliveryAttempt
	Replays    []DeliveryReplay
}

// DeliveryReplay is one time that somebody wanted a delivery made again.
type DeliveryReplay struct {
	At time.Time
	By ID // the API key
}

// Fence is that of the delivery's current attempt.
func (d Delivery) Fence() Fence { return Fence{Attempt: d.Attempt, Owner: d.Owner} }

// DeliveryAttempt is one try to deliver. An attempt whose worker died says "unknown": the receiver may or may not
// have taken it.
type DeliveryAttempt struct {
	Number   int
	Started  time.Time
	Outcome  string // "delivered", "failed", "unknown", or "" while it runs
	Status   int    // HTTP status; 0 when there was no answer
	Latency  time.Duration
	Error    string
	Detail   string
	Response string // at most 1 KiB
}
