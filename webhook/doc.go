// Package webhook signs and verifies the callbacks of Platen, after Standard Webhooks 1.0.0. It needs only
// the standard library. This page is the manual for whoever receives callbacks.
//
// # In short
//
// An [Inbox] keeps each event in your database before it is acknowledged, and calls your function afterwards, until it
// returns nil. A [Handler] fills it from where your callback_url points:
//
//	secret, err := webhook.ParseSecret(os.Getenv("PLATEN_CALLBACK_SECRET"))
//	if err != nil { … }
//	store := &webhook.SQLStore{DB: db, Dialect: webhook.PostgreSQL} // store.Migrate(ctx) makes its table
//	inbox := &webhook.Inbox{Store: store, Handle: func(ctx context.Context, e webhook.Event) error {
//		switch e.Type {
//		case webhook.TypeJobSucceeded, webhook.TypeJobFailed, webhook.TypeJobCanceled:
//			return store.Once(ctx, func(tx *sql.Tx) error { return invoices.Ended(ctx, tx, e) })
//		}
//		return nil // a ping, or a type that is newer than this program
//	}}
//	http.Handle("POST /callbacks", &webhook.Handler{Secrets: []webhook.Secret{secret}, Inbox: inbox})
//	go inbox.Work(ctx) // until ctx ends; wait for it before the program does
//
// The folder examples/consumer has a whole service like this.
//
// # What the inbox guarantees
//
// An event that was answered 2xx is in your database. Its function is called until the entry is completed or failed, by
// one worker at a time for as long as leases hold, in however many processes you run. How often its effect happens is a
// matter of where you put it:
//
//   - Inside [SQLStore.Once]: exactly once. The effect and the completion of the entry are one transaction of the
//     database that has the inbox, so there is no moment between them. This holds under kill -9, lost answers, expired
//     leases and workers that come back late.
//   - Outside of it, for example in another database or a request to another service: at least once. A process may die
//     after the effect and before the entry is completed, and a worker that has lost its lease may not have noticed yet:
//     its context has ended, or will. Then the function is called again. Let the effect be the same the second time,
//     for example by a unique index on [Event].ID, or pass the id on as the other service's idempotency key.
//   - A function that first fetches the document and then calls Once has both kinds in the right order: what may happen
//     twice is only the fetching.
//
// Return [NotYet] when your own record is not committed yet: the event may be faster than your transaction. Return
// [Reject] when no attempt can help. After the last attempt the entry is failed and kept; [Inbox.Replay], or a replay
// at the sender, has it handled again under its own id. Watch the ages in [Stats]: that of the oldest pending entry
// grows when Work does not keep up, and any failed one wants a person. [Handler.Counts] tells wrong secrets, wrong clocks
// and a database that is down apart.
//
// A message whose id is known while its body is another one is never from an honest sender in good order: it is
// recorded, answered 409 and not handled. Entries are forgotten after [DefaultRetention], which is longer than the sender
// can send an event again; a sender with other settings wants another [Inbox].Retention.
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
//     event may come twice, for example when your answer was lost. The inbox knows it by its [Event].ID.
//   - Events come in no order. Two events of one document are ordered by [Data].Sequence: ignore the lower one.
//   - The sender waits 15 seconds for an answer. With an inbox that is the time of one insert. A [Handler] without one
//     answers after its Handle has returned, and remembers nothing: it is for tools and tests.
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
