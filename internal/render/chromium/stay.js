// Keeps a page in its place. Runs in our isolated world before any script of the page can. A navigation that is
// canceled here never begins, so the document goes on as if nobody had asked; once one has begun, the parser
// stops. What stays in the document (fragments, history.pushState) may happen.
if (self === top) {
  self.refused = new Set();
  navigation.addEventListener("navigate", (event) => {
    if (event.destination.sameDocument || !event.cancelable) {
      return;
    }
    event.preventDefault();
    if (refused.size < 50) {
      refused.add(event.destination.url.slice(0, 2000));
    }
  });
}
