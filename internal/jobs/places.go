package jobs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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
// another. The document points to the winner's. A document has one folder: each is an inode more, and an fsync.
func OutputBlob(j Job, format render.Format) string {
	return fmt.Sprintf("%s/%s-%d-%s.%s", OutputPrefix(j.Tenant, j.Document), j.ID, j.Attempt, j.Owner, format)
}

// ItemBlob is where the bytes of a version lie. Each attempt to store them has a place of its own, so that deleting one version
// cannot take the bytes of another one that is equal, or is being made.
func ItemBlob(i Item, sha256, attempt string) string {
	return i.Tenant + "/" + string(i.Shelf) + "s/" + i.Name + "/" + sha256 + "/" + attempt + "/content"
}

// folderOf is the folder of a blob.
func folderOf(blob string) string { return blob[:max(0, strings.LastIndexByte(blob, '/'))] }

// ParseItemBlob reads what [ItemBlob] makes.
func ParseItemBlob(name string) (i Item, sha256 string, ok bool) {
	parts := strings.Split(name, "/")
	if len(parts) != 6 || parts[5] != "content" || !IsItemName(parts[2]) {
		return Item{}, "", false
	}
	i = Item{Tenant: parts[0], Shelf: Shelf(strings.TrimSuffix(parts[1], "s")), Name: parts[2]}
	return i, parts[3], slices.Contains(Shelves, i.Shelf) && parts[1] == string(i.Shelf)+"s"
}

// PreviewPrefix is the folder of everything about a preview, which ends with it. Those of all tenants lie together, so that a backup
// can leave them out.
func PreviewPrefix(tenant string, preview ID) string {
	return "previews/" + tenant + "/" + string(preview)
}

// PreviewOrderBlob is where a [PreviewOrder] lies that is too large for its record.
func PreviewOrderBlob(tenant string, preview ID) string {
	return PreviewPrefix(tenant, preview) + "/order"
}

// PreviewBlob is where what was rendered lies.
func PreviewBlob(tenant string, preview ID, format render.Format) string {
	return PreviewPrefix(tenant, preview) + "/document." + string(format)
}

// Place says what a blob belongs to.
type Place struct {
	Tenant   string
	Job      ID
	Document ID  // "" for an input
	Attempt  int // that made it for the document
	Preview  ID  // then it belongs to nothing else
}

// ParsePlace reads the name of a blob. It is false for a name that none of the functions above makes, or has made: older builds gave each
// job of a document a folder, and each attempt one in it.
func ParsePlace(name string) (Place, bool) {
	parts := strings.Split(name, "/")
	if len(parts) == 4 && parts[0] == "previews" {
		if preview, err := ParseID(KindPreview, parts[2]); err == nil { // or a tenant has this name
			return Place{Tenant: parts[1], Preview: preview}, true
		}
	}
	if len(parts) == 4 && parts[1] == "inputs" {
		job, err := ParseID(KindJob, parts[2])
		return Place{Tenant: parts[0], Job: job}, err == nil
	}
	if len(parts) == 4 && parts[1] == "documents" {
		job, attempt, _ := strings.Cut(parts[3], "-")
		return outputPlace(parts[0], parts[2], job, attempt)
	}
	if len(parts) == 6 && parts[1] == "documents" {
		return outputPlace(parts[0], parts[2], parts[3], parts[4])
	}
	return Place{}, false
}

// outputPlace is that of what an attempt has made, which is written as its number, a hyphen and more.
func outputPlace(tenant, document, job, attempt string) (Place, bool) {
	d, errD := ParseID(KindDocument, document)
	j, errJ := ParseID(KindJob, job)
	number, _, _ := strings.Cut(attempt, "-")
	n, errN := strconv.Atoi(number)
	return Place{Tenant: tenant, Job: j, Document: d, Attempt: n}, errors.Join(errD, errJ, errN) == nil
}
