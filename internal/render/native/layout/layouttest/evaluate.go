package layouttest

import (
	"encoding/json"
	"fmt"
	"testing"
)

// Evaluate loads a page in the browser, as [Browser] does, and decodes what an expression makes of it as JSON.
func Evaluate(tb testing.TB, page, expression string, answer any) {
	tb.Helper()
	b := shared.Load()
	if b == nil {
		tb.Fatal("the tests of this package do not run in layouttest.Main")
	}
	if err := b.evaluate(tb, page, expression, answer); err != nil {
		tb.Fatalf("the browser (Debian package chromium-headless-shell): %v", err)
	}
}

func (b *browser) evaluate(tb testing.TB, page, expression string, answer any) error {
	tb.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.started {
		if err := b.start(tb.Context()); err != nil {
			return err
		}
	}
	if err := b.call("Page.setDocumentContent", map[string]any{"frameId": b.frame, "html": page}, nil); err != nil {
		return err
	}
	var reply struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails json.RawMessage `json:"exceptionDetails"`
	}
	err := b.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &reply)
	switch {
	case err != nil:
		return err
	case reply.ExceptionDetails != nil:
		return fmt.Errorf("evaluate: %s", reply.ExceptionDetails)
	}
	return json.Unmarshal(reply.Result.Value, answer)
}
