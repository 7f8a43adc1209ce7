// Package config reads the settings of the commands from the environment. docs/configuration.md lists the same table and
// is tested against it. Nobody else reads the environment.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// Config holds every setting. main hands each part its own few.
type Config struct {
	Addr       string
	WorkerAddr string
	PublicURL  string
	LogLevel   slog.Level

	RedisURL       string
	RedisCAFile    string
	WaitReplicas   int
	Partitions     int
	BlobDir        string
	BlobEndpoint   string
	SecretKey      string
	SecretKeyOld   string
	AdminKey       string
	CallbackSecret string

	AllowCallbacks    string
	AllowPages        string
	CallbackHTTP      bool
	CallbackCAFile    string
	CallbackSchedule  string
	CallbackTimeout   time.Duration
	CallbackSlots     int
	CallbackHostLimit int
	RenderSlots       int
	RenderTimeout     time.Duration
	RenderTimeoutMax  time.Duration
	ResourceTimeout   time.Duration
	Lease             time.Duration
	ShutdownTimeout   time.Duration
	MaxBody           int64
	MaxStreams        int
	MaxDocument       int64
	MaxQueueAge       time.Duration
	JobRetention      time.Duration
	DeadRetention     time.Duration
	Chromium          string
	ChromiumNoSandbox bool
	FontDir           string
	CacheDir          string

	// DevKey and DataDir are for development.
	DevKey  string
	DataDir string
}

// Setting is one environment variable.
type Setting struct {
	Name    string
	Default string // "" is none
	Help    string
	Secret  bool // its value is never shown
	set     func(c *Config, value string) error
}

