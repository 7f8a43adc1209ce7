package app

import (
	"strings"

	"github.com/platen-render/platen/internal/catalog"
	"github.com/platen-render/platen/internal/jobs"
	"github.com/platen-render/platen/internal/pages"
	"github.com/platen-render/platen/internal/render/resources"
	"github.com/platen-render/platen/internal/urlguard"
)

// maxRedirects is how many hops a resource of a page may take; each is judged anew.
const maxRedirects = 5

// signer signs receipts and makes verification links.
func (p *parts) signer() *jobs.Signer {
	return &jobs.Signer{Store: p.store, Key: p.key, Logger: p.logger, PublicURL: strings.TrimRight(p.cfg.PublicURL, "/")}
}

// composer makes pages out of specs. What they name is fetched through the guard.
func (p *parts) composer(policy urlguard.Policy, signer *jobs.Signer) *pages.Composer {
	return &pages.Composer{
		Blobs: p.blobs, Library: &catalog.Library{Blobs: p.blobs}, VerifyURL: signer.VerifyURL,
		Loader: &resources.Loader{
			Client: policy.Client(urlguard.Options{Timeout: p.cfg.ResourceTimeout, MaxRedirects: maxRedirects}),
			Limits: resources.Limits{Timeout: p.cfg.ResourceTimeout},
		},
	}
}
