package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/platen-render/platen/api"
	"github.com/platen-render/platen/client"
)

func tenantCommands() []Command {
	return []Command{
		{"list", "List tenants", listTenants},
		{"show", "Show a tenant", showTenant},
		{"set", "Change a tenant", setTenant},
	}
}

func listTenants(ctx context.Context, env Env, args []string) error {
	f := env.flags("tenants list", "", "Lists one page of all tenants, by name. A tenant is made with its first key. Needs PLATEN_ADMIN_KEY.")
	asJSON, page := f.json(), f.page()
	if _, err := f.parse(args, 0, 0); err != nil {
		return err
	}
	c, err := env.admin()
	if err != nil {
		return err
	}
	tenants, err := c.TenantPage(ctx, *page)
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(env.Stdout, tenants)
	}
	rows := make([][]string, 0, len(tenants.Data))
	for _, t := range tenants.Data {
		rows = append(rows, []string{t.Name, dash(maybe(t.CallbackURLHost)), secretTimes(t)})
	}
	more(env.Stderr, tenants.NextCursor)
	return env.printList("tenants", []string{"TENANT", "REPORTS TO", "SECRETS"}, rows)
}

func showTenant(ctx context.Context, env Env, args []string) error {
	f := env.flags("tenants show", "TENANT", "Shows a tenant without its secrets, with what it uses and may use. Needs PLATEN_ADMIN_KEY.")
	asJSON := f.json()
	return onTenant(f, asJSON, args, func(c *client.Client, name string) (api.Tenant, error) { return c.Tenant(ctx, name) })
}

func setTenant(ctx context.Context, env Env, args []string) error {
	f := env.flags("tenants set", "TENANT", `
Sets where jobs of a tenant report that name no callback URL, and how much the tenant may use. The URL is judged like that of a job. A
limit that is not named stays as it is; "none" takes one away. They hold at once. Needs PLATEN_ADMIN_KEY.`)
	asJSON, limits := f.json(), f.limits()
	var patch api.TenantPatch
	f.Func("callback-url", "the default callback `URL`; the empty one is nowhere", func(value string) error {
		patch.CallbackURL = &value
		return nil
	})
	return onTenant(f, asJSON, args, func(c *client.Client, name string) (api.Tenant, error) {
		if patch.CallbackURL == nil && len(limits) == 0 {
			return api.Tenant{}, f.usage("nothing to change")
		}
		patch.Limits = limits
		tenant, err := c.UpdateTenant(ctx, name, patch)
		return tenant, advise(err, name)
	})
}

// advise adds to an error what makes a tenant that is not there.
func advise(err error, tenant string) error {
	if client.HasCode(err, api.CodeTenantNotFound) {
		return fmt.Errorf("%w\nA tenant is made with its first key: platen keys create --tenant %s", err, tenant)
	}
	return err
}

// onTenant parses the flags, calls do with the tenant's name and prints the tenant.
func onTenant(f *flags, asJSON *bool, args []string, do func(*client.Client, string) (api.Tenant, error)) error {
	names, err := f.parse(args, 1, 1)
	if err != nil {
		return err
	}
	c, err := f.env.admin()
	if err != nil {
		return err
	}
	tenant, err := do(c, names[0])
	if err != nil {
		return err
	}
	if *asJSON {
		return printJSON(f.env.Stdout, tenant)
	}
	return printFields(f.env.Stdout, append([][2]string{
		{"tenant", tenant.Name},
		{"reports to", dash(maybe(tenant.CallbackURLHost))},
		{"secrets", secretTimes(tenant)},
	}, showLimits(tenant)...))
}

// secretTimes tells how many secrets sign, and until when.
func secretTimes(t api.Tenant) string {
	var times []string
	for i, s := range t.Secrets {
		text := "current"
		if i > 0 {
			text = "older"
		}
		if s.CreatedAt != nil {
			text += " since " + moment(*s.CreatedAt)
		}
		if s.ExpiresAt != nil {
			text += " until " + moment(*s.ExpiresAt)
		}
		times = append(times, text)
	}
	if t.CallbackSecretConfigured {
		times = append(times, "from PLATEN_CALLBACK_SECRET")
	}
	return dash(strings.Join(times, ", "))
}
