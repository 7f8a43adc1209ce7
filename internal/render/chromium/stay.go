package chromium

import (
	"context"
	_ "embed"
	"errors"

	"github.com/chromedp/cdproto"
)

// stayScript cancels the navigations of the page, and remembers their addresses in refused.
//
//go:embed stay.js
var stayScript string

const refusedScript = `[...(self.refused ?? [])]`

// checkStay warns about the navigations that were canceled, and fails when the document that was printed is no
// longer there: then another may have been printed. The browser answers after it has told of a new document,
// so this does not depend on which of them is quicker. A page that is not served has nothing that could
// navigate.
func (j *job) checkStay(ctx context.Context) error {
	if !j.site.served {
		return nil
	}
	if j.world == 0 {
		if err := j.enterWorld(ctx); err != nil {
			return err
		}
	}
	var refused []string
	err := j.evaluate(ctx, refusedScript, &refused)
	if err := j.tab.catchUp(ctx); err != nil {
		return err
	}
	if answer := new(cdproto.Error); errors.As(err, &answer) {
		j.tab.left() // our world has gone, and so has the document
	}
	for _, address := range refused {
		j.log.warn("navigation_denied", j.site.name(address)+": the page may not leave its place")
	}
	return err
}
