package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func secretCommands() []Command {
	return []Command{
		{"rotate", "Change the secret that signs a tenant's callbacks", rotateSecret},
		{"reseal", "Encrypt what is stored with the current master key", reseal},
	}
}

// maxSecret bounds what is read for a secret.
const maxSecret = 1 << 10

func rotateSecret(ctx context.Context, env Env, args []string) error {
	f := env.flags("secrets rotate", "", `
Makes a new secret for the callbacks of a tenant and prints it, this once. Those before it sign too until the overlap is over, so that
receivers can take the new one in their own time; with --overlap 0 they end at once. Needs PLATEN_ADMIN_KEY.`)
	asJSON := f.json()
	tenant := f.String("tenant", "default", "the `NAME` of the tenant")
	overlap := f.Duration("overlap", api.DefaultOverlapSeconds*time.Second, "how long those before it sign too, a `DURATION` up to 720h")
	given := f.Bool("stdin", false, "take the secret from the standard input instead of making one")
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	seconds := int(*overlap / time.Second)
	if *overlap%time.Second != 0 { // 0.5s must not be none
		return f.usage("--overlap must be whole seconds")
	}
	request := api.SecretRequest{OverlapSeconds: &seconds}
	if *given {
		text, err := io.ReadAll(io.LimitReader(env.Stdin, maxSecret))
		if err != nil {
			return fmt.Errorf("read the secret: %w", err)
		}
		secret := strings.TrimSpace(string(text))
		request.Secret = &secret
	}
	c, err := env.admin()
	if err != nil {
		return err
	}
	made, err := c.RotateSecret(ctx, *tenant, request)
	if client.HasCode(err, api.CodeCallbackSecretLimit) {
		return errSecretLimit
	}
	if err != nil {
		return advise(err, *tenant)
	}
	if *asJSON {
		return printJSON(env.Stdout, made)
	}
	return printFields(env.Stdout, [][2]string{
		{"callback secret", line(made.Secret)},
		{"earlier secrets sign until", dash(maybeMoment(made.PreviousExpiresAt))},
	})
}

var (
	errSecretLimit = errors.New("as many secrets sign already as may: end those before the new one with --overlap 0, or wait until some have ended")
	errContended   = errors.New("some of it was changed at the same moment: run the command again")
	errUnreadable  = errors.New("some of it can be read with none of the server's keys; its log names what")
)

func reseal(ctx context.Context, env Env, args []string) error {
	f := env.flags("secrets reseal", "", `
Goes through all that the server keeps encrypted, and encrypts with the current master key (PLATEN_SECRET_KEY) what an older one did.
When it succeeds after all processes have the current key, nothing needs PLATEN_SECRET_KEY_OLD any more but links that were made with
it, which work for seven days at most. It can be interrupted and repeated. Needs PLATEN_ADMIN_KEY.`)
	asJSON := f.json()
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.admin()
	if err != nil {
		return err
	}
	done, err := c.Reseal(ctx, func(r api.Resealed) {
		if r.NextCursor != nil {
			_, _ = fmt.Fprintf(env.Stderr, "checked %d, rewritten %d\n", r.Checked, r.Rewritten)
		}
	})
	if err != nil {
		return err
	}
	if *asJSON {
		err = printJSON(env.Stdout, done)
	} else {
		_, err = fmt.Fprintf(env.Stdout, "checked %d, rewritten %d, contended %d, unreadable %d\n", done.Checked, done.Rewritten, done.Contended, done.Unreadable)
	}
	switch {
	case err != nil:
		return err
	case done.Unreadable > 0:
		return errUnreadable
	case done.Contended > 0:
		return errContended
	case *asJSON:
		return nil
	}
	_, err = fmt.Fprintln(env.Stdout, "everything is encrypted with the current key")
	return err
}
