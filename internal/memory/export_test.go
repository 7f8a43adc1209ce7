package memory

// Of is what a system tells whose files are these.
var Of = limit
