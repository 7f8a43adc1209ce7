package jobs

import (
	"fmt"
	"strings"

	"github.com/platen-render/platen/internal/render"
)

// Where things lie in the blob store. The janitor reads these names backwards, so they are part of the stored form.

// InputPrefix is the folder of everything that was submitted for a job.
func InputPrefix(tenant string, job ID) string { return tenant + "/inputs/" + string(job) }

// SpecBlob is where a [Spec] lies that is too large for its record.
func SpecBlob(tenant string, job ID) string { return InputPrefix(tenant, job) + "/spec" }

// FileBlob is where a file of a job lies.
func FileBlob(tenant string, job ID, sha256 string) string {
	return InputPrefix(tenant, job) + "/" + sha256
}

// OutputPrefix is the folder of everything that was made for a document.
func OutputPrefix(tenant string, document ID) string {
	return tenant + "/documents/" + string(document)
}

// OutputBlob is where one attempt puts what it made: a place of its own, so that no attempt touches the bytes of
// another. The document points to the winner's.
func OutputBlob(j Job, format render.Format) string {
	return AttemptPrefix(j) + "/document." + string(format)
}

// AttemptPrefix is the folder of what one attempt makes.
func AttemptPrefix(j Job) string {
	return fmt.Sprintf("%s/%s/%d-%s", OutputPrefix(j.Tenant, j.Document), j.ID, j.Attempt, j.Owner)
}

// Place says what a blob belongs to.
type Place struct {
	Tenant   string
	Job      ID
	Document ID // "" for an input
}

// ParsePlace reads the name of a blob. It is false for a name that none of the functions above makes.
func ParsePlace(name string) (Place, bool) {
	parts := strings.Split(name, "/")
	if len(parts) == 4 && parts[1] == "inputs" {
		job, err := ParseID(KindJob, parts[2])
		return Place{Tenant: parts[0], Job: job}, err == nil
	}
	if len(parts) == 6 && parts[1] == "documents" {
		document, errD := ParseID(KindDocument, parts[2])
		job, errJ := ParseID(KindJob, parts[3])
		return Place{Tenant: parts[0], Job: job, Document: document}, errD == nil && errJ == nil
	}
	return Place{}, false
}
