//go:build !race

package native_test

// detector is how much more the tests may take under the race detector.
const detector = 1
