// Resolves to "found" when an element that the selector matches has a box, to "missing" when there is none after limit milliseconds, and to
// "invalid" when it is no selector. Runs in our isolated world, where the page cannot have replaced what it calls.
((selector, limit) => new Promise((resolve) => {
  const until = performance.now() + limit;
  const look = () => {
    const began = performance.now();
    let found;
    try {
      found = [...document.querySelectorAll(selector)].some((element) => element.getClientRects().length > 0);
    } catch {
      resolve("invalid");
      return;
    }
    if (found || performance.now() >= until) {
      resolve(found ? "found" : "missing");
      return;
    }
    setTimeout(look, 20 + 4 * (performance.now() - began)); // the page has to get on, too
  };
  look();
}))
