package chromium

import (
	"context"

	"github.com/platen-render/platen/internal/render"
)

// Selves implements [render.Identified]. It starts the shared browser when there is none: only that knows its version.
func (e *Engine) Selves(ctx context.Context) ([]render.Self, error) {
	b, err := e.shared() //nolint:contextcheck // a start belongs to the engine, not to who causes it
	if err != nil {
		return nil, err
	}
	if err := b.await(ctx); err != nil {
		return nil, err
	}
	return []render.Self{{Engine: render.Chromium, Version: b.name, Fonts: e.digest()}}, nil
}
