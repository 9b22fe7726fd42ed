// Grounds under what belongs together: a soft outline around each community, drawn about its own members and what
// joins them, and kept clear of others. Worked out once a scene, in the places of the drawing.
(() => {
  const parts = (window.explorer ??= {});
  const WIDE = 1.6;
  const FINE = 72; // cells in the height of the drawing
  const PAD = 10; // cells around it
  const LEVEL = 0.3;

  // Outlines by community: lists of places [x, y, x, y, …]; for those of which at least three are shown.
  parts.grounds = (model) => {
    const outlines = new Map();
    if (model.overview || model.communities.size < 2) return outlines;
    const all = model.shownNodes();
    for (const one of model.communities.values()) {
      const members = all.filter((node) => node.community === one.id);
      if (members.length < 3) continue;
      const others = all.filter((node) => node.community !== one.id);
      outlines.set(one.id, outline(field(members, others)));
    }
    return outlines;
  };

  const field = (members, others) => {
    const [wide, high] = [Math.ceil(WIDE * FINE) + 2 * PAD, FINE + 2 * PAD];
    const values = new Float32Array(wide * high);
    const near = nearest(members);
    const reach = Math.min(0.1, Math.max(0.045, near * 0.6));
    const stamp = (x, y, radius, weight) => {
      const [cx, cy, r] = [x * FINE + PAD, y * FINE + PAD, radius * FINE];
      for (let j = Math.max(1, Math.ceil(cy - r)); j <= Math.min(high - 2, cy + r); j++) {
        for (let i = Math.max(1, Math.ceil(cx - r)); i <= Math.min(wide - 2, cx + r); i++) {
          const share = 1 - ((i - cx) ** 2 + (j - cy) ** 2) / (r * r);
          if (share > 0) values[j * wide + i] += weight * share * share;
        }
      }
    };
    for (const [a, b] of tree(members)) {
      const far = Math.hypot(b.x - a.x, b.y - a.y);
      const steps = Math.ceil(far / (reach * 0.4));
      for (let n = 1; n < steps; n++)
        stamp(a.x + ((b.x - a.x) * n) / steps, a.y + ((b.y - a.y) * n) / steps, reach, 0.34);
    }
    for (const { x, y } of others) stamp(x, y, reach * 0.8, -1.4);
    for (const { x, y } of members) stamp(x, y, reach, 1.1);
    return { values, wide, high };
  };

  // The middle one of the distances to the nearest.
  const nearest = (members) => {
    const all = members
      .map((a) => Math.min(...members.map((b) => (a === b ? 9 : Math.hypot(a.x - b.x, a.y - b.y)))))
      .sort((a, b) => a - b);
    return all[all.length >> 1];
  };

  // The shortest lines that hold all members together (Prim).
  const tree = (members) => {
    const far = members.map(() => Infinity);
    const from = members.map(() => 0);
    const left = new Set(members.keys());
    const lines = [];
    let at = 0;
    left.delete(0);
    while (left.size) {
      let next = -1;
      for (const n of left) {
        const away = Math.hypot(members[n].x - members[at].x, members[n].y - members[at].y);
        if (away < far[n]) [far[n], from[n]] = [away, at];
        if (next < 0 || far[n] < far[next]) next = n;
      }
      lines.push([members[from[next]], members[next]]);
      left.delete(next);
      at = next;
    }
    return lines;
  };

  // Marching squares. Sides of a cell: top, right, bottom, left; what is inside lies to one hand all along.
  const WAYS = [
    "", "LT", "TR", "LR", "RB", "LTRB", "TB", "LB", "BL", "BT", "TRBL", "BR", "RL", "RT", "TL", "",
  ]; // prettier-ignore
  const outline = ({ values, wide, high }) => {
    const next = new Map();
    const point = (side, i, j) => {
      const value = (x, y) => values[y * wide + x] - LEVEL;
      const [x, y] = [side === "R" ? i + 1 : i, side === "B" ? j + 1 : j];
      const level = side === "T" || side === "B";
      const [a, b] = [value(x, y), level ? value(x + 1, y) : value(x, y + 1)];
      const share = a === b ? 0.5 : a / (a - b);
      return { key: `${level ? "h" : "v"}${x} ${y}`, x: level ? x + share : x, y: level ? y : y + share };
    };
    for (let j = 0; j < high - 1; j++) {
      for (let i = 0; i < wide - 1; i++) {
        const is = (x, y) => (values[y * wide + x] > LEVEL ? 1 : 0);
        const ways = WAYS[is(i, j) + 2 * is(i + 1, j) + 4 * is(i + 1, j + 1) + 8 * is(i, j + 1)];
        for (let n = 0; n < ways.length; n += 2) {
          const [from, to] = [point(ways[n], i, j), point(ways[n + 1], i, j)];
          next.set(from.key, { from, to });
        }
      }
    }
    const loops = [];
    while (next.size) {
      const loop = [];
      let [key] = next.keys();
      while (next.has(key)) {
        const { from, to } = next.get(key);
        next.delete(key);
        loop.push((from.x - PAD) / FINE, (from.y - PAD) / FINE);
        key = to.key;
      }
      if (loop.length > 12) loops.push(loop);
    }
    return loops.sort((a, b) => b.length - a.length);
  };
})();
