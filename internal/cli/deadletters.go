package cli

import (
	"fmt"
	"io"
	"net"
	"strconv"

	"github.com/platen-render/platen/api"
)

// printDead writes what one wants to know of dead letters: whose they are, when they were given up, and why.
func printDead(env Env, deliveries []api.Delivery) error {
	rows := make([][]string, 0, len(deliveries))
	for _, d := range deliveries {
		rows = append(rows, []string{
			d.ID, dash(maybe(d.JobID)), string(d.EventType), line(d.URLHost), strconv.Itoa(d.Attempts), dash(maybeMoment(d.DiedAt)),
			dash(shorten(lastError(d.Log))),
		})
	}
	return env.printList("deliveries", []string{"DELIVERY", "JOB", "TYPE", "HOST", "ATTEMPTS", "DIED", "LAST ERROR"}, rows)
}

// lastError says why the last attempt did not deliver.
func lastError(log []api.DeliveryAttempt) string {
	if len(log) == 0 {
		return ""
	}
	switch last := log[len(log)-1]; {
	case last.StatusCode != nil:
		return "answered " + strconv.Itoa(*last.StatusCode)
	case last.Error != nil:
		return line(*last.Error)
	case last.Outcome != nil:
		return string(*last.Outcome)
	default:
		return ""
	}
}

// longestError is how much of an error a list shows, in runes; "platen deliveries show" has all of it.
const longestError = 60

func shorten(text string) string {
	if runes := []rune(text); len(runes) > longestError {
		return string(runes[:longestError-1]) + "…"
	}
	return text
}

// hintPort tells whoever looked for a host without a port, and found nothing, that it may have one.
func hintPort(w io.Writer, host string) {
	if host == "" {
		return
	}
	if _, _, err := net.SplitHostPort(host); err != nil {
		_, _ = fmt.Fprintf(w, "hosts are kept with their port, as %s:8443, unless it is the scheme's own\n", line(host))
	}
}
