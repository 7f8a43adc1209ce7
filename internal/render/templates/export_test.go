package templates

// ErrPanicked lets a test see that the library panicked and was caught.
var ErrPanicked = errPanicked
