package jobs

import (
	"fmt"

	"github.com/platen-render/platen/internal/render"
)

// Where things lie in the blob store. The janitor reads these names backwards, so they are part of the stored form.

// InputPrefix is the folder of everything that was submitted for a job.
func InputPrefix(tenant string, job ID) string { return tenant + "/inputs/" + string(job) + "/" }

// SpecBlob is where a [Spec] lies that is too large for its record.
func SpecBlob(tenant string, job ID) string { return InputPrefix(tenant, job) + "spec" }

// FileBlob is where a file of a job lies.
func FileBlob(tenant string, job ID, sha256 string) string { return InputPrefix(tenant, job) + sha256 }

// OutputPrefix is the folder of everything that was made for a document.
func OutputPrefix(tenant string, document ID) string {
	return tenant + "/documents/" + string(document) + "/"
}

// OutputBlob is where one attempt puts what it made: a place of its own, so that no attempt touches the bytes of
// another. The document points to the winner's.
func OutputBlob(j Job, format render.Format) string {
	return fmt.Sprintf("%s%s/%d-%s/document.%s", OutputPrefix(j.Tenant, j.Document), j.ID, j.Attempt, j.Owner, format)
}
