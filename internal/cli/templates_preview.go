package cli

import (
	"context"
	"fmt"
	"io"
	"mime"
	"os"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

// previewFlags are what "platen templates preview" was asked.
type previewFlags struct {
	*flags
	looks

	name              string
	out, data, engine string
	version           int
	asJSON            bool
}

func previewTemplate(ctx context.Context, env Env, args []string) error {
	f, err := parsePreview(env, args)
	if err != nil {
		return err
	}
	req, err := f.request()
	if err != nil {
		return err
	}
	if f.out != "" && f.out != stdStream {
		if err := checkTarget(f.out); err != nil {
			return err
		}
	}
	c, err := env.client()
	if err != nil {
		return err
	}
	preview, content, err := c.Preview(ctx, f.name, req)
	if err != nil {
		return err
	}
	out, err := f.save(preview, content)
	if err != nil {
		return err
	}
	return f.print(preview, out)
}

func parsePreview(env Env, args []string) (*previewFlags, error) {
	f := &previewFlags{flags: env.flags("templates preview", "NAME", `
Renders a stored template with the JSON of --data, or with its sample, saves what comes of it and prints the path, the engine and the pages.
No document is issued.`)}
	f.StringVar(&f.out, "o", "", "save as `PATH`; - is the standard output, and the default NAME with the format's extension")
	f.StringVar(&f.data, "data", "", "fill in the template with the JSON in `PATH`; - is the standard input")
	f.lookFlags(f.flags)
	f.StringVar(&f.engine, "engine", "", "render with this `ENGINE`: auto, native or chromium")
	f.IntVar(&f.version, "version", 0, "the version `N` of the template; by default the current one")
	f.BoolVar(&f.asJSON, "json", false, "print what is known of it as the JSON of the API, without the bytes")
	names, err := f.parse(args, 1, 1)
	if err != nil {
		return nil, err
	}
	f.name = names[0]
	return f, nil
}

func (f *previewFlags) request() (api.PreviewRequest, error) {
	var req api.PreviewRequest
	set(&req.Version, f.version)
	set(&req.Engine, api.Engine(f.engine))
	f.over(&req.Output)
	if f.data == "" {
		return req, nil
	}
	data, err := f.read()
	if err == nil {
		err = checkJSON(f.data, data)
	}
	req.Data = data
	return req, err
}

func (f *previewFlags) read() ([]byte, error) {
	if f.data == stdStream {
		return io.ReadAll(f.env.Stdin)
	}
	return os.ReadFile(f.data)
}

// save writes the bytes and returns where.
func (f *previewFlags) save(preview api.Preview, content []byte) (string, error) {
	if f.out == stdStream {
		_, err := f.env.Stdout.Write(content)
		return f.out, err
	}
	out := f.out
	if out == "" {
		out = f.name + extensionOf(preview.ContentType)
	}
	return out, client.ReplaceFile(out, func(to *os.File) error {
		_, err := to.Write(content)
		return err
	})
}

// extensionOf is that of a kind of document.
func extensionOf(contentType string) string {
	media, _, _ := mime.ParseMediaType(contentType)
	extensions := map[string]string{"image/png": ".png", "image/jpeg": ".jpeg", "application/zip": ".zip"}
	if extension, ok := extensions[media]; ok {
		return extension
	}
	return ".pdf"
}

// print says what was rendered, but not into it.
func (f *previewFlags) print(preview api.Preview, out string) error {
	w := f.env.Stdout
	if out == stdStream {
		w = f.env.Stderr
	}
	if f.asJSON {
		preview.Content = ""
		return printJSON(w, preview)
	}
	for _, warning := range preview.Warnings {
		_, _ = fmt.Fprintln(f.env.Stderr, "warning:", line(warning.Code+": "+warning.Detail))
	}
	engine := line(preview.Engine)
	if preview.EngineReason != nil {
		engine += because(*preview.EngineReason)
	}
	if out != stdStream {
		_, _ = fmt.Fprintln(w, out)
	}
	_, err := fmt.Fprintf(w, "%s version %d, %s, by %s\n", line(preview.Template.Name), preview.Template.Version, count(preview.Pages, "page"), engine)
	return err
}
