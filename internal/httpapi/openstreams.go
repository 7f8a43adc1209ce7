package httpapi

import (
	"context"
	"errors"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
)

var errStreamsBusy = fault.New(fault.Unavailable, string(api.CodeStreamsBusy), "This server has as many open streams as it allows.")

// Why a stream ended, for the log.
var (
	errStopping   = errors.New("stopping")
	errKeyEnded   = errors.New("key_ended")
	errSlowReader = errors.New("slow_reader")
)

// openStreams are the streams of this process.
type openStreams struct {
	limit int
	gauge prometheus.Gauge

	mu       sync.Mutex
	stopping bool
	ends     map[*call]context.CancelCauseFunc
}

func newOpenStreams(limit int, reg prometheus.Registerer) *openStreams {
	o := &openStreams{limit: limit, ends: map[*call]context.CancelCauseFunc{}, gauge: prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "platen_streams_open", Help: "Streams of events that are being read.",
	})}
	reg.MustRegister(o.gauge)
	return o
}

// open counts a stream in, and returns a context that ends with it. The caller closes it.
func (o *openStreams) open(c *call) (context.Context, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stopping || len(o.ends) >= o.limit {
		return nil, errStreamsBusy
	}
	ctx, end := context.WithCancelCause(c.Request().Context())
	o.ends[c] = end
	o.gauge.Set(float64(len(o.ends)))
	return ctx, nil
}

func (o *openStreams) close(c *call) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ends[c](nil)
	delete(o.ends, c)
	o.gauge.Set(float64(len(o.ends)))
}

// EndStreams ends all streams and refuses new ones: they would hold up a server that is to shut down.
func (s *Server) EndStreams() {
	o := s.streams
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stopping = true
	for _, end := range o.ends {
		end(errStopping)
	}
}
