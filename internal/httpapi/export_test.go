package httpapi

// HashOf is the hash of a style in a policy.
var HashOf = hashOf

// SizeOfItem is what the JSON of an item of a batch counts for, without defaults.
func SizeOfItem(raw []byte) int {
	return (&itemReader{server: &Server{}, tenant: "t"}).read(raw).Size
}
