// Package jobs is the domain: what a job, a document, an event and a delivery are, which steps they may take, who answers a
// request that was made before, and what a client can ask for ([Service]). It knows no HTTP, no Redis and no queue; it
// names what it needs of them ([Store], [Queue], [Blobs], [Watcher]), and jobstest says what a store must do.
package jobs
