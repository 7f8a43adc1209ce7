// Package callbacks makes one attempt to deliver an event and says what it means: delivered, to be tried again, or
// dead. It knows no store and no queue, never waits between attempts and follows no redirect. When to try again is
// data ([Schedule]); remembering it is the store's business.
package callbacks
