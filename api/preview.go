package api

import "encoding/json"

// RerenderRequest is the optional body of POST /documents/{id}/rerender.
type RerenderRequest struct {
	// Restore puts the bytes back where the server has lost them, if they are those that were issued.
	Restore *bool `json:"restore,omitempty"`
}

// StoredBytes is what the storage of a server has of the bytes of a document.
type StoredBytes string

// What it may have.
const (
	StoredIntact  StoredBytes = "intact"
	StoredMissing StoredBytes = "missing"
	StoredDamaged StoredBytes = "damaged" // other bytes than were issued
	StoredPurged  StoredBytes = "purged"  // the document was purged: there are to be none
)

// Rerender is what came of making a document anew.
type Rerender struct {
	DocumentID    string      `json:"document_id"`
	Identical     bool        `json:"identical"` // the new bytes are those that were issued
	SHA256        string      `json:"sha256"`    // of the new bytes, like the next four
	Bytes         int64       `json:"bytes"`
	Pages         int         `json:"pages"`
	Engine        string      `json:"engine"`
	EngineVersion string      `json:"engine_version"`
	Stored        StoredBytes `json:"stored"`     // before anything was restored
	Restored      bool        `json:"restored"`   // the bytes were put back
	Difference    *Difference `json:"difference"` // nil when identical
}

// Difference is the first cause for which the bytes are others.
type Difference struct {
	// Member names the cause: "engine", "engine.version", "fonts", "input", "template", "data", "resources/NAME", "output", "output.header_html",
	// "output.footer_html", "output.metadata" or "wait_for"; "bytes" when all of them are as they were, as far as that was noted.
	Member string  `json:"member"`
	Was    *string `json:"was"`    // a version, a digest or JSON; nil for what was not there
	Is     *string `json:"is"`     // nil for what is not there
	Offset *int64  `json:"offset"` // of the first byte that differs; nil when the server does not have the issued bytes
}

// PreviewRequest is the optional body of POST /templates/{name}/preview.
type PreviewRequest struct {
	// Version is one of the template; nil is the current one.
	Version *int `json:"version,omitempty"`
	// Data fills the template in; nil is its sample.
	Data json.RawMessage `json:"data,omitempty"`
	// Output and Engine win over those of the template, member by member.
	Output *Output `json:"output,omitempty"`
	Engine *Engine `json:"engine,omitempty"`
}

// Preview is what a template looks like, when JSON is asked for. It is no document.
type Preview struct {
	Template     TemplateVersion `json:"template"`
	Engine       string          `json:"engine"`
	EngineReason *string         `json:"engine_reason"` // why the server did not take the native one; nil otherwise
	Pages        int             `json:"pages"`
	ContentType  string          `json:"content_type"`
	SHA256       string          `json:"sha256"`
	Bytes        int64           `json:"bytes"`
	Warnings     []Warning       `json:"warnings"`
	Content      string          `json:"content"` // in base64 (RFC 4648, section 4)
}

// Headers of a preview that comes as bytes.
const (
	HeaderEngine   = "Platen-Engine"   // what rendered it
	HeaderPages    = "Platen-Pages"    // how many pages it has
	HeaderWarnings = "Platen-Warnings" // how many warnings there are; JSON has them all
	HeaderTemplate = "Platen-Template" // name and version, "invoice/3"
)
