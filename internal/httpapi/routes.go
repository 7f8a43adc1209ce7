package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/platen-render/platen/internal/jobs"
)

// route is one line of the table below.
type route struct {
	method, path string
	// scope is what the key of the request must allow; none needs no key.
	scope jobs.Scope
	// linked lets a signed link stand in for a key.
	linked bool
	handle func(*call) error
	// quiet keeps successes out of the log: somebody asks every few seconds.
	quiet bool
}

// routes are all of them; a test compares them with openapi.yaml.
func (s *Server) routes() []route {
	const read, write, admin, open = jobs.ScopeRead, jobs.ScopeWrite, jobs.ScopeAdmin, jobs.Scope("")
	return []route{
		{method: http.MethodPost, path: "/jobs", scope: write, handle: s.submitJob},
		{method: http.MethodGet, path: "/jobs", scope: read, handle: s.listJobs},
		{method: http.MethodGet, path: "/jobs/:id", scope: read, handle: s.getJob},
		{method: http.MethodDelete, path: "/jobs/:id", scope: write, handle: s.cancelJob},
		{method: http.MethodPost, path: "/jobs/:id/retry", scope: write, handle: s.retryJob},
		{method: http.MethodGet, path: "/jobs/:id/events", scope: read, handle: s.streamJob},
		{method: http.MethodGet, path: "/jobs/:id/deliveries", scope: read, handle: s.listJobDeliveries},

		{method: http.MethodGet, path: "/batches/:id/events", scope: read, handle: s.streamBatch},
		{method: http.MethodGet, path: "/events", scope: read, handle: s.streamTenant},

		{method: http.MethodGet, path: "/batches/:id/manifest", scope: read, handle: s.getManifest},
		{method: http.MethodGet, path: "/batches/:id/archive", scope: read, handle: s.getArchive},

		{method: http.MethodPost, path: "/batches", scope: write, handle: s.submitBatch},
		{method: http.MethodGet, path: "/batches", scope: read, handle: s.listBatches},
		{method: http.MethodGet, path: "/batches/:id", scope: read, handle: s.getBatch},
		{method: http.MethodDelete, path: "/batches/:id", scope: write, handle: s.cancelBatch},
		{method: http.MethodGet, path: "/batches/:id/jobs", scope: read, handle: s.listBatchJobs},
		{method: http.MethodPost, path: "/batches/:id/retry", scope: write, handle: s.retryBatch},

		{method: http.MethodGet, path: "/documents/:id", scope: read, handle: s.getDocument},
		{method: http.MethodDelete, path: "/documents/:id", scope: write, handle: s.purgeDocument},
		{method: http.MethodGet, path: "/documents/:id/content", scope: read, linked: true, handle: s.getContent},
		{method: http.MethodHead, path: "/documents/:id/content", scope: read, linked: true, handle: s.getContent},
		{method: http.MethodPost, path: "/documents/:id/links", scope: read, handle: s.createLink},
		{method: http.MethodPost, path: "/documents/:id/rerender", scope: write, handle: s.rerenderDocument},

		{method: http.MethodGet, path: "/documents/:id/receipt", scope: read, handle: s.getReceipt},
		{method: http.MethodPost, path: "/documents/:id/verify", scope: read, handle: s.verifyDocument},
		{method: http.MethodGet, path: "/receipts", scope: read, handle: s.listReceipts},
		{method: http.MethodGet, path: "/keys/signing", scope: read, handle: s.listSigningKeys},
		{method: http.MethodPost, path: "/verify", scope: read, handle: s.verify},
		{method: http.MethodGet, path: "/verify/:id", scope: open, handle: s.getVerifyPage},
		{method: http.MethodPost, path: "/verify/:id", scope: open, handle: s.postVerifyPage},

		{method: http.MethodGet, path: "/templates", scope: read, handle: s.listTemplates},
		{method: http.MethodPut, path: "/templates/:name", scope: write, handle: s.putTemplate},
		{method: http.MethodGet, path: "/templates/:name", scope: read, handle: s.getTemplate},
		{method: http.MethodDelete, path: "/templates/:name", scope: write, handle: s.deleteTemplate},
		{method: http.MethodPost, path: "/templates/:name/preview", scope: write, handle: s.previewTemplate},
		{method: http.MethodGet, path: "/templates/:name/versions", scope: read, handle: s.listTemplateVersions},
		{method: http.MethodGet, path: "/templates/:name/versions/:version", scope: read, handle: s.getTemplate},
		{method: http.MethodDelete, path: "/templates/:name/versions/:version", scope: write, handle: s.deleteTemplate},

		{method: http.MethodGet, path: "/assets", scope: read, handle: s.listAssets},
		{method: http.MethodPut, path: "/assets/:name", scope: write, handle: s.putAsset},
		{method: http.MethodGet, path: "/assets/:name", scope: read, handle: s.getAsset},
		{method: http.MethodDelete, path: "/assets/:name", scope: write, handle: s.deleteAsset},
		{method: http.MethodGet, path: "/assets/:name/versions", scope: read, handle: s.listAssetVersions},
		{method: http.MethodGet, path: "/assets/:name/versions/:version", scope: read, handle: s.getAsset},
		{method: http.MethodDelete, path: "/assets/:name/versions/:version", scope: write, handle: s.deleteAsset},
		{method: http.MethodGet, path: "/assets/:name/versions/:version/content", scope: read, handle: s.getAssetContent},

		{method: http.MethodGet, path: "/deliveries", scope: read, handle: s.listDeliveries},
		{method: http.MethodPost, path: "/deliveries/test", scope: write, handle: s.testCallback},
		{method: http.MethodPost, path: "/deliveries/replay", scope: write, handle: s.replayDeliveries},
		{method: http.MethodGet, path: "/deliveries/replays", scope: read, handle: s.listReplays},
		{method: http.MethodGet, path: "/deliveries/replays/:id", scope: read, handle: s.getReplay},
		{method: http.MethodGet, path: "/deliveries/:id", scope: read, handle: s.getDelivery},
		{method: http.MethodPost, path: "/deliveries/:id/replay", scope: write, handle: s.replayDelivery},

		{method: http.MethodGet, path: "/gone-urls", scope: read, handle: s.listGoneURLs},
		{method: http.MethodDelete, path: "/gone-urls/:id", scope: write, handle: s.liftGoneURL},

		{method: http.MethodPost, path: "/admin/keys", scope: admin, handle: s.createKey},
		{method: http.MethodGet, path: "/admin/keys", scope: admin, handle: s.listKeys},
		{method: http.MethodDelete, path: "/admin/keys/:id", scope: admin, handle: s.revokeKey},
		{method: http.MethodGet, path: "/admin/tenants", scope: admin, handle: s.listTenants},
		{method: http.MethodGet, path: "/admin/tenants/:name", scope: admin, handle: s.getTenant},
		{method: http.MethodPatch, path: "/admin/tenants/:name", scope: admin, handle: s.updateTenant},
		{method: http.MethodPost, path: "/admin/tenants/:name/secrets", scope: admin, handle: s.rotateSecret},
		{method: http.MethodPost, path: "/admin/tenants/:name/signing-keys", scope: admin, handle: s.rotateSigningKey},
		{method: http.MethodPost, path: "/admin/reseal", scope: admin, handle: s.reseal},

		{method: http.MethodGet, path: "/livez", scope: open, handle: s.getLiveness, quiet: true},
		{method: http.MethodGet, path: "/readyz", scope: open, handle: s.getReadiness, quiet: true},
		{method: http.MethodGet, path: "/metrics", scope: open, handle: s.getMetrics, quiet: true},
		{method: http.MethodGet, path: "/openapi.yaml", scope: open, handle: s.getSpec},
	}
}

// serve asks for the key that a route needs, then handles the request.
func (s *Server) serve(r route) echo.HandlerFunc {
	return func(ec echo.Context) error {
		c := ec.(*call) // observe, which comes before, made it one
		c.quiet = r.quiet
		if err := s.authorize(c, r); err != nil {
			return err
		}
		return r.handle(c)
	}
}
