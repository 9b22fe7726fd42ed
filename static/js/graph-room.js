// Room for words: how wide they are, how they are cut, and which places of the drawing are taken.
(() => {
  const parts = (window.explorer ??= {});

  // Widths of words, measured once each.
  const ruler = document.createElement("canvas").getContext("2d");
  let known = new Map();
  parts.measure = (words, face, inks) => {
    const set = parts.font(face, inks);
    const key = `${set}|${words}`;
    let width = known.get(key);
    if (width === undefined) {
      if (known.size > 6000) known = new Map();
      ruler.font = set;
      width = ruler.measureText(words).width;
      known.set(key, width);
    }
    return width;
  };

  // Long names are cut where they would run over their neighbours; the panel has them whole.
  parts.cut = (words, most, face, inks) => {
    if (parts.measure(words, face, inks) <= most) return words;
    const letters = [...words];
    let low = 1;
    let high = letters.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (parts.measure(`${letters.slice(0, middle).join("").trimEnd()}…`, face, inks) <= most) low = middle;
      else high = middle - 1;
    }
    return `${letters.slice(0, low).join("").trimEnd()}…`;
  };

  // Rectangles that are taken already; what has no room is left out.
  parts.room = (width, height) => {
    const taken = new Map();
    const CELL = 64;
    const cells = ([left, top, right, bottom]) => {
      const found = [];
      for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x++) {
        for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y++) found.push(x * 4096 + y);
      }
      return found;
    };
    return {
      take: (box) => {
        for (const cell of cells(box)) {
          if (!taken.has(cell)) taken.set(cell, []);
          taken.get(cell).push(box);
        }
      },
      free: (box) =>
        box[0] >= 2 &&
        box[1] >= 2 &&
        box[2] <= width - 2 &&
        box[3] <= height - 2 &&
        !cells(box).some((cell) =>
          (taken.get(cell) ?? []).some(
            (other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3],
          ),
        ),
    };
  };
})();
