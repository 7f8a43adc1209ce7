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

// Prelude is what every script begins with.
var Prelude = prelude
