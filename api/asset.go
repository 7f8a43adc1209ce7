package api

import "time"

// StoredAsset is a version of an asset: an image, a font or a style sheet that pages name as "asset:NAME".
type StoredAsset struct {
	Name        string    `json:"name"`
	Version     int       `json:"version"` // counted from 1; a number is never used again
	Current     bool      `json:"current"` // what a job that is accepted now gets
	ContentType string    `json:"content_type"`
	SHA256      string    `json:"sha256"`
	Bytes       int64     `json:"bytes"`
	CreatedAt   time.Time `json:"created_at"`
	// PendingJobs is how many jobs need this version and have not ended; while there are any it cannot be deleted.
	PendingJobs int    `json:"pending_jobs"`
	URL         string `json:"url"` // of the bytes; it needs a key
}

// AssetList is one page of assets by name, each with its current version, or of the versions of one, newest first.
type AssetList struct {
	Data       []StoredAsset `json:"data"`
	NextCursor *string       `json:"next_cursor"` // nil on the last page
}
