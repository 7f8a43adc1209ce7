package httpapi

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render/templates"
)

// checkTimeout bounds the trial of a template; the steps and bytes that it may take are bounded too.
const checkTimeout = 10 * time.Second

// templateCheck fills a template in for nobody, so that what is wrong with it is told at once and not by a failed job.
func templateCheck(sub jobs.Submission) func(context.Context) error {
	return func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, checkTimeout)
		defer cancel()
		err := tryTemplate(ctx, sub)
		if errors.Is(err, context.DeadlineExceeded) {
			err = templates.ErrTooLong.With("The template takes longer than %v.", checkTimeout).Because(err)
		}
		return pointed(err)
	}
}

// tryTemplate uses a placeholder for the identity: the real one does not exist yet.
func tryTemplate(ctx context.Context, sub jobs.Submission) error {
	t, err := templates.Parse(sub.Spec.Text)
	if err != nil {
		return err
	}
	zeros := strings.Repeat("0", 26)
	_, err = t.Execute(ctx, io.Discard, sub.Spec.Data, templates.Environment{
		Identity: templates.Identity{
			DocumentID: "doc_" + zeros, DocumentKey: sub.DocumentKey, JobID: "job_" + zeros,
			VerifyURL: "https://platen.invalid/verify/doc_" + zeros + "?code=" + strings.Repeat("0", 32),
		},
		Locale: sub.Spec.Output.Locale, TimeZone: sub.Spec.Output.TimeZone,
	})
	return err
}

// pointed names the member that a fault of a template is about, unless the fault does.
func pointed(err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || len(f.Fields) > 0 {
		return err
	}
	pointer := "/template/html"
	if errors.Is(err, templates.ErrDataMissing) {
		pointer = "/data"
	}
	return f.In(pointer)
}
