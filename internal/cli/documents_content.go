package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/platen-render/platen/client"
)

func downloadDocument(ctx context.Context, env Env, args []string) error {
	f := env.flags("documents download", "DOCUMENT", `
Saves an issued document and prints its path and sha256. The file is saved only when it is the whole document. Without -o it gets the name that the
document has on the server, beside what is in this folder already: nothing is replaced.`)
	out := f.String("o", "", "save as `PATH`, which is replaced; - is the standard output")
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	path := *out
	if path == "" {
		if path, err = unusedName(ctx, c, ids[0]); err != nil {
			return err
		}
	}
	if path != stdStream {
		if err := checkTarget(path); err != nil {
			return err
		}
	}
	document, err := save(ctx, env, c, ids[0], path)
	if err != nil {
		return err
	}
	return saved(env, path, *document.SHA256)
}

// unusedName is the name that a server offers a document under, as a file of this folder that is not there.
func unusedName(ctx context.Context, c *client.Client, id string) (string, error) {
	document, err := c.Document(ctx, id)
	if err != nil {
		return "", err
	}
	name := document.ID
	if document.Filename != nil {
		name = *document.Filename
	}
	if !plainName(name) {
		return "", fmt.Errorf("the document is called %q, which is no name for a file here; -o gives another one", name)
	}
	switch _, err := os.Lstat(name); {
	case err == nil:
		return "", fmt.Errorf("%s is there already; -o replaces it, or gives another name", name)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	return name, nil
}

// plainName reports whether a name that somebody else has chosen is that of a file in this folder, in sight and without tricks.
func plainName(name string) bool {
	return name != "" && filepath.IsLocal(name) && !strings.ContainsAny(name, `/\`) && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "-") && line(name) == name
}

func purgeDocument(ctx context.Context, env Env, args []string) error {
	f := env.flags("documents purge", "DOCUMENT", `
Deletes the bytes and the input of a document for good, and shows what stays: its identity and its receipt, which still tell a genuine copy from another.
It cannot be undone, so it needs --yes.`)
	asJSON := f.json()
	yes := f.Bool("yes", false, "do it")
	ids, err := f.parse(args, 1, 1)
	switch {
	case err != nil:
		return err
	case !*yes:
		return f.usage("a purge cannot be undone; --yes says that %s shall be deleted", ids[0])
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	document, err := c.Purge(ctx, ids[0])
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, document)
	}
	return printDocument(env.Stdout, document)
}

func linkDocument(ctx context.Context, env Env, args []string) error {
	f := env.flags("documents link", "DOCUMENT", `
Prints an address of the document's content that needs no key. Whoever has it can read the document until it expires, or the document is purged.`)
	asJSON := f.json()
	const day = 24 * time.Hour
	expires := f.Duration("expires", day, "how long it works, a `DURATION` up to 168h")
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	link, err := c.Link(ctx, ids[0], *expires)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, link)
	}
	_, _ = fmt.Fprintln(env.Stderr, "works until", moment(link.ExpiresAt))
	_, err = fmt.Fprintln(env.Stdout, line(link.URL))
	return err
}
