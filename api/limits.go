package api

// Limits of what a request may hold. They are the ones in openapi.yaml, and a test keeps them so; where the
// name says bytes, the bytes of the UTF-8 text count, not its characters.
const (
	MaxDocumentKeyBytes    = 200
	MaxFilenameBytes       = 200
	MaxIdempotencyKeyBytes = 255 // printable ASCII only
	MaxMetadataBytes       = 4096

	MaxCallbackURLBytes         = 2048
	MinCallbackSecretBytes      = 16
	MaxCallbackSecretBytes      = 256
	MaxCallbackHeaders          = 10
	MaxCallbackHeaderValueBytes = 1024

	MaxTimeoutSeconds   = 600
	MaxRetentionSeconds = 315_360_000 // ten years
	MaxWaitSeconds      = 30          // of Prefer: wait

	DefaultWaitForSeconds = 10
	MaxWaitForSeconds     = 60
	MaxSelectorBytes      = 1000
	MaxURLBytes           = 2048
	MaxExpectTexts        = 50        // in contains, and in not_contains
	MaxExpectTextBytes    = 1000      // each
	MaxCacheSeconds       = 2_592_000 // thirty days

	MaxPageRanges    = 50
	MinDPI           = 36
	MaxDPI           = 300
	MaxMetadataField = 500 // bytes of a member of output.metadata
	MaxNameBytes     = 100 // of a template or an asset

	MaxTemplateHTMLBytes   = 2 << 20 // of each of html, header_html and footer_html
	MaxTemplateCSSBytes    = 1 << 20
	MaxTemplateSchemaBytes = 256 << 10
	MaxTemplateSampleBytes = 1 << 20
	MaxAssetBytes          = 16 << 20
	MaxJobAssets           = 256 // that one job may use

	MaxPreviewBytes = 16 << 20 // of what is rendered

	MinPaperMM  = 10
	MaxPaperMM  = 5000
	MaxMarginMM = 500
	MinScale    = 0.1
	MaxScale    = 2

	MaxLinkSeconds       = 604_800     // seven days
	MaxKeySeconds        = 315_360_000 // ten years
	MaxKeyNameCharacters = 100

	DefaultReplayRate     = 50 // deliveries a second
	MaxReplayRate         = 1000
	DefaultOverlapSeconds = 86_400    // a day
	MaxOverlapSeconds     = 2_592_000 // thirty days

	DefaultLimit = 50 // entries of one page of a list
	MaxLimit     = 200
)

// Limits of batches.
const (
	MaxInlineItems        = 1000    // in a body of JSON
	MaxBatchItems         = 100_000 // in NDJSON
	MaxBatchHeaderBytes   = 16 << 20
	MaxBatchErrors        = 100 // items that a refusal names
	MinWebhookSecretBytes = 16
)
