// Package webhook signs and verifies the callbacks of Platen, after Standard Webhooks 1.0.0. It needs only
// the standard library. This page is the manual for whoever receives callbacks.
//
// # In short
//
// Give a [Handler] the secret you were shown and a function; mount it where your callback_url points:
//
//	secret, err := webhook.ParseSecret(os.Getenv("PLATEN_CALLBACK_SECRET"))
//	if err != nil { … }
//	http.Handle("POST /callbacks", &webhook.Handler{
//		Secrets: []webhook.Secret{secret},
//		Handle: func(ctx context.Context, e webhook.Event) error {
//			return invoices.Rendered(ctx, e.ID, e.Data.DocumentID, e.Data.Status)
//		},
//	})
//
// A function that returns nil is answered 204 and the event is not sent again. A function that returns an error is
// answered 503 with Retry-After, and the event comes again.
//
// # What arrives
//
// An HTTP POST of at most 20 kB, with content type application/json and three headers:
//
//	webhook-id         evt_01J…, the same over all retries and replays of this event
//	webhook-timestamp  1767225600, Unix seconds of this very attempt
//	webhook-signature  v1,K5oZ… one entry for each secret in force, separated by spaces
//
// The body is an [Event]: a type, a time, and ids. It holds no document and no lasting link: fetch what you need
// from the URLs in it, with your API key. When the event arrives, they are readable.
//
// # What you can rely on, and what you must do
//
//   - Every accepted job sends exactly one terminal event (succeeded, failed or canceled), at least once. The same
//     event may come twice, for example when your answer was lost. Remember [Event.ID] in the same transaction as
//     your work, and answer 204 to an id you already know.
//   - Events come in no order. Two events of one document are ordered by [Data].Sequence: ignore the lower one.
//   - Answer within 15 seconds. Work that takes longer belongs in your own queue: store the event durably,
//     return nil, and work afterwards.
//   - Return nil for types you do not know: new ones may appear. Unknown members of the JSON are ignored.
//   - Only 200 to 299 is success. A redirect is a failure and is never followed. 410 means "this URL is gone for
//     good": the event and all later ones to the URL are dead until an operator lifts it.
//   - After a failure the event is sent again after about 1 s, 5 s, 25 s, 125 s and 625 s, unless the service is
//     configured otherwise. A receiver that is down for longer needs a replay of the dead deliveries.
//
// # Secrets
//
// A [Secret] is "whsec_" and standard base64 of 24 to 64 bytes, or a plain text of 16 to 256 characters that is used
// as its bytes. Libraries of other languages take the plain text as raw bytes too, but some need to be told. To change
// a secret without losing an event, list the old and the new one in [Handler].Secrets until the sender has
// only the new one. Secrets print as "[redacted]" and compare in constant time.
//
// # Verifying by hand
//
// Code that is not an [http.Handler] reads the whole body, with a limit, and calls [Receive] (or [Verify], when it does
// not want the event). The signature covers the bytes as they arrived: verify before any JSON decoder, and never
// verify re-encoded JSON. The signed content is
//
//	webhook-id + "." + webhook-timestamp + "." + body
//
// and version v1 is the base64 of its HMAC-SHA256. The file testdata/vectors.json holds examples for other languages.
package webhook
