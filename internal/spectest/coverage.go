package spectest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/routers"
)

// see remembers an answer.
func (c *Checker) see(route *routers.Route, status int) {
	pair := fmt.Sprintf("%s %s %d", route.Method, route.Path, status)
	if route.Path == "*" {
		pair = fmt.Sprintf("* %d", status)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[pair] = true
}

// Coverage returns the answers seen so far that were as the spec says, sorted: "GET /jobs/{id} 200". The answers to
// what the spec does not have are "* 404" and "* 405".
func (c *Checker) Coverage() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.seen))
}

// Uncovered returns the answers that the spec promises and no test has seen, sorted, in the form of
// [Checker.Coverage]. What ends in one of the exceptions is left out: " 500" excepts that status everywhere,
// "GET /metrics 200" one answer.
func (c *Checker) Uncovered(except ...string) []string {
	promised := []string{"* 404", "* 405"}
	for path, item := range c.doc.Paths.Map() {
		for method, op := range item.Operations() {
			for status := range op.Responses.Map() {
				promised = append(promised, method+" "+path+" "+status)
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	promised = slices.DeleteFunc(promised, func(pair string) bool {
		return c.seen[pair] || slices.ContainsFunc(except, func(e string) bool { return strings.HasSuffix(pair, e) })
	})
	slices.Sort(promised)
	return promised
}

// RouteDiff compares the routes that a server has, each as "METHOD /path/:param", with the spec. It returns, sorted and
// in the same form, those that the spec does not have and those that the server does not have.
func (c *Checker) RouteDiff(routes []string) (undocumented, unserved []string) {
	documented := map[string]bool{}
	for path, item := range c.doc.Paths.Map() {
		path = strings.NewReplacer("{", ":", "}", "").Replace(path)
		for method := range item.Operations() {
			documented[method+" "+path] = true
		}
	}
	served := map[string]bool{}
	for _, route := range routes {
		served[route] = true
	}
	return without(served, documented), without(documented, served)
}

// without returns the members of a that b does not have, sorted.
func without(a, b map[string]bool) []string {
	var rest []string
	for member := range a {
		if !b[member] {
			rest = append(rest, member)
		}
	}
	slices.Sort(rest)
	return rest
}
