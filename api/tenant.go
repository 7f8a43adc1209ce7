package api

import "time"

// Tenant is who owns keys and jobs, without its secrets.
type Tenant struct {
	Name            string  `json:"name"`
	CallbackURLHost *string `json:"callback_url_host"` // nil without a default URL
	// CallbackSecretConfigured says that the server's settings name the secrets.
	CallbackSecretConfigured bool           `json:"callback_secret_configured"`
	Secrets                  []TenantSecret `json:"secrets"` // that sign now, the current one first
	Limits                   TenantLimits   `json:"limits"`
	Usage                    TenantUsage    `json:"usage"`
}

// TenantLimits is how much a tenant may use; nil is any amount.
type TenantLimits struct {
	RequestsPerSecond *int64 `json:"requests_per_second"` // that bring new work; a batch is one
	RequestBurst      *int64 `json:"request_burst"`       // at once; nil is those of one second
	ConcurrentRenders *int64 `json:"concurrent_renders"`
	QueuedJobs        *int64 `json:"queued_jobs"` // but those of batches
	BatchItems        *int64 `json:"batch_items"` // of one batch
	StoredBytes       *int64 `json:"stored_bytes"`
	StoredVersions    *int64 `json:"stored_versions"` // of templates and assets
}

// TenantUsage is what it uses.
type TenantUsage struct {
	ConcurrentRenders int64 `json:"concurrent_renders"`
	QueuedJobs        int64 `json:"queued_jobs"`
	StoredBytes       int64 `json:"stored_bytes"`
	StoredVersions    int64 `json:"stored_versions"`
}

// TenantSecret is when a secret signs.
type TenantSecret struct {
	CreatedAt *time.Time `json:"created_at"` // nil when that was not noted
	ExpiresAt *time.Time `json:"expires_at"` // nil for the current one
}

// TenantList is one page of tenants, by name.
type TenantList struct {
	Data       []Tenant `json:"data"`
	NextCursor *string  `json:"next_cursor"` // nil on the last page
}

// TenantPatch is the body of PATCH /admin/tenants/{name}. What is nil stays as it is.
type TenantPatch struct {
	// CallbackURL is where jobs report that name no URL; the empty string is nowhere.
	CallbackURL *string `json:"callback_url,omitempty"`
	// Limits are those that change, by their names in [TenantLimits]; nil takes one away.
	Limits map[string]*int64 `json:"limits,omitempty"`
}

// SecretRequest is the body of POST /admin/tenants/{name}/secrets.
type SecretRequest struct {
	Secret *string `json:"secret,omitempty"` // nil: the server makes one
	// OverlapSeconds is how long the secrets before it sign too: at most [MaxOverlapSeconds], nil means
	// [DefaultOverlapSeconds].
	OverlapSeconds *int `json:"overlap_seconds,omitempty"`
}

// SecretCreated is a new secret, which is shown only once.
type SecretCreated struct {
	Secret            string     `json:"secret"`
	PreviousExpiresAt *time.Time `json:"previous_expires_at"` // nil when the one before has ended
}

// ResealRequest is the body of POST /admin/reseal.
type ResealRequest struct {
	Cursor *string `json:"cursor,omitempty"` // the NextCursor of the part before
}

// Resealed is what one part of a pass has encrypted anew.
type Resealed struct {
	Checked    int     `json:"checked"`
	Rewritten  int     `json:"rewritten"`
	Contended  int     `json:"contended"`   // changed by somebody else at the same moment
	Unreadable int     `json:"unreadable"`  // no key of the server opens it
	NextCursor *string `json:"next_cursor"` // nil at the end of the pass
}
