package worker

import (
	"context"
	"log/slog"
	"time"
)

// signTime bounds how long an attempt that has won goes on for the receipt, which is made when it is first read otherwise.
const signTime = 3 * time.Second

// sign makes the receipt of the document that this attempt has issued. The document stands without it.
func (a *attempt) sign(ctx context.Context) {
	if a.runner.Sign == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), signTime)
	defer cancel()
	if err := a.runner.Sign(ctx, a.job.Document); err != nil {
		a.logger.WarnContext(ctx, "receipt not made yet", slog.String("document_id", string(a.job.Document)), slog.String("error", err.Error()))
	}
}
