package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	server "github.com/platen-render/platen/internal/settings"
)

const listenText = `
Receives callbacks, verifies each and prints it: when it came, its id, timestamp, type, status and document, and what
it was answered. With a key for the server (PLATEN_URL and PLATEN_KEY) it also fetches the document before it answers,
as a real receiver may, and prints the status and whether the bytes have the sha256 that the job says.

The address to use as callback_url is printed at the start. The server must be allowed to call it: "platen dev" may call
this machine.`

const (
	// fetchTime is what a receiver has for looking at the document before its answer is too late.
	fetchTime    = 10 * time.Second
	shutdownTime = 5 * time.Second
)

func listen(ctx context.Context, env Env, args []string) error {
	f := env.flags("listen", "", listenText)
	text := f.String("secret", "", "the `SECRET` that signs the callbacks, or several with commas between them; by default PLATEN_CALLBACK_SECRET")
	addr := f.String("addr", "127.0.0.1:0", "listen on this `ADDRESS`; port 0 is a free one")
	fail := f.Int("fail", 0, "answer the first `N` callbacks with 500")
	asJSON := f.Bool("json", false, "print one JSON object a line")
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	s, err := env.settings()
	if err != nil {
		return err
	}
	chosen := cmp.Or(*text, s.callbackSecret)
	if chosen == "" {
		return errNoSecret
	}
	secrets, err := server.CallbackSecrets(chosen)
	if err != nil {
		return err
	}
	r := &receiver{env: env, secrets: secrets, failures: *fail, asJSON: *asJSON}
	if s.key != "" {
		r.client = env.clientAs(s, s.key)
		r.client.RetryFor, r.client.Retrying = -1, nil // the answer must not wait
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *addr)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(env.Stderr, "listening on http://%s/\n", listener.Addr())
	return serve(ctx, listener, r)
}

// serve serves until ctx ends, and then lets what is under way come to its end.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	receiving := &http.Server{Handler: handler, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second}
	group, ending := errgroup.WithContext(ctx)
	group.Go(func() error {
		if err := receiving.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-ending.Done()
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ending), shutdownTime)
		defer cancel()
		return receiving.Shutdown(bounded)
	})
	return group.Wait()
}
