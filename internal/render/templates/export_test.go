package templates

import (
	"maps"
	"slices"
)

// ErrPanicked lets a test see that the library panicked and was caught.
var ErrPanicked = errPanicked

// Functions are the names that a template may call.
func Functions() []string { return slices.Sorted(maps.Keys(callable())) }