// Settings lists all settings, in the order of docs/configuration.md.
func Settings() []Setting {
	return []Setting{
		{"PLATEN_ADDR", "127.0.0.1:8080", "Where the API listens, host:port.", false, text(func(c *Config) *string { return &c.Addr })},
		{"PLATEN_WORKER_ADDR", "127.0.0.1:8081", "Where a worker serves /livez, /readyz and /metrics; `off` for nowhere.", false, text(func(c *Config) *string { return &c.WorkerAddr })},
		{"PLATEN_PUBLIC_URL", "", "What URLs in answers and events begin with; by default http:// and PLATEN_ADDR.", false, text(func(c *Config) *string { return &c.PublicURL })},
		{"PLATEN_LOG_LEVEL", "info", "debug, info, warn or error.", false, level},

		{"PLATEN_REDIS_URL", "redis://127.0.0.1:6379", "Redis: redis://, rediss:// (TLS), unix://path, redis+sentinel:// or redis+cluster://; see below.", true, text(func(c *Config) *string { return &c.RedisURL })},
		{"PLATEN_REDIS_CA_FILE", "", "PEM certificates that Redis is verified with, instead of the system's.", false, text(func(c *Config) *string { return &c.RedisCAFile })},
		{"PLATEN_REDIS_WAIT_REPLICAS", "0", "Replicas that must have what is acknowledged before it is; see below.", false, number(func(c *Config) *int { return &c.WaitReplicas }, 0, 10)},
		{"PLATEN_PARTITIONS", "1", "Hash slots that tenants are spread over, 1 to 256; 16 for a cluster. Never change it for existing data.", false, number(func(c *Config) *int { return &c.Partitions }, 1, 256)},
		{"PLATEN_BLOB_DIR", "", "The folder for inputs and documents, shared by API and workers, or a bucket: s3://, gs:// or azblob://, see [Storage](storage.md). Required. A folder is made at the start, and never later.", false, text(func(c *Config) *string { return &c.BlobDir })},
		{"PLATEN_BLOB_PUBLIC_ENDPOINT", "", "Where those who follow `redirect=true` find the S3 server, if not where API and workers do.", false, text(func(c *Config) *string { return &c.BlobEndpoint })},
		{"PLATEN_SECRET_KEY", "", "The base64 of 32 bytes that encrypt secrets at rest (openssl rand -base64 32). Required.", true, text(func(c *Config) *string { return &c.SecretKey })},
		{"PLATEN_SECRET_KEY_OLD", "", "Master keys from before, separated by commas: they open what they have sealed and verify links, and make nothing. See [Operations](operations.md#change-the-master-key).", true, text(func(c *Config) *string { return &c.SecretKeyOld })},
		{"PLATEN_ADMIN_KEY", "", "The bootstrap key, at least 16 characters: it manages API keys, tenants and their secrets, and nothing else.", true, text(func(c *Config) *string { return &c.AdminKey })},
		{"PLATEN_CALLBACK_SECRET", "", "Signs the callbacks of the tenant `default`; without it, the secret comes with the first API key. A list, `new,old`, signs with each.", true, text(func(c *Config) *string { return &c.CallbackSecret })},

		{"PLATEN_EGRESS_ALLOW_CALLBACKS", "", "Private receivers that may be called: hosts, *.suffix, addresses or CIDRs, each with an optional :port, separated by commas.", false, text(func(c *Config) *string { return &c.AllowCallbacks })},
		{"PLATEN_EGRESS_ALLOW_PAGES", "", "The same for what documents load, and for `url` in a job: APIs judge it too.", false, text(func(c *Config) *string { return &c.AllowPages })},
		{"PLATEN_CALLBACK_HTTP", "false", "Whether callbacks may go to public addresses over plain http.", false, boolean(func(c *Config) *bool { return &c.CallbackHTTP })},
		{"PLATEN_CALLBACK_CA_FILE", "", "PEM certificates that receivers are verified with, besides the system's.", false, text(func(c *Config) *string { return &c.CallbackCAFile })},
		{"PLATEN_CALLBACK_SCHEDULE", "1s,5s,25s,2m5s,10m25s", "Waits between attempts to deliver; one attempt more than waits, then the dead letters.", false, text(func(c *Config) *string { return &c.CallbackSchedule })},
		{"PLATEN_CALLBACK_TIMEOUT", "15s", "Bounds one attempt to deliver, answer included.", false, duration(func(c *Config) *time.Duration { return &c.CallbackTimeout }, time.Second)},
		{"PLATEN_CALLBACK_SLOTS", "16", "Attempts to deliver at once, per worker.", false, number(func(c *Config) *int { return &c.CallbackSlots }, 1, 1000)},
		{"PLATEN_CALLBACK_HOST_LIMIT", "4", "Attempts to deliver at once to one host, of each tenant; a host that does not answer gets fewer.", false, number(func(c *Config) *int { return &c.CallbackHostLimit }, 1, 100)},

		{"PLATEN_RENDER_SLOTS", "0", "Renders at once, per worker; 0 is one per core, which is the knee.", false, number(func(c *Config) *int { return &c.RenderSlots }, 0, 1000)},
		{"PLATEN_RENDER_TIMEOUT", "60s", "Bounds one attempt to render, unless the job says otherwise.", false, duration(func(c *Config) *time.Duration { return &c.RenderTimeout }, time.Second)},
		{"PLATEN_RENDER_TIMEOUT_MAX", "300s", "The most that a job may ask for.", false, duration(func(c *Config) *time.Duration { return &c.RenderTimeoutMax }, time.Second)},
		{"PLATEN_RESOURCE_TIMEOUT", "10s", "Bounds fetching all that a page names.", false, duration(func(c *Config) *time.Duration { return &c.ResourceTimeout }, 100*time.Millisecond)},
		{"PLATEN_LEASE", "10s", "How long an attempt lives without a sign of its worker.", false, duration(func(c *Config) *time.Duration { return &c.Lease }, 100*time.Millisecond)},
		{"PLATEN_SHUTDOWN_TIMEOUT", "20s", "How long running work may go on after SIGTERM before it is handed back.", false, duration(func(c *Config) *time.Duration { return &c.ShutdownTimeout }, time.Millisecond)},
		{"PLATEN_MAX_BODY", "10MiB", "The largest request body.", false, size(func(c *Config) *int64 { return &c.MaxBody })},
		{"PLATEN_MAX_STREAMS", "2000", "Streams of events that an API has open at once; each takes some 46 KiB. See [Streams](streams.md).", false, number(func(c *Config) *int { return &c.MaxStreams }, 1, 100_000)},
		{"PLATEN_MAX_DOCUMENT", "100MiB", "The largest document.", false, size(func(c *Config) *int64 { return &c.MaxDocument })},
		{"PLATEN_MAX_QUEUE_AGE", "1h", "How long work may wait for its turn before new work of its class is refused with 503; 0 is for any time. See [Limits](limits.md#when-work-waits-too-long).", false, duration(func(c *Config) *time.Duration { return &c.MaxQueueAge }, 0)},
		{"PLATEN_JOB_RETENTION", "720h", "How long a job's record, its idempotency keys and its input are kept after its end.", false, duration(func(c *Config) *time.Duration { return &c.JobRetention }, time.Second)},
		{"PLATEN_DEAD_LETTER_RETENTION", "720h", "How long a dead letter can be replayed.", false, duration(func(c *Config) *time.Duration { return &c.DeadRetention }, time.Second)},

		{"PLATEN_CHROMIUM", "", "The browser's program; by default chromium-headless-shell or a relative of it in PATH. `off` is none: such a worker makes what the native engine draws.", false, text(func(c *Config) *string { return &c.Chromium })},
		{"PLATEN_CHROMIUM_NO_SANDBOX", "false", "Leaves the browser's sandbox off, for hosts without user namespaces. Pages then run with less between them and the worker.", false, boolean(func(c *Config) *bool { return &c.ChromiumNoSandbox })},
		{"PLATEN_FONT_DIR", "", "Fonts beside the built-in ones, for both engines. Without it Chromium also has those of the system.", false, text(func(c *Config) *string { return &c.FontDir })},
		{"PLATEN_CACHE_DIR", "", "A folder of the worker's own, that nobody else may write to, for what is compiled once: the reader of PDFs. Without it each process compiles anew: seconds, and some 400 MB for a moment.", false, text(func(c *Config) *string { return &c.CacheDir })},

		{"PLATEN_DATA_DIR", ".platen", "Where `platen dev` keeps everything.", false, text(func(c *Config) *string { return &c.DataDir })},
		{"PLATEN_DEV_KEY", "", "An API key, plt_<id>_<secret>, that the API installs at its start for the tenant `default`; needs PLATEN_CALLBACK_SECRET. `platen dev` makes one.", true, text(func(c *Config) *string { return &c.DevKey })},
	}
}

