package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/platen-render/platen/api"
)

func keyCommands() []Command {
	return []Command{
		{"create", "Make a key", createKey},
		{"list", "List keys", listKeys},
		{"revoke", "End a key", revokeKey},
	}
}

func createKey(ctx context.Context, env Env, args []string) error {
	f := env.flags("keys create", "", `
Makes an API key and prints it, this once. With the first key of a tenant comes the secret that signs the tenant's
callbacks. Needs PLATEN_ADMIN_KEY.`)
	asJSON := f.json()
	tenant := f.String("tenant", "default", "whose key it is: a `NAME` of lower-case letters, digits and -")
	name := f.String("name", "", "a `NAME` that says what the key is for")
	scopes := f.String("scopes", "read,write", "what it may do, a `LIST` of read, write and admin")
	expires := f.Duration("expires", 0, "how long it works, a `DURATION` as 720h; without it, until it is revoked")
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	request := api.KeyRequest{Tenant: tenant, Name: name}
	for scope := range strings.SplitSeq(*scopes, ",") {
		request.Scopes = append(request.Scopes, api.Scope(strings.TrimSpace(scope)))
	}
	if *expires != 0 {
		seconds := int(*expires / time.Second)
		request.ExpiresInSeconds = &seconds
	}
	c, err := env.admin()
	if err != nil {
		return err
	}
	created, err := c.CreateKey(ctx, request)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, created)
	}
	return printFields(env.Stdout, [][2]string{
		{"key", created.Token},
		{"callback secret", maybe(created.CallbackSecret)},
		{"id", created.ID},
		{"tenant", created.Tenant},
		{"name", line(created.Name)},
		{"scopes", scopeNames(created.Scopes)},
		{"expires", maybeMoment(created.ExpiresAt)},
	})
}

func listKeys(ctx context.Context, env Env, args []string) error {
	f := env.flags("keys list", "", "Lists one page of the keys of all tenants, newest first, without their secrets. Needs PLATEN_ADMIN_KEY.")
	asJSON, page := f.json(), f.page()
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.admin()
	if err != nil {
		return err
	}
	keys, err := c.KeyPage(ctx, *page)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, keys)
	}
	rows := make([][]string, 0, len(keys.Data))
	for _, k := range keys.Data {
		rows = append(rows, []string{k.ID, k.Tenant, dash(line(k.Name)), scopeNames(k.Scopes), moment(k.CreatedAt), dash(maybeMoment(k.ExpiresAt))})
	}
	more(env.Stderr, keys.NextCursor)
	return env.printList("keys", []string{"KEY", "TENANT", "NAME", "SCOPES", "CREATED", "EXPIRES"}, rows)
}

func revokeKey(ctx context.Context, env Env, args []string) error {
	f := env.flags("keys revoke", "KEY", "Ends a key at once. KEY is its id, key_…, and not the key itself. Needs PLATEN_ADMIN_KEY.")
	ids, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	if strings.HasPrefix(ids[0], "plt_") { // an address is no place for a secret: it ends up in logs
		return f.usage("that is the key itself; its id is in \"platen keys list\"")
	}
	c, err := env.admin()
	if err != nil {
		return err
	}
	if err := c.RevokeKey(ctx, ids[0]); err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, "revoked", ids[0])
	return err
}

func scopeNames(scopes []api.Scope) string {
	names := make([]string, 0, len(scopes))
	for _, s := range scopes {
		names = append(names, string(s))
	}
	return strings.Join(names, ",")
}
