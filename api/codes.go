package api

// ErrorCode is the code of a [Problem]: stable, snake_case, meant for programs. Each belongs to one HTTP status.
// openapi.yaml has the meanings.
type ErrorCode string

// The codes of problems, by HTTP status.
const (
	// 400.
	CodeBodyMalformed         ErrorCode = "body_malformed"
	CodeQueryMalformed        ErrorCode = "query_malformed"
	CodeIdempotencyKeyInvalid ErrorCode = "idempotency_key_invalid"

	// 401.
	CodeKeyMissing ErrorCode = "key_missing"
	CodeKeyUnknown ErrorCode = "key_unknown"
	CodeKeyExpired ErrorCode = "key_expired"

	// 403.
	CodeScopeMissing ErrorCode = "scope_missing"
	CodeLinkInvalid  ErrorCode = "link_invalid"
	CodeLinkExpired  ErrorCode = "link_expired"

	// 404.
	CodeRouteNotFound    ErrorCode = "route_not_found"
	CodeJobNotFound      ErrorCode = "job_not_found"
	CodeBatchNotFound    ErrorCode = "batch_not_found"
	CodeTemplateNotFound ErrorCode = "template_not_found"
	CodeAssetNotFound    ErrorCode = "asset_not_found"
	CodeDocumentNotFound ErrorCode = "document_not_found"
	CodeDeliveryNotFound ErrorCode = "delivery_not_found"
	CodeKeyNotFound      ErrorCode = "key_not_found"
	CodeTenantNotFound   ErrorCode = "tenant_not_found"
	CodeReplayNotFound   ErrorCode = "replay_not_found"
	CodeGoneURLNotFound  ErrorCode = "gone_url_not_found"

	// 405.
	CodeMethodNotAllowed ErrorCode = "method_not_allowed"

	// 409.
	CodeDocumentKeyConflict ErrorCode = "document_key_conflict"
	CodeDocumentKeyReserved ErrorCode = "document_key_reserved"
	CodeDocumentCrowded     ErrorCode = "document_crowded"
	CodeBatchPending        ErrorCode = "batch_pending"
	CodeBatchFinished       ErrorCode = "batch_finished"
	CodeBatchNothingFailed  ErrorCode = "batch_nothing_failed"
	CodeBatchDropped        ErrorCode = "batch_dropped"
	CodeBatchSealed         ErrorCode = "batch_sealed"
	CodeDocumentPending     ErrorCode = "document_pending"
	CodeDocumentNotIssued   ErrorCode = "document_not_issued"
	CodeJobFinished         ErrorCode = "job_finished"
	CodeJobNotRetryable     ErrorCode = "job_not_retryable"
	CodeURLGone             ErrorCode = "url_gone"
	CodeReplayLimit         ErrorCode = "replay_limit"
	CodeTemplateInUse       ErrorCode = "template_in_use"
	CodeAssetInUse          ErrorCode = "asset_in_use"

	CodeCallbackSecretConfigured ErrorCode = "callback_secret_configured"
	CodeCallbackSecretLimit      ErrorCode = "callback_secret_limit"
	CodeTenantChanged            ErrorCode = "tenant_changed"

	// 410.
	CodeDocumentPurged ErrorCode = "document_purged"
	CodeInputPurged    ErrorCode = "input_purged"
	CodeDeliveryGone   ErrorCode = "delivery_gone"

	// 412, 413, 415, 416.
	CodePreconditionFailed   ErrorCode = "precondition_failed"
	CodeBodyTooLarge         ErrorCode = "body_too_large"
	CodeMediaTypeUnsupported ErrorCode = "media_type_unsupported"
	CodeRangeNotSatisfiable  ErrorCode = "range_not_satisfiable"

	// 422.
	CodeBatchRefused          ErrorCode = "batch_refused"
	CodeBatchEmpty            ErrorCode = "batch_empty"
	CodeFieldUnknown          ErrorCode = "field_unknown"
	CodeFieldDuplicate        ErrorCode = "field_duplicate"
	CodeFieldMissing          ErrorCode = "field_missing"
	CodeFieldInvalid          ErrorCode = "field_invalid"
	CodeFieldUnsupported      ErrorCode = "field_unsupported"
	CodeInputMissing          ErrorCode = "input_missing"
	CodeInputConflict         ErrorCode = "input_conflict"
	CodeTemplateInvalid       ErrorCode = "template_invalid"
	CodeTemplateDataMissing   ErrorCode = "template_data_missing"
	CodeTemplateDataInvalid   ErrorCode = "template_data_invalid"
	CodeTemplateUnknown       ErrorCode = "template_unknown"
	CodeAssetUnknown          ErrorCode = "asset_unknown"
	CodeAssetInvalid          ErrorCode = "asset_invalid"
	CodeSchemaInvalid         ErrorCode = "schema_invalid"
	CodeNameInvalid           ErrorCode = "name_invalid"
	CodeTemplateFailed        ErrorCode = "template_failed"
	CodeTemplateTooLong       ErrorCode = "template_too_long"
	CodeTemplateTooLarge      ErrorCode = "template_too_large"
	CodeHTMLInvalidUTF8       ErrorCode = "html_invalid_utf8"
	CodeURLDenied             ErrorCode = "url_denied"
	CodeCallbackSecretInvalid ErrorCode = "callback_secret_invalid"
	CodeIdempotencyKeyReused  ErrorCode = "idempotency_key_reused"

	// 422, of what is rendered while the caller waits: the codes that a job would fail with.
	CodeMarkdownTooComplex  ErrorCode = "markdown_too_complex"
	CodePageFailed          ErrorCode = "page_failed"
	CodeOutsideNativeSubset ErrorCode = "outside_native_subset"
	CodePageTooComplex      ErrorCode = "page_too_complex"
	CodeDocumentTooLarge    ErrorCode = "document_too_large"
	CodeWaitForTimeout      ErrorCode = "wait_for_timeout"
	CodeURLRefused          ErrorCode = "url_refused"
	CodePageRangeEmpty      ErrorCode = "page_range_empty"

	// 429.
	CodeLimitReached ErrorCode = "limit_reached"

	// 500.
	CodeInternal ErrorCode = "internal"

	// 503.
	CodeStoreUnavailable       ErrorCode = "store_unavailable"
	CodeStreamsBusy            ErrorCode = "streams_busy"
	CodeStoreFull              ErrorCode = "store_full"
	CodeOverloaded             ErrorCode = "overloaded"
	CodeNotReplicated          ErrorCode = "not_replicated"
	CodeStorageUnavailable     ErrorCode = "storage_unavailable"
	CodeStorageFull            ErrorCode = "storage_full"
	CodeCallbackHostUnresolved ErrorCode = "callback_host_unresolved"

	// 503, of what is rendered while the caller waits.
	CodePreviewTimeout    ErrorCode = "preview_timeout"
	CodePreviewBusy       ErrorCode = "preview_busy"
	CodeRenderTimeout     ErrorCode = "render_timeout"
	CodeEngineLost        ErrorCode = "engine_lost"
	CodeEngineUnavailable ErrorCode = "engine_unavailable"
	CodeURLFailed         ErrorCode = "url_failed"
)

