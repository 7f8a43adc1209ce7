package native

import (
	"context"

	"github.com/platen-render/platen/internal/render"
)

// Selves implements [render.Identified].
func (e *Engine) Selves(context.Context) ([]render.Self, error) {
	return []render.Self{{Engine: render.Native, Version: Version, Fonts: e.library.Digest()}}, nil
}
