package api

import "encoding/json"

// Whoever builds a request leaves out what is nil. The tag required:"true" marks what a server misses then.

// JobRequest is the body of POST /jobs, and the part "job" of its form. Exactly one of Template, HTML, Markdown and
// URL is set; in a form another part may bring the input instead.
type JobRequest struct {
	Template *Template `json:"template,omitempty"`
	HTML     *string   `json:"html,omitempty"`
	Markdown *string   `json:"markdown,omitempty"`
	// URL is the address of a page on the web, for the browser to print.
	URL *string `json:"url,omitempty"`
	// WaitFor is what the page must show before it is printed; only the browser waits.
	WaitFor *WaitFor `json:"wait_for,omitempty"`
	// Data is the root of the template: any JSON value, kept byte by byte. Nil means left out.
	Data   json.RawMessage `json:"data,omitempty"`
	Output *Output         `json:"output,omitempty"`
	Engine *Engine         `json:"engine,omitempty"`
	// Strict fails the job for what would otherwise be a warning: a missing image, a character that no font has.
	Strict *bool `json:"strict,omitempty"`
	// Expect is what the document must be like; one that is not is not issued.
	Expect *Expect `json:"expect,omitempty"`
	// Cache lets the bytes of an equal document that was issued lately be issued again under this identity.
	Cache *Cache `json:"cache,omitempty"`
	// DocumentKey names the document, for ever; see rule 2 in openapi.yaml.
	DocumentKey *string `json:"document_key,omitempty"`
	// CallbackURL is where to report the end: nil is the tenant's default URL, if there is one, and the empty string does
	// without it.
	CallbackURL     *string           `json:"callback_url,omitempty"`
	CallbackSecret  *string           `json:"callback_secret,omitempty"`
	CallbackHeaders map[string]string `json:"callback_headers,omitempty"`
	// Priority is nil for [PriorityNormal].
	Priority *Priority `json:"priority,omitempty"`
	// TimeoutSeconds bounds one attempt to render.
	TimeoutSeconds *int `json:"timeout_seconds,omitempty"`
	// RetentionSeconds is how long the issued bytes are kept; nil means for ever.
	RetentionSeconds *int `json:"retention_seconds,omitempty"`
	// InputRetentionSeconds is how long the input is kept after the job has ended; nil means as long as the job's record.
	InputRetentionSeconds *int `json:"input_retention_seconds,omitempty"`
	// Metadata is a JSON object of at most [MaxMetadataBytes], kept byte by byte. Nil means left out.
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

// Priority says which jobs of a tenant, and of all others, are done first. None starves.
type Priority string

// The priorities.
const (
	PriorityHigh   Priority = "high"
	PriorityNormal Priority = "normal"
	PriorityLow    Priority = "low"
	// PriorityBatch is that of what is made for a batch. A request cannot ask for it.
	PriorityBatch Priority = "batch"
)

// The parts of the multipart/form-data body of POST /jobs.
const (
	PartJob      = "job"      // a [JobRequest] in JSON
	PartHTML     = "html"     // a page
	PartMarkdown = "markdown" // a Markdown text
	PartFile     = "file"     // a file that the page uses, under its file name; any number of them
)

// Template is an inline Go html/template over [JobRequest.Data], or the name of a stored one.
type Template struct {
	HTML *string `json:"html,omitempty"`
	// Name is that of a stored template; nil for an inline one.
	Name *string `json:"name,omitempty"`
	// Version is one of a stored template; nil is the newest, as it is when the job is accepted.
	Version *int `json:"version,omitempty"`
}

// WaitFor is what a page must show before its document is made: all that is set.
type WaitFor struct {
	// Selector is of CSS; an element that it matches must be there and have a box.
	Selector *string `json:"selector,omitempty"`
	// NetworkIdle waits until no request was on its way for half a second.
	NetworkIdle *bool `json:"network_idle,omitempty"`
	// TimeoutSeconds bounds the waiting; nil is [DefaultWaitForSeconds].
	TimeoutSeconds *int `json:"timeout_seconds,omitempty"`
}

// Expect is what a document must be like to be issued.
type Expect struct {
	Pages       *ExpectPages `json:"pages,omitempty"`
	Contains    []string     `json:"contains,omitempty"`     // texts that must be in it
	NotContains []string     `json:"not_contains,omitempty"` // texts that must not
	MaxBytes    *int64       `json:"max_bytes,omitempty"`
}

// ExpectPages bounds the number of pages, both ends included.
type ExpectPages struct {
	Min *int `json:"min,omitempty"`
	Max *int `json:"max,omitempty"`
}

// Cache says which earlier bytes will do.
type Cache struct {
	MaxAgeSeconds *int `json:"max_age_seconds,omitempty" required:"true"`
}

// Engine says what shall render.
type Engine string

// The engines that can be asked for.
const (
	EngineAuto     Engine = "auto" // the server chooses
	EngineNative   Engine = "native"
	EngineChromium Engine = "chromium"
)

// Format is a kind of document.
type Format string

// The formats.
const (
	FormatPDF  Format = "pdf"
	FormatPNG  Format = "png"
	FormatJPEG Format = "jpeg"
)

// Output says how the document shall look. Nil is the default that openapi.yaml names. Lengths are millimeters.
type Output struct {
	Format *Format `json:"format,omitempty"`
	// Paper is a named size; WidthMM and HeightMM, upright and both together, stand in for it.
	Paper     *string  `json:"paper,omitempty"`
	WidthMM   *float64 `json:"width_mm,omitempty"`
	HeightMM  *float64 `json:"height_mm,omitempty"`
	Landscape *bool    `json:"landscape,omitempty"`
	MarginMM  *Margin  `json:"margin_mm,omitempty"`
	Scale     *float64 `json:"scale,omitempty"`
	// HeaderHTML and FooterHTML fill the margins of each sheet of a PDF.
	HeaderHTML *string `json:"header_html,omitempty"`
	FooterHTML *string `json:"footer_html,omitempty"`
	Background *bool   `json:"background,omitempty"`
	Tagged     *bool   `json:"tagged,omitempty"`
	Locale     *string `json:"locale,omitempty"`    // BCP 47
	TimeZone   *string `json:"time_zone,omitempty"` // an IANA name
	Filename   *string `json:"filename,omitempty"`
	// FullPage is for images: the whole page instead of its first sheet.
	FullPage *bool `json:"full_page,omitempty"`
	// Pages chooses pages, as "1-3,5,8-". An image of chosen pages is drawn from the printed sheets; several come as a ZIP.
	Pages    *string   `json:"pages,omitempty"`
	Metadata *Metadata `json:"metadata,omitempty"` // PDF only
	Outline  *bool     `json:"outline,omitempty"`  // PDF only: bookmarks made of the headings
	DPI      *int      `json:"dpi,omitempty"`      // images of chosen pages only
	Quality  *int      `json:"quality,omitempty"`  // JPEG only, 1–100
}

// Metadata is what a PDF says about itself. The title of the page stands where none is given.
type Metadata struct {
	Title    *string `json:"title,omitempty"`
	Author   *string `json:"author,omitempty"`
	Subject  *string `json:"subject,omitempty"`
	Keywords *string `json:"keywords,omitempty"`
}

// Margin holds margins in millimeters. A nil side has the default.
type Margin struct {
	Top    *float64 `json:"top,omitempty"`
	Right  *float64 `json:"right,omitempty"`
	Bottom *float64 `json:"bottom,omitempty"`
	Left   *float64 `json:"left,omitempty"`
}

// LinkRequest is the body of POST /documents/{id}/links.
type LinkRequest struct {
	// ExpiresInSeconds is at most [MaxLinkSeconds].
	ExpiresInSeconds *int `json:"expires_in_seconds,omitempty" required:"true"`
}

// KeyRequest is the body of POST /admin/keys.
type KeyRequest struct {
	Tenant *string `json:"tenant,omitempty"`
	Name   *string `json:"name,omitempty"`
	Scopes []Scope `json:"scopes,omitempty"`
	// ExpiresInSeconds is at most [MaxKeySeconds]; nil means that the key works until it is revoked.
	ExpiresInSeconds *int `json:"expires_in_seconds,omitempty"`
}

// Scope is something that a key allows.
type Scope string

// The scopes.
const (
	ScopeRead  Scope = "read"  // look at jobs, documents, deliveries, templates and assets, make links
	ScopeWrite Scope = "write" // submit, retry, cancel, purge, replay, test, store templates and assets
	ScopeAdmin Scope = "admin" // keys, secrets and settings of all tenants
)
