package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func templateCommands() []Command {
	return []Command{
		{"init", "Write the templates that come with Platen into a folder", initTemplates},
		{"put", "Store a template, with its assets", putTemplate},
		{"list", "List templates, or the versions of one", listTemplates},
		{"show", "Print what is stored of a template", showTemplate},
		{"preview", "Render a stored template, and issue nothing", previewTemplate},
		{"delete", "Delete a template, or a version of it", deleteTemplate},
	}
}

func putTemplate(ctx context.Context, env Env, args []string) error {
	f := env.flags("templates put", "PATH", `
Stores a template and makes it the current version of its name. PATH is a folder as "platen templates init" writes it (template.html, and
perhaps style.css, header.html, footer.html, schema.json, sample.json, and template.json with engine and output), a page in HTML, or the
JSON of the API. Files of the folder's subfolder assets are stored under their names, which all templates of the tenant share. Everything is
checked first: nothing is stored of what would not be accepted as a whole. The same content again makes no new version.`)
	name := f.String("name", "", "store under `NAME`; by default that of the folder or the file")
	asJSON := f.json()
	paths, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	folder, err := readTemplate(paths[0])
	if err != nil {
		return err
	}
	if *name != "" {
		folder.name = *name
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	if err := folder.check(ctx, c); err != nil {
		return fmt.Errorf("nothing was stored: %w", err)
	}
	if err := folder.warn(ctx, c, env.Stderr); err != nil {
		return err
	}
	for _, file := range folder.assets {
		asset, created, err := c.PutAsset(ctx, file)
		if err != nil {
			return fmt.Errorf("asset %s: %w", file.Name, err)
		}
		if !*asJSON {
			_, _ = fmt.Fprintln(env.Stdout, "asset", storedLine(asset.Name, asset.Version, created))
		}
	}
	template, created, err := c.PutTemplate(ctx, folder.name, folder.request)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, template)
	}
	_, err = fmt.Fprintln(env.Stdout, "template", storedLine(template.Name, template.Version, created))
	return err
}

func storedLine(name string, version int, created bool) string {
	if created {
		return fmt.Sprintf("%s, version %d", line(name), version)
	}
	return fmt.Sprintf("%s, version %d, which has the same content and is the current one", line(name), version)
}

func listTemplates(ctx context.Context, env Env, args []string) error {
	f := env.flags("templates list", "[NAME]", "Lists the templates of the tenant by name with their current versions, or the versions of one, newest first.")
	list, err := parseShelf(f, args)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	var page api.TemplateList
	if list.name == "" {
		page, err = c.TemplatePage(ctx, list.page)
	} else {
		page, err = c.TemplateVersionPage(ctx, list.name, list.page)
	}
	if err != nil {
		return err
	}
	if list.asJSON {
		return printJSON(env.Stdout, page)
	}
	rows := make([][]string, 0, len(page.Data))
	for _, t := range page.Data {
		rows = append(rows, []string{line(t.Name), versionOf(t.Version, t.Current), moment(t.CreatedAt), strconv.Itoa(t.PendingJobs), short(t.SHA256)})
	}
	defer more(env.Stderr, page.NextCursor)
	return env.printList("templates", []string{"NAME", "VERSION", "STORED", "PENDING JOBS", "SHA256"}, rows)
}

// shelfList is what a list was asked.
type shelfList struct {
	name   string
	page   client.Page
	asJSON bool
}

func parseShelf(f *flags, args []string) (shelfList, error) {
	var list shelfList
	f.IntVar(&list.page.Limit, "limit", api.DefaultLimit, "at most `N` entries, up to 200")
	f.StringVar(&list.page.Cursor, "cursor", "", "go on behind the page that named this `CURSOR`")
	f.BoolVar(&list.asJSON, "json", false, "print the JSON of the API")
	names, err := f.parse(args, 0, 1)
	if len(names) > 0 {
		list.name = names[0]
	}
	return list, err
}

// versionOf is the number of a version, with a mark at the current one.
func versionOf(version int, current bool) string {
	if current {
		return strconv.Itoa(version) + " *"
	}
	return strconv.Itoa(version)
}

func short(sum string) string { return line(sum[:min(len(sum), 12)]) }

func showTemplate(ctx context.Context, env Env, args []string) error {
	f := env.flags("templates show", "NAME", "Prints the JSON of a template as the API has it, its content included: what \"platen templates put\" stored.")
	version := f.Int("version", 0, "the version `N`; by default the current one")
	names, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	template, err := c.Template(ctx, names[0], *version)
	if err != nil {
		return err
	}
	return printJSON(env.Stdout, template)
}

func deleteTemplate(ctx context.Context, env Env, args []string) error {
	return deleteStored(ctx, env, "templates delete", (*client.Client).DeleteTemplate, args)
}

// deleteStored deletes all versions of something that is stored under a name, or one of them.
func deleteStored(ctx context.Context, env Env, name string, del func(*client.Client, context.Context, string, int) error, args []string) error {
	f := env.flags(name, "NAME", "Deletes one version, or with --all everything under the name. What a job that has not ended uses is not deleted.")
	version := f.Int("version", 0, "the version `N`")
	all := f.Bool("all", false, "all versions")
	names, err := f.parse(args, 1, 1)
	switch {
	case err != nil:
		return err
	case *all == (*version != 0):
		return f.usage("give one of --version and --all")
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	if err := del(c, ctx, names[0], *version); err != nil {
		return err
	}
	what := "all versions"
	if !*all {
		what = fmt.Sprintf("version %d", *version)
	}
	_, err = fmt.Fprintf(env.Stdout, "deleted %s of %s\n", what, line(names[0]))
	return err
}
