package render

import "context"

// Self is what an engine is: whatever of it, and not of the page, decides about the bytes.
type Self struct {
	Engine  string // its name
	Version string
	Fonts   string // as [Report] has it
}

// Identified is an engine that can tell what it is before it has rendered anything. One that is several tells of each.
type Identified interface {
	Selves(ctx context.Context) ([]Self, error)
}
