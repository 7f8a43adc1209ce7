package client_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func preview() api.Preview {
	return api.Preview{
		Template: api.TemplateVersion{Name: "invoice.v2", Version: 3}, Engine: "native", Pages: 1, ContentType: "application/pdf", SHA256: digest(pdf),
		Bytes: int64(len(pdf)), Warnings: []api.Warning{}, Content: base64.StdEncoding.EncodeToString([]byte(pdf)),
	}
}

func TestATemplateIsPreviewed(t *testing.T) {
	t.Parallel()
	s := serve(t, problem(http.StatusServiceUnavailable, api.CodePreviewBusy, "Retry-After", "1"), reply(http.StatusOK, preview()))
	got, content, err := s.inMemory().Preview(t.Context(), "invoice.v2", api.PreviewRequest{Version: new(3), Data: json.RawMessage(`{"n":1.10}`)})
	if err != nil || string(content) != pdf {
		t.Fatalf("%q, %v", content, err)
	}
	if diff := cmp.Diff(preview(), got); diff != "" {
		t.Error(diff)
	}
	for _, asked := range s.requests() { // again once it was busy
		if asked.line != "POST /templates/invoice.v2/preview" || strings.TrimSpace(string(asked.body)) != `{"version":3,"data":{"n":1.10}}` {
			t.Errorf("%s %s", asked.line, asked.body)
		}
	}
	for _, name := range []string{"", "a/b", "..", ".hidden", "a?b", "ä"} {
		if _, _, err := serve(t).inMemory().Preview(t.Context(), name, api.PreviewRequest{}); !errors.Is(err, client.ErrArgument) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestADocumentIsMadeAnew(t *testing.T) {
	t.Parallel()
	want := api.Rerender{
		DocumentID: documentID, SHA256: digest("other"), Bytes: 5, Pages: 1, Engine: "native", EngineVersion: "1", Stored: api.StoredMissing,
		Difference: &api.Difference{Member: "fonts", Was: new("a"), Is: new("b")},
	}
	s := serve(t, reply(http.StatusOK, want))
	got, err := s.inMemory().Rerender(t.Context(), documentID, true)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if asked := s.requests()[0]; asked.line != "POST /documents/"+documentID+"/rerender" || strings.TrimSpace(string(asked.body)) != `{"restore":true}` {
		t.Errorf("%s %s", asked.line, asked.body)
	}
	gone := serve(t, problem(http.StatusGone, api.CodeInputPurged))
	if _, err := gone.inMemory().Rerender(t.Context(), documentID, false); !client.HasCode(err, api.CodeInputPurged) {
		t.Errorf("got %v", err)
	}
}
