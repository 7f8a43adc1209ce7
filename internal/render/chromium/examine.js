// Tells what the paper will not show of the page, and which fonts it asks for in vain. Runs in our isolated world, where the page cannot have
// replaced what it calls. Every list is short, and a page that would take too long is examined in part.
((options) => {
  const most = 10;
  const until = performance.now() + options.budget;
  const late = () => performance.now() > until;
  const root = document.documentElement;

  // Edges of the sheet, beyond which nothing is drawn. What hides far to the left is hidden on purpose.
  const sheet = { left: 0, right: options.right || Infinity, top: -Infinity, bottom: options.bottom || Infinity };
  const slack = 1.5;

  // Whether a box of text is cut by a frame: visibly, not by the room that a font leaves above and below its letters.
  const cut = (rect, frame) =>
    rect.right > frame.right + slack || (rect.left < frame.left - slack && rect.right > frame.left) ||
    Math.min(rect.bottom, frame.bottom) - Math.max(rect.top, frame.top) < 0.7 * rect.height;

  const clipped = [];
  const seen = new Set();
  const report = (node) => {
    const text = node.data.replace(/\s+/g, " ").trim();
    if (!seen.has(node) && clipped.length < most) {
      seen.add(node);
      clipped.push(text.length > 80 ? [...text].slice(0, 80).join("") + "…" : text);
    }
  };
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  const range = document.createRange();
  const rects = (node) => {
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
  };
  const texts = (element) => document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) => /\S/.test(node.data) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);

  // Whether a box keeps what is in an element from being drawn: not if that stands outside of it by its position.
  const holds = (box, element) => {
    let free = "";
    for (let e = element; e !== box; e = e.parentElement) {
      const position = getComputedStyle(e).position;
      free = position === "fixed" || position === "absolute" ? position : position === "static" ? free : free === "fixed" ? free : "";
    }
    return free === "" || (free === "absolute" && getComputedStyle(box).position !== "static");
  };
  const viewportBox = getComputedStyle(root).overflow !== "visible" ? root : document.body; // its overflow is that of the page
  const examineBox = (box) => {
    const style = getComputedStyle(box);
    const x = style.overflowX !== "visible", y = style.overflowY !== "visible";
    if (box === viewportBox || (!x && !y) || box.clientWidth <= 1 || box.clientHeight <= 1 || parseFloat(style.textIndent) < -99 || !shown(box)) {
      return;
    }
    const outer = box.getBoundingClientRect();
    const left = outer.left + box.clientLeft, top = outer.top + box.clientTop;
    const frame = {
      left: x ? left : -Infinity, right: x ? left + box.clientWidth : Infinity,
      top: y ? top : -Infinity, bottom: y ? top + box.clientHeight : Infinity,
    };
    for (let walker = texts(box); walker.nextNode() && clipped.length < most && !late();) {
      const node = walker.currentNode;
      if (rects(node).some((rect) => cut(rect, frame)) && shown(node.parentElement) && holds(box, node.parentElement)) {
        report(node);
      }
    }
  };
  for (const element of options.boxes ? root.querySelectorAll("*") : []) {
    if (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1) {
      if (clipped.length >= most || late()) {
        break;
      }
      examineBox(element);
    }
  }

  const fonts = new Map(); // by the list as it was written: its first family
  const first = (list) => (/^\s*(?:"((?:[^"\\]|\\.)*)"|([^,]+))/.exec(list) || []).slice(1).filter(Boolean).map((name) => name.trim())[0] || "";
  let parent = null;
  for (let walker = texts(root); walker.nextNode() && !late();) {
    const node = walker.currentNode;
    if (node.parentElement !== parent) {
      parent = node.parentElement;
      const list = getComputedStyle(parent).fontFamily;
      if (!fonts.has(list) && fonts.size < 200 && parent.checkVisibility()) {
        fonts.set(list, node.data.slice(0, 200));
      }
    }
    if (!options.loose || clipped.length >= most) {
      continue;
    }
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width > 0 && box.height > 0 && cut(box, sheet) && rects(node).some((rect) => cut(rect, sheet)) && shown(parent)) {
      report(node);
    }
  }

  // A family is there when text in it is as wide as in nothing else.
  const known = new Set(options.families);
  for (const face of document.fonts) {
    known.add(face.family.replace(/^["']|["']$/g, "").toLowerCase()); // one that did not load has its warning
  }
  let canvas = null;
  const there = (family, sample) => {
    canvas ??= document.createElement("canvas").getContext("2d");
    const text = sample + " mwil10@% \u2318\u05d0\u0627\u65e5\ud55c\u0e01\u0905\u{1f600}\uf000";
    return ["serif", "monospace"].some((other) => {
      canvas.font = `40px ${other}`;
      const without = canvas.measureText(text).width;
      canvas.font = `40px ${JSON.stringify(family)}, ${other}`;
      return canvas.measureText(text).width !== without;
    });
  };
  const missing = new Map();
  for (const [list, sample] of fonts) {
    const family = first(list), name = family.toLowerCase();
    if (family && missing.size < most && !known.has(name) && !missing.has(name) && !there(family, sample)) {
      missing.set(name, family.slice(0, 200));
    }
  }
  // A character is in no font when it is drawn as one that is none.
  const lacking = (texts) => {
    const drawn = document.createElement("canvas");
    drawn.width = drawn.height = 48;
    const pen = drawn.getContext("2d", { willReadFrequently: true });
    const pixels = (c) => {
      pen.clearRect(0, 0, 48, 48);
      pen.fillText(c, 4, 36);
      return pen.getImageData(0, 0, 48, 48).data;
    };
    const found = new Set(), asked = new Set();
    for (const [text, family] of texts) {
      pen.font = `32px ${family}`;
      let none = null;
      for (const c of text) {
        if (c < "\u0100" || asked.has(c) || late()) {
          continue;
        }
        asked.add(c);
        none ??= { width: pen.measureText("\u{10fffd}").width, pixels: pixels("\u{10fffd}") };
        if (pen.measureText(c).width === none.width && pixels(c).every((value, i) => value === none.pixels[i])) {
          found.add(c);
        }
      }
    }
    return [...found].slice(0, 1000);
  };
  const written = function* () {
    for (let walker = texts(root); walker.nextNode();) {
      const node = walker.currentNode;
      if (/[^\0-\u00ff]/.test(node.data)) {
        yield [node.data, getComputedStyle(node.parentElement).fontFamily];
      }
    }
    for (const element of root.querySelectorAll("*")) {
      for (const pseudo of ["::before", "::after", "::marker"]) {
        const style = getComputedStyle(element, pseudo);
        if (/[^\0-\u00ff]/.test(style.content)) {
          yield [style.content, style.fontFamily];
        }
      }
      if (late()) {
        return;
      }
    }
    yield [options.margins, options.marginFont];
  };
  return { clipped, fonts: [...missing.values()], lacking: options.glyphs ? lacking(written()) : [], late: late(), complaints: [...(self.complaints ?? []).values()] };
})
