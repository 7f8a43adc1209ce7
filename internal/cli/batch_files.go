package cli

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/text/unicode/norm"

	"github.com/platen-render/platen/api"
)

// digests are the SHA-256 of files, in hex, by their names with slashes; "" of what is no file or is damaged. A name is composed (NFC), as a manifest has it; some file systems
// take it apart.
type digests map[string]string

// compareFiles names all that is not as the manifest has it. The manifest itself may lie among the files.
func (env Env) compareFiles(m api.Manifest, path, manifest string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	var found digests
	if info.IsDir() {
		found, err = digestsOfFolder(path, manifest)
	} else {
		found, err = digestsOfZip(path)
	}
	if err != nil {
		return err
	}
	rows, right := differences(m, found)
	_, _ = fmt.Fprintf(env.Stderr, "%s as issued\n", count(right, "file"))
	if len(rows) == 0 {
		return nil
	}
	if err := printTable(env.Stdout, []string{"FILE", "NAME"}, rows); err != nil {
		return err
	}
	return errNotAsIssued
}

// differences compares files with a manifest: what was altered, is missing and does not belong there. Right is how many are as they were
// issued; a copy of what was purged is, whatever its name.
func differences(m api.Manifest, found digests) (rows [][]string, right int) {
	rest, purged := maps.Clone(found), map[string]bool{}
	for _, e := range m.Entries {
		if e.Purged && e.SHA256 != nil {
			purged[*e.SHA256] = true
		}
		if e.File == nil || e.SHA256 == nil {
			continue
		}
		sum, there := rest[*e.File]
		delete(rest, *e.File)
		switch {
		case !there:
			rows = append(rows, []string{"missing", line(*e.File)})
		case sum != *e.SHA256:
			rows = append(rows, []string{"altered", line(*e.File)})
		default:
			right++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		if purged[rest[name]] {
			right++
			continue
		}
		rows = append(rows, []string{"extra", line(name)})
	}
	return rows, right
}

// digestsOfFolder reads what is in a folder and below it, but for manifests.
func digestsOfFolder(folder, manifest string) (digests, error) {
	found := digests{}
	own, _ := os.Stat(manifest) // nil for the standard input
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // nothing was written
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == api.ArchiveManifest {
			return err
		}
		if info, err := d.Info(); err == nil && own != nil && os.SameFile(info, own) {
			return nil
		}
		if !d.Type().IsRegular() {
			found[norm.NFC.String(path)] = "" // a link leads elsewhere: no document
			return nil
		}
		f, err := root.Open(filepath.FromSlash(path))
		if err != nil {
			return err
		}
		return found.add(path, f)
	})
	return found, err
}

func digestsOfZip(path string) (digests, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer func() { _ = z.Close() }() // nothing was written
	found := digests{}
	for _, entry := range z.File {
		if entry.FileInfo().IsDir() || entry.Name == api.ArchiveManifest {
			continue
		}
		f, err := entry.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, line(entry.Name), err)
		}
		if err := found.add(entry.Name, f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return found, nil
}

// add reads a file and closes it. A name that a zip has twice is two files.
func (d digests) add(name string, f io.ReadCloser) error {
	defer func() { _ = f.Close() }() // nothing was written
	sum, digest := sha256.New(), ""
	switch _, err := io.Copy(sum, f); {
	case err == nil:
		digest = hex.EncodeToString(sum.Sum(nil))
	case !errors.Is(err, zip.ErrChecksum) && !errors.Is(err, zip.ErrFormat):
		return fmt.Errorf("read %s: %w", line(name), err)
	}
	name = norm.NFC.String(name)
	for _, twice := d[name]; twice; _, twice = d[name] {
		name += " (again)"
	}
	d[name] = digest
	return nil
}
