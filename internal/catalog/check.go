package catalog

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/internal/fault"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/output"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/render/templates"
)

// Check finds out whether a template can be used: each part is one, the schema is one, and the sample fits both. It returns every
// part that is wrong, with a pointer into the request.
func Check(ctx context.Context, request api.TemplateRequest) []fault.Field {
	wrong := sizes(request)
	if len(wrong) > 0 {
		return wrong
	}
	out, wrong := outputOf(request.Output)
	t, more := parse(request)
	if wrong = append(wrong, more...); len(wrong) > 0 || request.Sample == nil {
		return wrong
	}
	err := try(ctx, t, out)
	if errors.Is(err, context.DeadlineExceeded) {
		err = templates.ErrTooLong.With("The template takes longer than %v.", trialTime)
	}
	return fieldsAt("/sample", placed(err, "", "/sample"))
}

// try holds the sample against the schema and fills the parts in with it.
func try(ctx context.Context, t *Template, out render.Output) error {
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	sample, err := t.readData(ctx, t.Sample, "/sample")
	if err != nil {
		return err
	}
	_, err = t.fill(ctx, sample, nobody(jobs.Spec{Output: out}, Asked{}))
	return err
}

// outputOf holds the defaults of a template to the rules of an output. Margins that are filled in are members of the template.
func outputOf(o *api.Output) (render.Output, []fault.Field) {
	out, _, wrong := output.Of(o)
	for _, own := range []struct {
		name string
		text *string
	}{{"header_html", headerOf(o)}, {"footer_html", footerOf(o)}} {
		if own.text != nil {
			wrong = append(wrong, field("/output/"+own.name, "%s of a template is a member beside output: it is filled in.", own.name))
		}
	}
	return out, wrong
}

func headerOf(o *api.Output) *string {
	if o == nil {
		return nil
	}
	return o.HeaderHTML
}

func footerOf(o *api.Output) *string {
	if o == nil {
		return nil
	}
	return o.FooterHTML
}

// sizes bounds the parts.
func sizes(r api.TemplateRequest) []fault.Field {
	var wrong []fault.Field
	for _, part := range []struct {
		name string
		size int
		most int
	}{
		{"html", length(r.HTML), api.MaxTemplateHTMLBytes},
		{"header_html", length(r.HeaderHTML), api.MaxTemplateHTMLBytes},
		{"footer_html", length(r.FooterHTML), api.MaxTemplateHTMLBytes},
		{"css", length(r.CSS), api.MaxTemplateCSSBytes},
		{"schema", len(r.Schema), api.MaxTemplateSchemaBytes},
		{"sample", len(r.Sample), api.MaxTemplateSampleBytes},
	} {
		if part.size > part.most {
			wrong = append(wrong, field("/"+part.name, "%s must have at most %d bytes.", part.name, part.most))
		}
	}
	if r.HTML != nil && *r.HTML == "" {
		wrong = append(wrong, field("/html", "html must not be empty."))
	}
	if r.CSS != nil && strings.Contains(strings.ToLower(*r.CSS), "</style") {
		wrong = append(wrong, field("/css", "css must not have the text </style: it would end there."))
	}
	if len(r.Schema) > 0 && r.Schema[0] != '{' {
		wrong = append(wrong, field("/schema", "schema must be an object."))
	}
	if e := r.Engine; e != nil && *e != api.EngineAuto && *e != api.EngineNative && *e != api.EngineChromium {
		wrong = append(wrong, field("/engine", "engine must be auto, native or chromium."))
	}
	return wrong
}

func length(text *string) int {
	if text == nil {
		return 0
	}
	return len(*text)
}

func field(pointer, format string, args ...any) fault.Field {
	return fault.Field{Pointer: pointer, Code: string(api.CodeFieldInvalid), Detail: fmt.Sprintf(format, args...)}
}
