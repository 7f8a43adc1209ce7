package redisstore

import "slices"

// KeyNames lists the names of all keys, for documents to be checked against.
func KeyNames() []string {
	names := []string{keyPrefix, keyIDPrefix, keyIndex}
	for _, k := range keyNames {
		names = append(names, k.name)
	}
	slices.Sort(names)
	return names
}

// Pack and Unpack are how receipts are kept.
var (
	Pack   = pack
	Unpack = unpack
)

// Head is what a script begins with that uses the names in its text.
func Head(script string) string { return shared().before(script) }

// Before is the head of a script, made of shared definitions.
func Before(shared, script string) string { return newLibrary(keyTable(), shared).before(script) }