// Load reads all settings. Its error names every variable that is wrong, and what is valid.
func Load(getenv func(string) string) (Config, error) {
	var c Config
	var errs []error
	for _, s := range Settings() {
		value := getenv(s.Name)
		if value == "" {
			value = s.Default
		}
		if value == "" {
			continue
		}
		if err := s.set(&c, value); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.Name, err))
		}
	}
	if c.AdminKey != "" && len(c.AdminKey) < minAdminKey {
		errs = append(errs, fmt.Errorf("PLATEN_ADMIN_KEY: want at least %d characters", minAdminKey))
	}
	if c.RenderTimeoutMax > 0 && c.RenderTimeout > c.RenderTimeoutMax { // 0 is one that has been named already
		errs = append(errs, errors.New("PLATEN_RENDER_TIMEOUT: want no more than PLATEN_RENDER_TIMEOUT_MAX"))
	}
	if c.PublicURL == "" {
		c.PublicURL = "http://" + c.Addr
	}
	c.PublicURL = strings.TrimRight(c.PublicURL, "/")
	return c, errors.Join(errs...)
}

const minAdminKey = 16

// Require reports which of the settings are missing, by their names.
func (c Config) Require(names ...string) error {
	values := map[string]string{"PLATEN_BLOB_DIR": c.BlobDir, "PLATEN_SECRET_KEY": c.SecretKey}
	var errs []error
	for _, name := range names {
		if values[name] == "" {
			errs = append(errs, fmt.Errorf("%s: required", name))
		}
	}
	return errors.Join(errs...)
}
