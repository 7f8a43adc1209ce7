// Collects in our isolated world what complain.js passes on. The page can pass things on as well, about itself: no more than this.
if (self === top) {
  self.complaints = new Map();
  addEventListener("platen:complaint", (event) => {
    const [id, line, file, ...text] = String(event.detail).slice(0, 9000).split("\n");
    if (id.startsWith("-")) {
      complaints.delete(id.slice(1));
    } else if (complaints.size < 20) {
      complaints.set(id, { text: text.join(" "), file, line: Math.trunc(line) || 0 });
    }
  });
}