// JobErrorCode is the code of a [JobError]: why a job failed. openapi.yaml has the meanings.
type JobErrorCode string

// The codes of failed jobs.
const (
	JobErrorTemplateDataMissing JobErrorCode = "template_data_missing"
	JobErrorTemplateFailed      JobErrorCode = "template_failed"
	JobErrorTemplateTooLong     JobErrorCode = "template_too_long"
	JobErrorTemplateTooLarge    JobErrorCode = "template_too_large"
	JobErrorMarkdownTooComplex  JobErrorCode = "markdown_too_complex"
	JobErrorInputPurged         JobErrorCode = "input_purged"
	JobErrorPageFailed          JobErrorCode = "page_failed"
	JobErrorOutsideNativeSubset JobErrorCode = "outside_native_subset"
	JobErrorPageTooComplex      JobErrorCode = "page_too_complex"
	JobErrorDocumentTooLarge    JobErrorCode = "document_too_large"
	JobErrorExpectPages         JobErrorCode = "expect_pages"
	JobErrorExpectContains      JobErrorCode = "expect_contains"
	JobErrorExpectNotContains   JobErrorCode = "expect_not_contains"
	JobErrorExpectMaxBytes      JobErrorCode = "expect_max_bytes"
	JobErrorResourceMissing     JobErrorCode = "resource_missing"
	JobErrorResourceDenied      JobErrorCode = "resource_denied"
	JobErrorResourceFailed      JobErrorCode = "resource_failed"
	JobErrorResourceUnfinished  JobErrorCode = "resource_unfinished"
	JobErrorResourceTooLarge    JobErrorCode = "resource_too_large"
	JobErrorGlyphMissing        JobErrorCode = "glyph_missing"
	JobErrorPageBlank           JobErrorCode = "page_blank"
	JobErrorTextClipped         JobErrorCode = "text_clipped"
	JobErrorConsoleError        JobErrorCode = "console_error"
	JobErrorFontMissing         JobErrorCode = "font_missing"
	JobErrorWaitForTimeout      JobErrorCode = "wait_for_timeout"
	JobErrorURLFailed           JobErrorCode = "url_failed"
	JobErrorURLRefused          JobErrorCode = "url_refused"
	JobErrorPageRangeEmpty      JobErrorCode = "page_range_empty"
	JobErrorRenderTimeout       JobErrorCode = "render_timeout"
	JobErrorEngineLost          JobErrorCode = "engine_lost"
	JobErrorEngineUnavailable   JobErrorCode = "engine_unavailable"
	JobErrorWorkerLost          JobErrorCode = "worker_lost"
	JobErrorStorageUnavailable  JobErrorCode = "storage_unavailable"
	JobErrorStorageFull         JobErrorCode = "storage_full"
	JobErrorInternal            JobErrorCode = "internal"

	// Of items of batches that have no job.
	JobErrorDocumentKeyConflict JobErrorCode = "document_key_conflict"
	JobErrorDocumentCrowded     JobErrorCode = "document_crowded"
	JobErrorIDTaken             JobErrorCode = "id_taken"
)
