package api

import (
	"encoding/json"
	"time"
)

// TemplateRequest is the body of PUT /templates/{name}, and the content of a version.
type TemplateRequest struct {
	// HTML is a Go html/template over the data, at most [MaxTemplateHTMLBytes].
	HTML *string `json:"html,omitempty" required:"true"`
	// CSS comes at the end of the head of the page, at most [MaxTemplateCSSBytes].
	CSS *string `json:"css,omitempty"`
	// HeaderHTML and FooterHTML are templates over the same data, for the margins of each sheet of a PDF.
	HeaderHTML *string `json:"header_html,omitempty"`
	FooterHTML *string `json:"footer_html,omitempty"`
	// Engine and Output are what a job has that does not say otherwise, member by member.
	Engine *Engine `json:"engine,omitempty"`
	Output *Output `json:"output,omitempty"`
	// Sample is data to try the template with, at most [MaxTemplateSampleBytes]. Nil means left out.
	Sample json.RawMessage `json:"sample,omitempty"`
	// Schema is a JSON Schema for the data, at most [MaxTemplateSchemaBytes]. Nil means left out.
	Schema json.RawMessage `json:"schema,omitempty"`
}

// StoredTemplate is a version of a stored template, without its content.
type StoredTemplate struct {
	Name      string    `json:"name"`
	Version   int       `json:"version"` // counted from 1; a number is never used again
	Current   bool      `json:"current"` // a name alone means this version
	SHA256    string    `json:"sha256"`  // of the canonical JSON of its content
	Bytes     int64     `json:"bytes"`   // of that JSON
	CreatedAt time.Time `json:"created_at"`
	// PendingJobs is how many jobs need this version and have not ended; while there are any it cannot be deleted.
	PendingJobs int `json:"pending_jobs"`
}

// TemplateContent is a version of a stored template with its content.
type TemplateContent struct {
	StoredTemplate

	// Content is a [TemplateRequest] as it was put: what was left out is left out.
	Content json.RawMessage `json:"content"`
}

// TemplateList is one page of templates by name, each with its current version, or of the versions of one, newest first.
type TemplateList struct {
	Data       []StoredTemplate `json:"data"`
	NextCursor *string          `json:"next_cursor"` // nil on the last page
}
