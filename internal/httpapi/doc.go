// Package httpapi serves api/openapi.yaml over HTTP. It translates and nothing else: what a request means is decided by
// [jobs.Service], and what a fault becomes on the wire stands in problem.go alone. The handlers are written by hand and
// held to the contract by their tests.
//
// With internal/dashboard it is the only package that knows echo.
package httpapi
