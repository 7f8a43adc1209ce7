package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/platen-render/platen/client"
)

const (
	defaultURL     = "http://127.0.0.1:8080"
	defaultDataDir = ".platen"
	devFile        = "dev.json"
)

// patience is how long a command repeats a request that gets no answer.
const patience = 30 * time.Second

var (
	errNoKey      = errors.New(`there is no key: set PLATEN_KEY, or start "platen dev" in this folder`)
	errNoSecret   = errors.New(`there is no secret: set PLATEN_CALLBACK_SECRET or --secret, or start "platen dev" in this folder`)
	errNoAdminKey = errors.New("there is no key: set PLATEN_ADMIN_KEY to the server's bootstrap key")
)

// settings say which server to talk to, and as whom.
type settings struct {
	url, key, adminKey, callbackSecret string
}

// dev is the file that "platen dev" leaves for the other commands.
type dev struct {
	URL            string `json:"url"`
	Key            string `json:"key"`
	CallbackSecret string `json:"callback_secret"`
	AdminKey       string `json:"admin_key"`
}

// settings reads the environment and, when it names no key or that of the file, the file of "platen dev". Key and secret of that
// file are for its own server: with another PLATEN_URL they stay unused.
func (env Env) settings() (settings, error) {
	s := settings{
		url: env.Getenv("PLATEN_URL"), key: env.Getenv("PLATEN_KEY"),
		adminKey: env.Getenv("PLATEN_ADMIN_KEY"), callbackSecret: env.Getenv("PLATEN_CALLBACK_SECRET"),
	}
	d, err := env.dev()
	if err != nil && s.key == "" {
		return settings{}, err
	}
	if d.serves(s.url) && (s.key == "" || s.key == d.Key) {
		s.url, s.key = cmp.Or(d.URL, s.url), d.Key
		s.adminKey = cmp.Or(s.adminKey, d.AdminKey)
		s.callbackSecret = cmp.Or(s.callbackSecret, d.CallbackSecret)
	}
	s.url = cmp.Or(s.url, defaultURL)
	return s, nil
}

// serves reports whether an address is that of the server of "platen dev", or not given.
func (d dev) serves(address string) bool {
	return address == "" || strings.TrimRight(address, "/") == strings.TrimRight(d.URL, "/")
}

// dev reads the file of "platen dev"; when there is none it is empty.
func (env Env) dev() (dev, error) {
	path := filepath.Join(cmp.Or(env.Getenv("PLATEN_DATA_DIR"), defaultDataDir), devFile)
	text, err := os.ReadFile(path) //nolint:gosec // the user's own folder
	if errors.Is(err, fs.ErrNotExist) {
		return dev{}, nil
	}
	if err != nil {
		return dev{}, err
	}
	var d dev
	if err := json.Unmarshal(text, &d); err != nil {
		return dev{}, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// client returns a client for the server as its tenant.
func (env Env) client() (*client.Client, error) {
	s, err := env.settings()
	if err != nil {
		return nil, err
	}
	if s.key == "" {
		return nil, errNoKey
	}
	return env.clientAs(s, s.key), nil
}

// admin returns a client that may manage keys. PLATEN_KEY may be any tenant's, so the bootstrap key that "platen dev" left
// for its server comes before it.
func (env Env) admin() (*client.Client, error) {
	s, err := env.settings()
	if err != nil {
		return nil, err
	}
	if s.adminKey == "" && s.key != "" {
		d, err := env.dev()
		if err != nil {
			return nil, err
		}
		if d.AdminKey != "" && d.serves(env.Getenv("PLATEN_URL")) {
			s.url, s.adminKey = d.URL, d.AdminKey
		}
	}
	key := cmp.Or(s.adminKey, s.key)
	if key == "" {
		return nil, errNoAdminKey
	}
	return env.clientAs(s, key), nil
}

func (env Env) clientAs(s settings, key string) *client.Client {
	return &client.Client{
		BaseURL: s.url, Key: key, HTTP: env.HTTP, RetryFor: patience,
		Retrying: env.sayOnce(s.url),
	}
}

// sayOnce returns a function that says that a request is repeated, and why, but not each time anew.
func (env Env) sayOnce(server string) func(error, time.Duration) {
	said := ""
	return func(cause error, _ time.Duration) {
		text := cause.Error()
		if failed, ok := errors.AsType[*url.Error](cause); ok {
			text = fmt.Sprintf("%s does not answer: %v (PLATEN_URL names another server)", server, failed.Err)
		}
		if p, ok := errors.AsType[*client.Problem](cause); ok {
			text = fmt.Sprintf("%s (%s)", p.Detail, p.Code) // without each of a hundred items
		}
		if text != said {
			said = text
			_, _ = fmt.Fprintf(env.Stderr, "%s; trying again for %v\n", line(text), patience)
		}
	}
}
