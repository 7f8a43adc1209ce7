package pages

import (
	"fmt"
	"maps"
	"slices"

	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/render"
	"github.com/platen-render/platen/internal/strictjson"
)

// made says what a page is made of.
func made(s jobs.Spec, p page, req render.Request) (jobs.Provenance, error) {
	m := jobs.Provenance{
		Input: s.Kind, Text: jobs.Digest([]byte(s.Text)), Asked: s.Engine, Output: p.output, Wait: s.Wait, Expect: s.Expect, Strict: s.Strict,
	}
	if t := s.Template; t != nil {
		m.Text, m.Template = t.SHA256, &jobs.TemplateRef{Name: t.Name, Version: t.Version, SHA256: t.SHA256}
	}
	if s.Data != nil {
		canonical, err := strictjson.Canonical(s.Data)
		if err != nil {
			return m, fmt.Errorf("canonical data: %w", err)
		}
		m.Data = jobs.Digest(canonical)
	}
	for _, name := range slices.Sorted(maps.Keys(req.Resources)) {
		m.Resources = append(m.Resources, jobs.ResourceDigest{Name: name, SHA256: jobs.Digest(req.Resources[name].Body)})
	}
	return m, nil
}
