// The graph from far: each community one circle, its ring says of which types it is.
(() => {
  const parts = (window.explorer ??= {});
  const WIDE = 1.6;
  const ROUNDS = 300;

  // Pixels a unit at which the circles have these radii.
  parts.FAR = 540;
  parts.circleOf = (size, most, count) => (9 + 31 * Math.sqrt(size / most)) * Math.min(1, Math.sqrt(40 / count));

  // Communities keep their bearings and lose their overlaps: each needs its circle's room and a line for its name.
  parts.spread = (communities) => {
    const count = communities.length;
    if (!count) return [];
    const most = Math.max(...communities.map((one) => one.size), 1);
    const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
    const [cx, cy] = [middle(communities.map((one) => one.x * WIDE)), middle(communities.map((one) => one.y))];
    // What lies far out is drawn in, or it would leave no scale for the rest.
    let placed = communities.map((one) => {
      const [dx, dy] = [one.x * WIDE - cx, one.y - cy];
      const far = Math.hypot(dx, dy) || 1e-6;
      return { ...one, x: cx + dx * far ** -0.4, y: cy + dy * far ** -0.4 };
    });
    const across = (key) =>
      Math.max(...placed.map((one) => one[key])) - Math.min(...placed.map((one) => one[key])) || 1e-6;
    // The drawing is broad: what came out tall is turned on its side, what came out square is stretched.
    if (across("y") > across("x") * 1.15) placed = placed.map((one) => ({ ...one, x: one.y, y: one.x }));
    const stretch = Math.min(1.8, Math.max(1, (WIDE * across("y")) / across("x")));
    placed = placed.map((one) => ({ ...one, x: one.x * stretch }));
    const half = placed.map((one) => {
      const r = parts.circleOf(one.size, most, count);
      return { w: Math.max(r, 50) / parts.FAR + 0.008, h: (r + 12) / parts.FAR };
    });
    for (let round = 0; round < ROUNDS && push(placed, half); round++);
    return placed;
  };

  // One round of pushing apart what overlaps, sideways rather than up and down; false when nothing does.
  const push = (placed, half) => {
    let moved = false;
    for (let i = 0; i < placed.length; i++) {
      for (let j = i + 1; j < placed.length; j++) {
        const [a, b] = [placed[i], placed[j]];
        const [dx, dy] = [b.x - a.x || 1e-4 * (j - i), b.y - a.y || 1e-4];
        const [overX, overY] = [half[i].w + half[j].w - Math.abs(dx), half[i].h + half[j].h - Math.abs(dy)];
        if (overX <= 1e-4 || overY <= 1e-4) continue;
        const [key, by] =
          overX < overY * 1.8 ? ["x", Math.sign(dx) * overX * 0.51] : ["y", Math.sign(dy) * overY * 0.51];
        a[key] -= by;
        b[key] += by;
        moved = true;
      }
    }
    return moved;
  };

  parts.drawCommunities = (pen, view, seen, taken) => {
    const { model, inks } = view;
    for (const { x, y, r, node } of seen) {
      const chosen = node.id === model.chosen;
      pen.path(parts.circle(x, y, r), {
        fill: inks.under,
        stroke: chosen ? inks.accent : inks["rule-2"],
        width: chosen ? 2.5 : 1,
      });
      if (node.id === model.hovered) pen.path(parts.circle(x, y, r + 4), { stroke: inks["rule-2"], width: 1.5 });
      if (r > 7) ring(pen, inks, x, y, r - Math.min(4, r * 0.3), node.types, Math.min(4, r * 0.3));
    }
    const isAsked = ({ node }) => node.id === model.chosen || node.id === model.hovered;
    const found = [];
    for (const spot of [...seen].sort((a, b) => isAsked(b) - isAsked(a) || b.r - a.r)) {
      const { x, y, r, node } = spot;
      if (r > 15) found.push([String(node.size), x, y + 4, { size: 12, weight: 600, fill: inks["ink-2"] }]);
      const words = isAsked(spot) ? `${node.names.join(", ")} (${node.size})` : (node.names[0] ?? "");
      const name = parts.placed(words, spot, taken, inks, {
        face: { size: 12, weight: r > 13 || isAsked(spot) ? 600 : 400 },
        sure: isAsked(spot),
      });
      if (name) found.push(name);
    }
    return found.reverse();
  };

  const ring = (pen, inks, x, y, r, types, width) => {
    const total = Object.values(types).reduce((sum, one) => sum + one, 0);
    const at = (angle) => `${(x + r * Math.cos(angle)).toFixed(2)} ${(y + r * Math.sin(angle)).toFixed(2)}`;
    const kinds = Object.keys(types);
    if (kinds.length === 1) {
      // an arc that ends where it begins is drawn as nothing
      pen.path(`M${x} ${y - r}A${r} ${r} 0 1 1 ${x} ${y + r}A${r} ${r} 0 1 1 ${x} ${y - r}`, {
        stroke: parts.hueOf(kinds[0], inks),
        width,
      });
      return;
    }
    let from = -Math.PI / 2;
    for (const [type, count] of Object.entries(types)) {
      const to = from + 2 * Math.PI * Math.min(count / total, 0.9999);
      pen.path(`M${at(from)}A${r} ${r} 0 ${to - from > Math.PI ? 1 : 0} 1 ${at(to)}`, {
        stroke: parts.hueOf(type, inks),
        width,
      });
      from = to;
    }
  };
})();
