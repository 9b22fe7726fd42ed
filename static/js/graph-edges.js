// Edges: where they run, how they are drawn, and what they are called where that has room.
(() => {
  const parts = (window.explorer ??= {});
  const at = (value) => Math.round(value * 10) / 10;
  const spot = ([x, y]) => `${at(x)} ${at(y)}`;

  // From a point towards another, so far.
  parts.towards = ([x, y], far, [tx, ty]) => {
    const whole = Math.hypot(tx - x, ty - y) || 1;
    return [x + ((tx - x) * far) / whole, y + ((ty - y) * far) / whole];
  };

  // What a relation is called: a planned one says so, a hint asks.
  parts.words = (edge) => {
    if (edge.kind === "together") return "";
    const said =
      edge.type === "related_to" && edge.label && edge.label.length <= 28 ? edge.label : edge.type.replaceAll("_", " ");
    return `${edge.state === "planned" ? "to be: " : ""}${said}${edge.hint ? " ?" : ""}`;
  };

  // From rim to rim, bent where several join the same two. `mid` is a point of it at a share of its length.
  parts.lineOf = (edge, spots) => {
    const [from, to] = [spots.get(edge.source), spots.get(edge.target)];
    if (!from || !to) return null;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const far = Math.hypot(dx, dy);
    if (far < 1) return null;
    const off = edge.bend * Math.min(46, 18 + far * 0.12);
    const via = [(from.x + to.x) / 2 - (dy / far) * off * 2, (from.y + to.y) / 2 + (dx / far) * off * 2];
    const begin = parts.towards([from.x, from.y], from.r + 1, via);
    const end = parts.towards([to.x, to.y], to.r + 1, via);
    const straight = (share) => [begin[0] + (end[0] - begin[0]) * share, begin[1] + (end[1] - begin[1]) * share];
    const curved = (share) => {
      const [a, b, c] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
      return [a * begin[0] + b * via[0] + c * end[0], a * begin[1] + b * via[1] + c * end[1]];
    };
    const d = off ? `M${spot(begin)}Q${spot(via)} ${spot(end)}` : `M${spot(begin)}L${spot(end)}`;
    return { edge, d, mid: off ? curved : straight, end, far: far - from.r - to.r, via: off ? via : begin };
  };

  parts.drawLine = (pen, { inks, model }, line, { strength, dim }) => {
    const { edge } = line;
    const conflict = edge.state === "conflict";
    const quiet = edge.kind === "together";
    const usual = model.overview
      ? Math.min(1 + Math.log2(1 + edge.weight) * 0.8, 7)
      : quiet
        ? Math.min(0.75 + Math.log2(Math.max(edge.weight, 1)) * 0.4, 2.5)
        : edge.hint
          ? 1.1
          : 1.4;
    const width = strength >= 2 ? 3 : Math.max(usual, conflict ? 2 : strength ? (quiet ? 1.5 : 2) : 0);
    const stroke = conflict ? inks.conflict : strength ? inks.accent : inks["rule-2"];
    const dash = edge.state === "superseded" ? [5, 4] : edge.state === "planned" ? [1.5, 4] : undefined;
    const alpha = dim
      ? 0.2
      : strength === 1 && quiet
        ? 0.7
        : strength || conflict
          ? 1
          : model.overview
            ? 0.45
            : quiet
              ? 0.5
              : edge.hint
                ? 0.75
                : 1;
    pen.path(line.d, { stroke, width, dash, alpha });
    if (!quiet && !model.overview && line.far > 26) arrow(pen, line, { fill: stroke, alpha });
  };

  const arrow = (pen, { end, via }, look) => {
    const [tipX, tipY] = end;
    const [x, y] = parts.towards(end, 6, via);
    const [ux, uy] = [(tipX - x) / 6, (tipY - y) / 6];
    pen.path(`M${spot(end)}L${spot([x - uy * 2.6, y + ux * 2.6])}L${spot([x + uy * 2.6, y - ux * 2.6])}z`, look);
  };

  parts.disputes = ({ inks }, lines, taken) =>
    lines
      .filter(({ edge }) => edge.state === "conflict")
      .map((line) => {
        const [x, y] = line.mid(0.34);
        taken.take([x - 9, y - 9, x + 9, y + 9]);
        return ["≠", x, y + 7, { fill: inks.conflict, halo: inks.sheet, size: 20, weight: 600, serif: true }];
      });

  parts.edgeNames = ({ inks, model }, lines, taken, { strength, dim, crowd }) => {
    const found = [];
    for (const line of [...lines].sort((a, b) => strength(b) - strength(a))) {
      const asked = strength(line);
      const words = parts.words(line.edge);
      if (!words || (model.path.size && asked < 3) || (!asked && (crowd > 220 || dim(line)))) continue;
      const face = { size: 11, weight: asked >= 2 ? 600 : 400 };
      const wide = parts.measure(words, face, inks);
      if (!asked && line.far < wide * 0.72 + 8) continue;
      for (const share of [0.5, 0.6, 0.4, 0.7, 0.3]) {
        const [x, y] = line.mid(share);
        const box = [x - wide / 2 - 3, y - 8, x + wide / 2 + 3, y + 6];
        if (!taken.free(box)) continue;
        taken.take(box);
        const fill = line.edge.state === "superseded" ? inks.ghost : asked ? inks["ink-2"] : inks["ink-3"];
        found.push([words, x, y + 3.5, { ...face, fill, halo: inks.sheet }]);
        break;
      }
    }
    return found;
  };
})();
