package httpapi

// HashOf is the hash of a style in a policy.
var HashOf = hashOf
