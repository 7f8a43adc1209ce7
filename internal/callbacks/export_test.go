package callbacks

// Excerpt is what a response is kept as.
var Excerpt = excerpt
