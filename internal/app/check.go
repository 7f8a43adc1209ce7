package app

import (
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/settings"
)

// CheckSettings finds what API or worker would refuse to start with, all of it at once, each under its variable's name.
func CheckSettings(c config.Config) error {
	return settings.Check(c,
		settings.Setting{Name: "PLATEN_REDIS_URL", Value: c.RedisURL, Check: settings.By(parseRedisURL)},
		settings.Setting{Name: "PLATEN_REDIS_CA_FILE", Value: c.RedisCAFile, Check: settings.Certificates},
		settings.Setting{Name: "PLATEN_BLOB_DIR", Value: c.BlobDir, Check: checkBlobs("")},
		settings.Setting{Name: "PLATEN_BLOB_PUBLIC_ENDPOINT", Value: c.BlobEndpoint, Check: func(endpoint string) error { return checkBlobs(endpoint)(c.BlobDir) }},
	)
}

// required finds what is missing.
func required(c config.Config) error { return c.Require("PLATEN_BLOB_DIR", "PLATEN_SECRET_KEY") }
