// Package examples holds the documents that come with the project, for the demo of platen dev.
package examples

import _ "embed" // for the invoice

// Invoice is invoice.html: one A4 page, number INV-2026-00417.
//
//go:embed invoice.html
var Invoice []byte
