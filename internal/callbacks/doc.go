// Package callbacks delivers events. [Sender] makes one attempt and says what it means: delivered, to be tried again, or
// dead; it knows no store, never waits between attempts and follows no redirect. [Schedule] is when to try again, as
// data. [Deliverer] makes the attempt that the queue rings for and tells the store, which does the remembering.
package callbacks
