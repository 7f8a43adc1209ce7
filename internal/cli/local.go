package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
	"github.com/platen-render/platen/internal/config"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/output"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/chromium"
	"github.com/platen-render/platen/internal/render/compose"
	"github.com/platen-render/platen/internal/render/engines"
	"github.com/platen-render/platen/internal/render/resources"
	"github.com/platen-render/platen/internal/render/templates"
	"github.com/platen-render/platen/internal/urlguard"
)

// maxRedirects is how many hops a resource of a page may take; each is judged anew.
const maxRedirects = 5

// renderLocally does what a worker does with a job, in this process: the same page, the same guard, the same browser.
// Nothing is issued, so a template finds an empty identity.
func renderLocally(ctx context.Context, env Env, s client.Submission, out string, final func(out, contentType string) string) error {
	cfg, policy, err := localSettings(env)
	if err != nil {
		return err
	}
	limit := cfg.RenderTimeout
	if s.Request.TimeoutSeconds != nil {
		limit = time.Duration(*s.Request.TimeoutSeconds) * time.Second
	}
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	request, warnings, err := localPage(bounded, cfg, policy, s)
	if err != nil {
		return plain(err)
	}
	request.MaxBytes = cfg.MaxDocument
	digest := sha256.New()
	var report render.Report
	err = withEngines(bounded, cfg, policy, func(engine *engines.Engine) (err error) {
		if out == stdStream {
			report, err = engine.Render(bounded, io.MultiWriter(env.Stdout, digest), request)
			return err
		}
		return client.ReplaceFile(out, func(f *os.File) error {
			report, err = engine.Render(bounded, io.MultiWriter(unnamed{f}, digest), request)
			return err
		})
	})
	printWarnings(env, render.MergeWarnings(warnings, report.Warnings))
	if err != nil {
		return plain(err)
	}
	_, _ = fmt.Fprintf(env.Stderr, "rendered %s by %s (version %s)%s\n", count(report.Pages, "page"), report.Engine, report.Version, because(report.Reason))
	if named := final(out, report.ContentType); named != out {
		if err := os.Rename(out, named); err != nil {
			return err
		}
		out = named
	}
	return saved(env, out, hex.EncodeToString(digest.Sum(nil)))
}

// localSettings are the settings of a command that renders without a server, and what its pages may load.
func localSettings(env Env) (config.Config, urlguard.Policy, error) {
	cfg, err := config.Load(env.Getenv)
	if err != nil {
		return cfg, urlguard.Policy{}, err
	}
	rules, err := urlguard.ParseRules(cfg.AllowPages)
	if err != nil {
		return cfg, urlguard.Policy{}, fmt.Errorf("PLATEN_EGRESS_ALLOW_PAGES: %w", err)
	}
	return cfg, urlguard.Policy{AllowHTTP: true, Allow: rules}, nil
}

func printWarnings(env Env, warnings []render.Warning) {
	for _, w := range warnings {
		_, _ = fmt.Fprintln(env.Stderr, line("warning: "+w.Detail+" ("+w.Code+")"))
	}
}

// plain reduces what is wrong with the page to what its author needs. Of other errors the cause matters, for this machine
// is the user's own.
func plain(err error) error {
	if f := fault.From(err); f != nil && f.Kind == fault.Invalid {
		return refusal(f.Code, f.Message, f.Fields)
	}
	return err
}

// refusal is what a server would say.
func refusal(code, detail string, fields []fault.Field) error {
	p := &client.Problem{Problem: api.Problem{Code: api.ErrorCode(code), Detail: detail}}
	for _, f := range fields {
		p.Errors = append(p.Errors, api.FieldError{Pointer: f.Pointer, Code: api.ErrorCode(f.Code), Detail: f.Detail})
	}
	return p
}

// localPage composes the page and loads what it names.
func localPage(ctx context.Context, cfg config.Config, policy urlguard.Policy, s client.Submission) (render.Request, []render.Warning, error) {
	input := source(s.Request)
	look, wrong := look(s.Request, input)
	if len(wrong) > 0 {
		return render.Request{}, nil, refusal(wrong[0].Code, wrong[0].Detail, wrong)
	}
	input.Locale, input.TimeZone = look.Locale, look.TimeZone
	page, err := compose.Compose(ctx, input, templates.Nobody(documentKey(s.Request)))
	if err != nil {
		return render.Request{}, nil, err
	}
	files := make(map[string]render.Resource, len(s.Files))
	for _, f := range s.Files {
		files[f.Name] = render.Resource{ContentType: f.MediaType(), Body: f.Content}
	}
	loader := &resources.Loader{
		Client: policy.Client(urlguard.Options{Timeout: cfg.ResourceTimeout, MaxRedirects: maxRedirects}),
		Limits: resources.Limits{Timeout: cfg.ResourceTimeout},
	}
	found, warnings := loader.Load(ctx, page.HTML, files)
	request := render.Request{HTML: page.HTML, Resources: found, Output: look}
	if e := s.Request.Engine; e != nil {
		request.Engine = string(*e)
	}
	return request, warnings, nil
}

