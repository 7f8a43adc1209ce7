package httpapi

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/jobs"
)

// Options sets up a [Server]. Fields are required unless they have a default.
type Options struct {
	Service *jobs.Service
	// PublicURL begins the URLs in answers: scheme, host and perhaps a path.
	PublicURL string
	// AdminKey is a bearer token that may do everything below /admin and nothing else. Empty is none.
	AdminKey string
	// MaxBody bounds the body of a request in bytes. Default 10 MiB.
	MaxBody int64
	// BodyTimeout bounds how long a body may take to arrive. Default one minute.
	BodyTimeout time.Duration
	// UploadTimeout bounds how long a body of lines may, each of which has BodyTimeout. Default one hour, after which the batch is forgotten.
	UploadTimeout time.Duration
	// MaxDocument bounds what is verified in bytes. Default 100 MiB.
	MaxDocument int64
	// DefaultTimeout is how long an attempt to render may take when the request does not say. Default 60 s.
	DefaultTimeout time.Duration
	// MaxTimeout bounds what a request may ask for. Default 300 s.
	MaxTimeout time.Duration
	// Streams bounds the streams of events.
	Streams StreamOptions
	// Ready is what /readyz looks at.
	Ready []Check
	// Gatherer is what /metrics shows.
	Gatherer prometheus.Gatherer
	// Registerer takes the metrics of requests.
	Registerer prometheus.Registerer
	Logger     *slog.Logger
}

// Check is one thing that the process needs.
type Check struct {
	Name string
	// Probe returns nil, or why the thing is missing: the message of a fault is shown, the cause is logged.
	Probe func(ctx context.Context) error
}

const (
	defaultMaxBody     = 10 << 20
	defaultMaxDocument = 100 << 20
	defaultBodyTimeout = time.Minute
	defaultUploadTime  = time.Hour
	defaultTimeout     = time.Minute
	defaultMaxTimeout  = 5 * time.Minute
)

// Server answers the requests of the API. It reads bodies within bounds of its own; the header timeouts are those of the
// http.Server that it hangs in. Safe for concurrent use.
type Server struct {
	opts     Options
	service  *jobs.Service
	library  *catalog.Library
	signer   *jobs.Signer
	basePath string // of PublicURL
	host     string // of PublicURL, for people
	metrics  *metrics
	streams  *openStreams
	echo     *echo.Echo
}

var _ http.Handler = (*Server)(nil)

// New makes a server and registers its metrics.
func New(o Options) *Server {
	o.PublicURL = strings.TrimRight(o.PublicURL, "/")
	o.MaxBody = cmp.Or(o.MaxBody, defaultMaxBody)
	o.MaxDocument = cmp.Or(o.MaxDocument, defaultMaxDocument)
	o.BodyTimeout = cmp.Or(o.BodyTimeout, defaultBodyTimeout)
	o.UploadTimeout = cmp.Or(o.UploadTimeout, defaultUploadTime)
	o.DefaultTimeout = cmp.Or(o.DefaultTimeout, defaultTimeout)
	o.Streams = o.Streams.withDefaults()
	o.MaxTimeout = cmp.Or(o.MaxTimeout, defaultMaxTimeout)

	s := &Server{opts: o, service: o.Service, library: &catalog.Library{Store: o.Service.Store, Blobs: o.Service.Blobs}, metrics: newMetrics(o.Registerer), echo: echo.New()}
	s.streams = newOpenStreams(o.Streams.Max, o.Registerer)
	s.signer = &jobs.Signer{Store: o.Service.Store, Key: o.Service.Key, Logger: o.Logger, PublicURL: o.PublicURL}
	if u, err := url.Parse(o.PublicURL); err == nil {
		s.basePath, s.host = u.EscapedPath(), u.Host
	}
	s.echo.Use(s.observe)
	for _, r := range s.routes() {
		s.echo.Add(r.method, r.path, s.serve(r))
	}
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.echo.ServeHTTP(w, r) }

// Routes lists what is served, sorted, as "METHOD /path/:param".
func (s *Server) Routes() []string {
	var routes []string
	for _, r := range s.routes() {
		routes = append(routes, r.method+" "+r.path)
	}
	slices.Sort(routes)
	return routes
}
