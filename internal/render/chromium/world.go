package chromium

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// worldName is that of the isolated world of our scripts: they see the page, and the page cannot have replaced
// what they call.
const worldName = "platen"

// enterWorld makes the world of our scripts in the present document, or finds it there.
func (j *job) enterWorld(ctx context.Context) error {
	made, err := ask(ctx, j.tab.page, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: j.frame(), WorldName: worldName})
	j.world = made.ExecutionContextID
	return err
}

// evaluate runs a script in the world that was entered last, waits for what it promises and decodes that into
// result. It fails when the document has gone since, and its world with it.
func (j *job) evaluate(ctx context.Context, script string, result any) error {
	yes := true
	value, err := ask(ctx, j.tab.page, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script, ContextID: j.world, AwaitPromise: &yes, ReturnByValue: &yes, Silent: &yes,
	})
	if err != nil {
		return err
	}
	if value.ExceptionDetails != nil {
		return fmt.Errorf("script: %s", value.ExceptionDetails.Text)
	}
	return jsonv2.Unmarshal(value.Result.Value, result)
}
