package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func assetCommands() []Command {
	return []Command{
		{"put", "Store images, fonts and style sheets", putAssets},
		{"list", "List assets, or the versions of one", listAssets},
		{"delete", "Delete an asset, or a version of it", deleteAsset},
	}
}

// maxPut bounds how many files one command stores.
const maxPut = 1000

func putAssets(ctx context.Context, env Env, args []string) error {
	f := env.flags("assets put", "FILE…", `
Stores images, fonts and style sheets, each under the name of its file, by which pages find it as asset:NAME. The same content again makes
no new version.`)
	name := f.String("name", "", "store the one FILE under `NAME`")
	paths, err := f.parse(args, 1, maxPut)
	if err != nil {
		return err
	}
	if *name != "" && len(paths) > 1 {
		return f.usage("--name is for one FILE")
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	for _, path := range paths {
		content, err := os.ReadFile(path) //nolint:gosec // the user's own file
		if err != nil {
			return err
		}
		file := client.File{Name: filepath.Base(path), Content: content}
		file.ContentType = file.MediaType()
		if *name != "" {
			file.Name = *name
		}
		asset, created, err := c.PutAsset(ctx, file)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if _, err := fmt.Fprintln(env.Stdout, "asset", storedLine(asset.Name, asset.Version, created)); err != nil {
			return err
		}
	}
	return nil
}

func listAssets(ctx context.Context, env Env, args []string) error {
	f := env.flags("assets list", "[NAME]", "Lists the assets of the tenant by name with their current versions, or the versions of one, newest first.")
	list, err := parseShelf(f, args)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	var page api.AssetList
	if list.name == "" {
		page, err = c.AssetPage(ctx, list.page)
	} else {
		page, err = c.AssetVersionPage(ctx, list.name, list.page)
	}
	if err != nil {
		return err
	}
	if list.asJSON {
		return printJSON(env.Stdout, page)
	}
	rows := make([][]string, 0, len(page.Data))
	for _, a := range page.Data {
		rows = append(rows, []string{
			line(a.Name), versionOf(a.Version, a.Current), line(a.ContentType), strconv.FormatInt(a.Bytes, 10), moment(a.CreatedAt),
			strconv.Itoa(a.PendingJobs), short(a.SHA256),
		})
	}
	defer more(env.Stderr, page.NextCursor)
	return env.printList("assets", []string{"NAME", "VERSION", "TYPE", "BYTES", "STORED", "PENDING JOBS", "SHA256"}, rows)
}

func deleteAsset(ctx context.Context, env Env, args []string) error {
	return deleteStored(ctx, env, "assets delete", (*client.Client).DeleteAsset, args)
}
