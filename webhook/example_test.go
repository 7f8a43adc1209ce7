package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/platen-render/platen/webhook"
)

// A receiver is a Handler that fills an Inbox, and an Inbox that calls a function. What comes twice is handled once.
func ExampleHandler() {
	secret, err := webhook.ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		fmt.Println(err)
		return
	}
	inbox := &webhook.Inbox{
		Store: &webhook.MemoryStore{}, // in earnest a SQLStore: this one forgets when the process ends
		Handle: func(_ context.Context, e webhook.Event) error {
			switch e.Type {
			case webhook.TypeJobSucceeded:
				fmt.Println("fetch", e.Data.DocumentURL)
			case webhook.TypeJobFailed, webhook.TypeJobCanceled:
				fmt.Println("no document for", e.Data.DocumentKey)
			}
			return nil
		},
	}
	server := httptest.NewServer(&webhook.Handler{Secrets: []webhook.Secret{secret}, Inbox: inbox})
	defer server.Close()

	// What the sender does, twice.
	body := `{"type":"job.succeeded","timestamp":"2026-01-02T03:04:05Z","data":{"document_url":"https://platen.example/documents/doc_1"}}`
	for range 2 {
		header, _ := webhook.Sign([]webhook.Secret{secret}, "evt_1", time.Now(), []byte(body))
		req, _ := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(body))
		req.Header = header
		res, err := server.Client().Do(req)
		if err != nil {
			fmt.Println(err)
			return
		}
		res.Body.Close()
		fmt.Println(res.Status)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond) // in earnest: until the program ends
	defer cancel()
	fmt.Println(inbox.Work(ctx))
	// Output:
	// 204 No Content
	// 204 No Content
	// fetch https://platen.example/documents/doc_1
	// <nil>
}

// Verify is for code that has the headers and the body already.
func ExampleVerify() {
	secret, _ := webhook.ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	header := http.Header{}
	header.Set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
	header.Set("webhook-timestamp", "1614265330")
	header.Set("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
	body := []byte(`{"test": 2432232314}`)

	err := webhook.Verify([]webhook.Secret{secret}, header, body, webhook.Options{})
	fmt.Println("today:", errors.Is(err, webhook.ErrStale))

	err = webhook.Verify([]webhook.Secret{secret}, header, body, webhook.Options{Now: time.Unix(1614265331, 0)})
	fmt.Println("then:", err)

	err = webhook.Verify([]webhook.Secret{secret}, header, append(body, ' '), webhook.Options{Now: time.Unix(1614265331, 0)})
	fmt.Println("changed:", err)
	// Output:
	// today: true
	// then: <nil>
	// changed: webhook: no matching signature
}

// During a rotation both secrets sign, so that a receiver may have either.
func ExampleSign() {
	current, _ := webhook.ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	old, _ := webhook.ParseSecret("correct horse battery staple")
	header, err := webhook.Sign([]webhook.Secret{current, old}, "evt_1", time.Unix(1767225600, 0), []byte(`{}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(header.Get("webhook-id"), header.Get("webhook-timestamp"))
	for entry := range strings.FieldsSeq(header.Get("webhook-signature")) {
		fmt.Println(entry)
	}
	// Output:
	// evt_1 1767225600
	// v1,Oxa0gueQVJOxFopur+lBIUqrMqLSwRqRwYkEybhLKtM=
	// v1,R09g+5d4O6GqUfcH5EzX8O4u3voQ12lVhR34zHKlF94=
}

// A secret can be printed without harm.
func ExampleParseSecret() {
	secret, err := webhook.ParseSecret("correct horse battery staple")
	fmt.Println(secret, err)
	_, err = webhook.ParseSecret("too short")
	fmt.Println(err)
	// Output:
	// [redacted] <nil>
	// webhook: unusable secret: a plain text has 16 to 256 characters, not 9
}
