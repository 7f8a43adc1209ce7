package cli

// Compare is what "platen compare" does once it has its engines.
var Compare = compare
