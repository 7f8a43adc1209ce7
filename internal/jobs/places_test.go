package jobs_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/internal/jobs"
)

func TestTheNameOfABlobTellsWhatItBelongsTo(t *testing.T) {
	t.Parallel()
	j := jobs.Job{Tenant: "acme", ID: jobs.NewID(jobs.KindJob, 0), Document: jobs.NewID(jobs.KindDocument, 0), Attempt: 12, Owner: "OWNER"}
	preview := jobs.NewID(jobs.KindPreview, 0)
	input, output := jobs.Place{Tenant: "acme", Job: j.ID}, jobs.Place{Tenant: "acme", Job: j.ID, Document: j.Document, Attempt: 12}
	for name, want := range map[string]jobs.Place{
		jobs.SpecBlob("acme", j.ID):              input,
		jobs.FileBlob("acme", j.ID, "0123abcd"):  input,
		jobs.OutputBlob(j, "pdf"):                output,
		jobs.PreviewBlob("acme", preview, "png"): {Tenant: "acme", Preview: preview},
		// The form of older builds.
		jobs.OutputPrefix("acme", j.Document) + "/" + string(j.ID) + "/12-OWNER/document.pdf": output,
	} {
		got, ok := jobs.ParsePlace(name)
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s: %v, -want +got:\n%s", name, ok, diff)
		}
	}
	for _, name := range []string{
		"", "acme", "acme/documents/" + string(j.Document), jobs.OutputPrefix("acme", j.Document) + "/document.pdf",
		jobs.OutputPrefix("acme", j.Document) + "/" + string(j.ID), jobs.OutputPrefix("acme", j.Document) + "/" + string(j.ID) + "-x-OWNER.pdf",
		"acme/documents/doc_1/" + string(j.ID) + "-1-OWNER.pdf", jobs.OutputBlob(j, "pdf") + "/more",
	} {
		if place, ok := jobs.ParsePlace(name); ok {
			t.Errorf("%q belongs to %+v", name, place)
		}
	}
}