// documentKey is the key that the document would have on a server.
func documentKey(r api.JobRequest) string {
	if r.DocumentKey == nil {
		return ""
	}
	return *r.DocumentKey
}

// because is why an engine renders, with a leading blank; "" where nothing is to be said.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + line(reason) + ")"
}

// look is how the document shall look, or what a server would say is wrong with the request.
func look(r api.JobRequest, input compose.Source) (render.Output, []fault.Field) {
	if input.Text == "" {
		if wrong := serverOnly(r); len(wrong) > 0 {
			return render.Output{}, wrong // the text is elsewhere
		}
		pointer := map[compose.Kind]string{compose.HTML: "/html", compose.Markdown: "/markdown", compose.Template: "/template/html"}[input.Kind]
		return render.Output{}, []fault.Field{{Pointer: pointer, Code: string(api.CodeFieldInvalid), Detail: "The input must not be empty."}}
	}
	look, _, wrong := output.Of(r.Output)
	if e := r.Engine; e != nil && *e != api.EngineAuto && *e != api.EngineNative && *e != api.EngineChromium {
		wrong = append(wrong, fault.Field{Pointer: "/engine", Code: string(api.CodeFieldInvalid), Detail: "engine must be auto, native or chromium."})
	}
	if input.Kind != compose.Template && r.Data != nil {
		wrong = append(wrong, fault.Field{Pointer: "/data", Code: string(api.CodeFieldInvalid), Detail: "data is only for a template."})
	}
	return look, append(wrong, serverOnly(r)...)
}

// serverOnly refuses what a request asks for and only a server does: ignoring it would promise what is not done.
func serverOnly(r api.JobRequest) []fault.Field {
	var wrong []fault.Field
	for _, m := range []struct {
		pointer string
		asked   bool
	}{
		{"/url", r.URL != nil}, {"/template/name", r.Template != nil && r.Template.Name != nil}, {"/strict", r.Strict != nil && *r.Strict}, {"/expect", r.Expect != nil}, {"/wait_for", r.WaitFor != nil}, {"/cache", r.Cache != nil},
	} {
		if m.asked {
			wrong = append(wrong, fault.Field{Pointer: m.pointer, Code: string(api.CodeFieldInvalid), Detail: m.pointer[1:] + " needs a server."})
		}
	}
	return wrong
}

func source(r api.JobRequest) compose.Source {
	switch {
	case r.URL != nil:
		return compose.Source{Kind: kindURL, Text: *r.URL}
	case r.Markdown != nil:
		return compose.Source{Kind: compose.Markdown, Text: *r.Markdown}
	case r.Template != nil:
		return compose.Source{Kind: compose.Template, Text: *cmp.Or(r.Template.HTML, new("")), Data: r.Data}
	default:
		return compose.Source{Kind: compose.HTML, Text: *r.HTML}
	}
}

// withEngines calls do with the engines of this machine, the browser behind the guarding proxy, and returns when nothing of them is
// left. A browser is started when a page needs it.
func withEngines(ctx context.Context, cfg config.Config, policy urlguard.Policy, do func(*engines.Engine) error) (err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the browser: %w", err)
	}
	engine, err := engines.New(ctx, engines.Options{CacheDir: cfg.CacheDir, Options: chromium.Options{
		Path: cfg.Chromium, Pool: 1, NoSandbox: cfg.ChromiumNoSandbox, FontDir: cfg.FontDir, ProxyAddr: listener.Addr().String(),
	}})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	base, stop := context.WithCancel(context.WithoutCancel(ctx)) // the proxy outlives the browser
	var ground errgroup.Group
	ground.Go(func() error { return urlguard.NewProxy(policy, urlguard.ProxyOptions{}).Run(base, listener) })
	defer func() { //nolint:contextcheck // nothing is left of them, whatever ctx says
		err = errors.Join(err, engine.Close())
		stop()
		err = errors.Join(err, ground.Wait())
	}()
	return do(engine)
}
