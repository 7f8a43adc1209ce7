package jobs

// Status is where a job stands. docs/state-machine.md draws the same table and is tested against it.
type Status string

// The states of a job. One that waits for a retry is Queued.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Succeeded Status = "succeeded"
	Failed    Status = "failed"
	Canceled  Status = "canceled"
)

// Statuses lists all states, in the order of a life.
var Statuses = []Status{Queued, Running, Succeeded, Failed, Canceled}

// Transitions holds every step that a job may take. A state without steps is final, for ever: a retry is
// another job for the same document.
var Transitions = map[Status][]Status{
	Queued:  {Running, Canceled},
	Running: {Succeeded, Failed, Canceled, Queued},
}

// Final reports whether nothing can change the status any more.
func (s Status) Final() bool { return s != "" && len(Transitions[s]) == 0 }

// DocumentStatus is where a document stands.
type DocumentStatus string

// The states of a document.
const (
	Pending DocumentStatus = "pending" // no job of it has succeeded yet
	Issued  DocumentStatus = "issued"  // published, once
	Purged  DocumentStatus = "purged"  // its bytes and input are gone, its identity stays for ever
)

// DeliveryStatus is where the delivery of an event to a URL stands.
type DeliveryStatus string

// The states of a delivery.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryDead      DeliveryStatus = "dead"
)
