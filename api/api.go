// Package api is the contract of Platen's HTTP interface: the OpenAPI document, the JSON that travels ([Job],
// [JobRequest], [Problem], …), the codes of errors and the limits of fields. Servers, clients and receivers
// of callbacks share it; it needs nothing but the standard library and has no logic of its own.
//
// The reference for people is openapi.yaml, which every server serves at /openapi.yaml. The types here are
// written beside it by hand and held equal to it by tests, member by member and code by code.
//
// # Reading answers
//
// In what a server sends every member is always present. What has no value is null, a nil pointer here; a list
// without entries is [], so a server must send empty slices and not nil ones. Times are in UTC. A later
// version may add members and codes: ignore the members you do not know, and treat a code you do not know by
// its HTTP status.
//
// # Writing requests
//
// In what a client sends a nil pointer is a member left out, which has the default that openapi.yaml names.
// [JobRequest.Data] and [JobRequest.Metadata] hold raw JSON, because numbers in them must stay exactly as they
// were written.
package api

import _ "embed" // for Spec

// Spec is openapi.yaml, the OpenAPI 3.1 document of this version. Do not change it.
//
//go:embed openapi.yaml
var Spec []byte
