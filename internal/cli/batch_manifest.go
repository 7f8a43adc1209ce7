package cli

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/receipts"
	"github.com/platen-render/platen/internal/strictjson"
)

const manifestText = `
Saves the signed manifest of a batch that has ended: what has become of each document, and of each key that was expected. It is checked before
it is saved. Keep it: with it and the public keys it can be shown at any time, without the server, what was issued and what was not.

With --check nothing is saved: the manifest FILE, "-" is the standard input, is compared with its signature, and what is not issued is listed. --files
compares a folder, or a zip as "platen batch archive" saves it, with the manifest, and names every file that was altered, is missing or does not belong
there; a manifest.json in it is left out. The exit status is 1 when the manifest is not what was signed, or a file is not as it was issued.

The keys come from the server, unless --keys names a file as "platen receipts keys" prints it: then --check needs no server. Keys that come from where
the manifest comes from prove nothing.`

func batchManifest(ctx context.Context, env Env, args []string) error {
	f := env.flags("batch manifest", "BATCH", manifestText)
	out := f.String("o", stdStream, "save as `FILE`, which is replaced; - is the standard output")
	check := f.String("check", "", "check the manifest `FILE`, in the place of a batch's")
	keyFile := f.String("keys", "", "the public keys, a `FILE` as \"platen receipts keys\" prints it, or PEM, or the base64 of one key")
	files := f.String("files", "", "compare the documents in a folder or a zip, the `PATH`")
	given, err := f.parse(args, 0, 1)
	switch {
	case err != nil:
		return err
	case (*check == "") == (len(given) == 0):
		return f.usage("want a BATCH or --check, and not both")
	case *check != "" && *out != stdStream:
		return f.usage("--check saves nothing; -o is for a BATCH")
	case *check == "" && *files != "":
		return f.usage("--files belongs to --check")
	case *check == "":
		return env.saveManifest(ctx, given[0], *keyFile, *out)
	}
	return env.checkManifest(ctx, *check, *keyFile, *files)
}

// saveManifest fetches a manifest and saves it as it came.
func (env Env) saveManifest(ctx context.Context, batch, keyFile, out string) error {
	if out != stdStream {
		if err := checkTarget(out); err != nil {
			return err
		}
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	keys, _, err := env.manifestKeys(ctx, keyFile)
	if err != nil {
		return err
	}
	text, err := c.ManifestJSON(ctx, batch)
	if err != nil {
		return err
	}
	m, err := client.CheckManifest(text, keys)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(env.Stderr, "%s, sequence %d: %s\n", line(m.BatchID), m.Sequence, countsText(m.Counts))
	if out == stdStream {
		_, err = env.Stdout.Write(text)
		return err
	}
	return client.ReplaceFile(out, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
}

// checkManifest compares a file with its signature, and files with it.
func (env Env) checkManifest(ctx context.Context, file, keyFile, files string) error {
	text, err := env.content(file)
	if err != nil {
		return err
	}
	keys, from, err := env.manifestKeys(ctx, keyFile)
	if err != nil {
		return err
	}
	// What is read here must be read the same everywhere; then the order of members does not count, nor do escapes.
	if err := strictjson.Source("The manifest").Check(text); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	canonical, err := strictjson.Canonical(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	m, err := client.CheckManifest(canonical, keys)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := env.printManifest(m, from); err != nil || files == "" {
		return err
	}
	return env.compareFiles(m, files, file)
}

// manifestKeys are those of a file, or else those that the server has, and where they are from.
func (env Env) manifestKeys(ctx context.Context, file string) ([]api.SigningKey, string, error) {
	if file == "" {
		c, err := env.client()
		if err != nil {
			return nil, "", err
		}
		keys, err := c.SigningKeys(ctx)
		return keys.Data, "the server", err
	}
	text, err := readSmall(file)
	if err != nil {
		return nil, "", err
	}
	parsed, err := receipts.ParseKeys(text)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", file, err)
	}
	var keys []api.SigningKey
	for id, key := range parsed {
		keys = append(keys, api.SigningKey{KeyID: id, Algorithm: receipts.Algorithm, PublicKey: base64.StdEncoding.EncodeToString(key)})
	}
	return keys, file, nil
}

// printManifest writes what a genuine manifest says, and which documents were not issued or not expected.
func (env Env) printManifest(m api.Manifest, keysFrom string) error {
	if _, err := fmt.Fprintln(env.Stdout, "genuine"); err != nil {
		return err
	}
	fields := [][2]string{
		{"batch", line(m.BatchID)},
		{"tenant", line(m.Tenant)},
		{"sequence", strconv.Itoa(m.Sequence)},
		{string(m.Status), moment(m.FinishedAt)},
		{"items", strconv.Itoa(m.Items)},
		{"documents", countsText(m.Counts)},
		{"keys", "from " + line(keysFrom)},
	}
	if m.Expected != nil {
		fields = append(fields, [2]string{"expected", count(*m.Expected, "key")})
	}
	if err := printFields(env.Stdout, fields); err != nil {
		return err
	}
	var rows [][]string
	for _, e := range m.Entries {
		if notes := entryNotes(e); notes != "" {
			rows = append(rows, []string{index(e.Index), notes, dash(maybe(e.DocumentKey)), dash(maybe(e.DocumentID))})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return printTable(env.Stdout, []string{"ITEM", "STATUS", "KEY", "DOCUMENT"}, rows)
}

// entryNotes says what is not as it should be with an entry, or is "".
func entryNotes(e api.ManifestEntry) string {
	notes := ""
	if e.Status != api.EntryIssued && e.Status != api.EntryReused || e.Unexpected || e.Purged {
		notes = string(e.Status)
	}
	if e.Unexpected {
		notes += ", unexpected"
	}
	if e.Purged {
		notes += ", purged"
	}
	return notes
}

func index(n *int) string {
	if n == nil {
		return "-"
	}
	return strconv.Itoa(*n)
}

// countsText are the counts that are not zero.
func countsText(c api.ManifestCounts) string {
	text := ""
	for _, part := range []struct {
		n    int
		what string
	}{{c.Issued, "issued"}, {c.Reused, "reused"}, {c.Failed, "failed"}, {c.Canceled, "canceled"}, {c.Missing, "missing"}, {c.Unexpected, "unexpected"}} {
		if part.n == 0 {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += strconv.Itoa(part.n) + " " + part.what
	}
	return text
}

var errNotAsIssued = errors.New("the files are not as they were issued")
