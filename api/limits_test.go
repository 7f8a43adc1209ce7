package api_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/platen-render/platen/api"
)

func TestLimitsEqualThoseOfTheSpec(t *testing.T) {
	t.Parallel()
	doc := load(t)
	job := doc.Components.Schemas["JobRequest"].Value.Properties
	output := doc.Components.Schemas["Output"].Value.Properties
	margin := doc.Components.Schemas["Margin"].Value.Properties
	link := doc.Components.Schemas["LinkRequest"].Value.Properties
	key := doc.Components.Schemas["KeyRequest"].Value.Properties
	replay := doc.Components.Schemas["ReplayRequest"].Value.Properties
	secret := doc.Components.Schemas["SecretRequest"].Value.Properties
	batch := doc.Components.Schemas["BatchRequest"].Value.Properties
	wait := doc.Components.Schemas["WaitFor"].Value.Properties
	expect := doc.Components.Schemas["Expect"].Value.Properties
	cache := doc.Components.Schemas["Cache"].Value.Properties
	named := doc.Components.Schemas["Template"].Value.Properties
	template := doc.Components.Schemas["TemplateRequest"].Value.Properties
	limit := doc.Components.Parameters["Limit"].Value.Schema

	type row struct {
		name string
		want float64
		got  *float64
	}
	rows := []row{
		{"MaxDocumentKeyBytes", api.MaxDocumentKeyBytes, maxLength(job["document_key"])},
		{"MaxFilenameBytes", api.MaxFilenameBytes, maxLength(output["filename"])},
		{"MaxCallbackURLBytes", api.MaxCallbackURLBytes, maxLength(job["callback_url"])},
		{"MinCallbackSecretBytes", api.MinCallbackSecretBytes, minLength(job["callback_secret"])},
		{"MaxCallbackSecretBytes", api.MaxCallbackSecretBytes, maxLength(job["callback_secret"])},
		{"MaxCallbackHeaders", api.MaxCallbackHeaders, count(job["callback_headers"].Value.MaxProps)},
		{"MaxCallbackHeaderValueBytes", api.MaxCallbackHeaderValueBytes, maxLength(job["callback_headers"].Value.AdditionalProperties.Schema)},
		{"MaxTimeoutSeconds", api.MaxTimeoutSeconds, job["timeout_seconds"].Value.Max},
		{"MaxRetentionSeconds", api.MaxRetentionSeconds, job["retention_seconds"].Value.Max},
		{"MaxRetentionSeconds", api.MaxRetentionSeconds, job["input_retention_seconds"].Value.Max},
		{"MaxURLBytes", api.MaxURLBytes, maxLength(job["url"])},
		{"MaxWaitForSeconds", api.MaxWaitForSeconds, wait["timeout_seconds"].Value.Max},
		{"MaxSelectorBytes", api.MaxSelectorBytes, maxLength(wait["selector"])},
		{"MaxExpectTexts", api.MaxExpectTexts, count(expect["contains"].Value.MaxItems)},
		{"MaxExpectTexts", api.MaxExpectTexts, count(expect["not_contains"].Value.MaxItems)},
		{"MaxExpectTextBytes", api.MaxExpectTextBytes, maxLength(expect["contains"].Value.Items)},
		{"MaxExpectTextBytes", api.MaxExpectTextBytes, maxLength(expect["not_contains"].Value.Items)},
		{"MaxCacheSeconds", api.MaxCacheSeconds, cache["max_age_seconds"].Value.Max},
		{"MaxNameBytes", api.MaxNameBytes, maxLength(named["name"])},
		{"MaxTemplateHTMLBytes", api.MaxTemplateHTMLBytes, maxLength(template["html"])},
		{"MaxTemplateHTMLBytes", api.MaxTemplateHTMLBytes, maxLength(template["header_html"])},
		{"MaxTemplateHTMLBytes", api.MaxTemplateHTMLBytes, maxLength(template["footer_html"])},
		{"MaxTemplateCSSBytes", api.MaxTemplateCSSBytes, maxLength(template["css"])},
		{"MinPaperMM", api.MinPaperMM, output["width_mm"].Value.Min},
		{"MinPaperMM", api.MinPaperMM, output["height_mm"].Value.Min},
		{"MaxPaperMM", api.MaxPaperMM, output["width_mm"].Value.Max},
		{"MaxPaperMM", api.MaxPaperMM, output["height_mm"].Value.Max},
		{"MinScale", api.MinScale, output["scale"].Value.Min},
		{"MaxScale", api.MaxScale, output["scale"].Value.Max},
		{"MinDPI", api.MinDPI, output["dpi"].Value.Min},
		{"MaxDPI", api.MaxDPI, output["dpi"].Value.Max},
		{"MaxMetadataField", api.MaxMetadataField, maxLength(doc.Components.Schemas["Metadata"].Value.Properties["title"])},
		{"MaxPreviewBytes", api.MaxPreviewBytes, doc.Components.Schemas["Preview"].Value.Properties["bytes"].Value.Max},
		{"MaxLinkSeconds", api.MaxLinkSeconds, link["expires_in_seconds"].Value.Max},
		{"MaxKeySeconds", api.MaxKeySeconds, key["expires_in_seconds"].Value.Max},
		{"MaxKeyNameCharacters", api.MaxKeyNameCharacters, maxLength(key["name"])},
		{"MaxReplayRate", api.MaxReplayRate, replay["rate_per_second"].Value.Max},
		{"MaxOverlapSeconds", api.MaxOverlapSeconds, secret["overlap_seconds"].Value.Max},
		{"MaxInlineItems", api.MaxInlineItems, count(batch["items"].Value.MaxItems)},
		{"MaxBatchItems", api.MaxBatchItems, batch["item_count"].Value.Max},
		{"MaxBatchItems", api.MaxBatchItems, count(batch["expect_keys"].Value.MaxItems)},
		{"MinWebhookSecretBytes", api.MinWebhookSecretBytes, minLength(batch["webhook_secret"])},
		{"MaxLimit", api.MaxLimit, limit.Value.Max},
	}
	for _, side := range margin {
		rows = append(rows, row{"MaxMarginMM", api.MaxMarginMM, side.Value.Max})
	}
	for _, r := range rows {
		switch {
		case r.got == nil:
			t.Errorf("%s: the spec has no such limit", r.name)
		case *r.got != r.want:
			t.Errorf("%s is %v and the spec says %v", r.name, r.want, *r.got)
		}
	}
	for name, d := range map[string]struct {
		want float64
		got  any
	}{
		"DefaultLimit":          {api.DefaultLimit, limit.Value.Default},
		"DefaultWaitForSeconds": {api.DefaultWaitForSeconds, wait["timeout_seconds"].Value.Default},
		"DefaultReplayRate":     {api.DefaultReplayRate, replay["rate_per_second"].Value.Default},
		"DefaultOverlapSeconds": {api.DefaultOverlapSeconds, secret["overlap_seconds"].Value.Default},
	} {
		if d.got != d.want {
			t.Errorf("%s is %v and the spec says %v", name, d.want, d.got)
		}
	}
}

func maxLength(ref *openapi3.SchemaRef) *float64 { return count(ref.Value.MaxLength) }

func minLength(ref *openapi3.SchemaRef) *float64 { return count(&ref.Value.MinLength) }

func count(n *uint64) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}
