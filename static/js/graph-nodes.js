// Nodes: their shapes, the ring of what is chosen, their names, and the "+12" of what is not drawn.
(() => {
  const parts = (window.explorer ??= {});
  const MOST = 156; // pixels of a name
  const SHORT = 84; // where the whole has no room

  // A name beneath its node, or where there is room beside or above; cut where even that is narrow. null: no room.
  parts.placed = (name, { x, y, r }, taken, inks, { face, gap = 3, sure = false }) => {
    const ways = [
      [x, y + r + gap + 11, "center"],
      [x + r + gap + 3, y + 4, "left"],
      [x - r - gap - 3, y + 4, "right"],
      [x, y - r - gap - 4, "center"],
    ];
    for (const most of sure ? [MOST * 1.8] : [MOST, SHORT]) {
      const words = parts.cut(name, most, face, inks);
      const wide = parts.measure(words, face, inks);
      const box = ([px, py, align]) => {
        const left = align === "center" ? px - wide / 2 : align === "left" ? px : px - wide;
        return [left - 2, py - 12, left + wide + 2, py + 4];
      };
      const way = ways.find((one) => taken.free(box(one))) ?? (sure ? ways[0] : null);
      if (!way) continue;
      taken.take(box(way));
      return [words, way[0], way[1], { ...face, align: way[2], halo: inks.sheet, fill: inks.ink }];
    }
    return null;
  };

  parts.drawNodes = (pen, view, seen, taken, isDim) => {
    const { model, inks } = view;
    const gone = new Set(seen.filter(({ node }) => model.isGone(node.id)).map(({ node }) => node.id));
    for (const { x, y, r, node } of [...seen].sort((a, b) => b.r - a.r)) {
      const alpha = isDim(node.id) ? 0.3 : 1;
      const shape = parts.outline(node.type, x, y, r);
      if (gone.has(node.id)) pen.path(shape, { fill: inks.sheet, stroke: inks.ghost, width: 1.5, dash: [4, 3], alpha });
      else
        pen.path(shape, { fill: parts.fillOf(node, model, inks, view.colour), stroke: inks.sheet, width: 1.5, alpha });
      if (node.id === model.chosen) pen.path(parts.circle(x, y, r + 6), { stroke: inks.accent, width: 2.5 });
      else if (node.id === model.marked)
        pen.path(parts.circle(x, y, r + 6), { stroke: inks.accent, width: 2, dash: [4, 3] });
      else if (node.id === model.hovered) pen.path(parts.circle(x, y, r + 5), { stroke: inks["rule-2"], width: 1.5 });
    }
    return names(view, seen, taken, isDim, gone);
  };

  const names = ({ model, inks }, seen, taken, isDim, gone) => {
    const near = model.neighbours(model.chosen);
    const isAsked = (id) => [model.hovered, model.chosen, model.marked].includes(id) || model.path.has(id);
    const rank = ({ node: { id }, r }) =>
      r +
      (id === model.hovered
        ? 4000
        : id === model.chosen
          ? 3000
          : model.path.has(id)
            ? 2500
            : model.starts.has(id)
              ? 2000
              : near.has(id)
                ? 1000
                : 0);
    const big = seen.map(({ r }) => r).sort((a, b) => b - a)[Math.min(2, seen.length - 1)] ?? 0;
    const found = [];
    for (const spot of [...seen].sort((a, b) => rank(b) - rank(a))) {
      const { node, r } = spot;
      const asked = isAsked(node.id);
      if (isDim(node.id) && !asked && seen.length > 40) continue;
      const bold = asked || model.starts.has(node.id) || (r >= big && r > 12);
      const ringed = node.id === model.chosen || node.id === model.marked;
      const name = parts.placed(node.name, spot, taken, inks, {
        face: { size: bold ? 13 : 12, weight: bold ? 600 : 400 },
        gap: ringed ? 8 : 3,
        sure: asked,
      });
      if (!name) continue;
      if (gone.has(node.id)) name[3].fill = inks.ghost;
      if (isDim(node.id)) name[3].alpha = 0.6;
      name.id = node.id;
      found.push(name);
    }
    return found.reverse(); // what was placed first lies on top
  };

  const TURNS = [0, 0.6, -0.6, 1.2, -1.2, 1.9, -1.9, Math.PI];

  // Neighbours that are not drawn, on the side away from those that are, where there is room for saying so.
  parts.stubs = ({ model, inks }, seen, spots, taken, isDim) => {
    const found = [];
    const most = seen.length <= 40 ? 10 : 6;
    const isAsked = ({ node }) => node.id === model.chosen || node.id === model.hovered;
    const wanting = seen
      .filter(({ node }) => node.hidden > 0 && !isDim(node.id))
      .sort((a, b) => isAsked(b) - isAsked(a) || b.node.hidden - a.node.hidden);
    for (const { x, y, r, node } of wanting) {
      if (found.length >= most) break;
      const joined = [...model.neighbours(node.id)].map((id) => spots.get(id)).filter(Boolean);
      const mean = (key) => joined.reduce((sum, one) => sum + one[key], 0) / joined.length;
      const away = joined.length ? Math.atan2(y - mean("y"), x - mean("x")) : -Math.PI / 4;
      const words = `+${Math.min(node.hidden, 999)}`;
      const radius = Math.max(11, parts.measure(words, { size: 11 }, inks) / 2 + 4);
      for (const turn of TURNS) {
        const [sx, sy] = [x + (r + radius + 12) * Math.cos(away + turn), y + (r + radius + 12) * Math.sin(away + turn)];
        const box = [sx - radius - 1, sy - radius - 1, sx + radius + 1, sy + radius + 1];
        if (!taken.free(box)) continue;
        taken.take(box);
        found.push({ id: node.id, x: sx, y: sy, r: radius, words, from: parts.towards([x, y], r + 1, [sx, sy]) });
        break;
      }
    }
    return found;
  };

  parts.drawStub = (pen, { inks }, stub) => {
    pen.path(`M${stub.from[0]} ${stub.from[1]}L${stub.x} ${stub.y}`, {
      stroke: inks["rule-2"],
      width: 1,
      dash: [3, 2],
      alpha: 0.7,
    });
    pen.path(parts.circle(stub.x, stub.y, stub.r), {
      fill: inks.sheet,
      stroke: inks["rule-2"],
      width: 1,
      dash: [3, 2],
    });
    pen.text(stub.words, stub.x, stub.y + 4, { fill: inks["ink-2"], size: 11 });
  };
})();
