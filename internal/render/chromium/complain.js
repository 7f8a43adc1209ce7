// Passes the errors of the page's scripts on to our isolated world. Runs in the page's own world before any script of the page can, and keeps what
// it calls: a page that replaces things later replaces them for itself. What it passes on is short, whatever the page says, and nobody else
// listens to a console here.
if (self === top) {
  const { CustomEvent, Error, String, Array, Promise, Object } = self;
  const send = self.dispatchEvent.bind(self);
  const most = 400;
  let left = 20;
  let last = 0;
  const rejected = new WeakMap();

  const spelled = (value) => {
    try {
      if (typeof value === "string") {
        return value.slice(0, most);
      }
      if (value instanceof Error || value instanceof DOMException) {
        return `${String(value.name).slice(0, most)}: ${String(value.message).slice(0, most)}`;
      }
      return typeof value === "object" && value !== null || typeof value === "function" ? Object.prototype.toString.call(value).slice(8, -1) : String(value).slice(0, most);
    } catch {
      return "an object";
    }
  };
  const place = (stack) => {
    try {
      const at = /(?:\(|at )([^\s()]+):(\d+):\d+\)?$/m.exec(stack.slice(0, 4000));
      return at ? [at[1], at[2]] : ["", 0];
    } catch {
      return ["", 0];
    }
  };
  const say = (text, file, line) => {
    if (left-- > 0) {
      last++;
      send(new CustomEvent("platen:complaint", { detail: `${last}\n${line}\n${String(file).slice(0, 2000)}\n${text}` }));
    }
    return last;
  };
  const words = (values) => {
    let text = "";
    for (let i = 0; i < values.length && i < 10; i++) {
      text += (i ? " " : "") + spelled(values[i]);
    }
    return text;
  };
  const caller = () => {
    try {
      return place(new Error().stack.split("\n").slice(3, 4).join(""));
    } catch {
      return ["", 0];
    }
  };
  console.error = function (...values) {
    if (left > 0) {
      say(words(values), ...caller());
    }
  };
  console.assert = function (truth, ...values) {
    if (!truth && left > 0) {
      say(`Assertion failed: ${words(values)}`, ...caller());
    }
  };
  addEventListener("error", (event) => {
    if (event.message) { // those of resources have none
      say(String(event.message).slice(0, most), event.filename, event.lineno);
    }
  });
  addEventListener("unhandledrejection", (event) => {
    if (left > 0) {
      const reason = event.reason;
      let stack = "";
      try {
        stack = String(reason.stack).split("\n").find((line) => /^\s+at /.test(line)) || "";
      } catch {
        // not an error
      }
      rejected.set(event.promise, say(`Uncaught (in promise) ${spelled(reason)}`, ...place(stack)));
    }
  });
  addEventListener("rejectionhandled", (event) => {
    if (rejected.has(event.promise)) {
      send(new CustomEvent("platen:complaint", { detail: `-${rejected.get(event.promise)}` }));
    }
  });
}
