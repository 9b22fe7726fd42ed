// Pale grounds under what belongs together: a soft outline around each community of the scene.
(() => {
  const parts = (window.explorer ??= {});
  const MARGIN = 22;
  const STRANGERS = 0.34; // more of others' within, as a share of its own, and no ground is drawn

  parts.grounds = (pen, { inks, model }, spots) => {
    if (spots.size > 220 || spots.size < 8) return;
    const groups = new Map();
    for (const spot of spots.values()) {
      const number = spot.node.community ?? -1;
      if (number >= 0) groups.set(number, [...(groups.get(number) ?? []), spot]);
    }
    if (groups.size < 2) return;
    for (const [number, members] of [...groups].sort((a, b) => b[1].length - a[1].length)) {
      if (members.length < 3) continue;
      const around = hull(members.flatMap(({ x, y, r }) => ring(x, y, r + MARGIN)));
      const strangers = [...spots.values()].filter(
        (spot) => spot.node.community !== number && inside(around, spot.x, spot.y),
      );
      // Where a community lies scattered among others, its ground would say the opposite of what is so.
      if (strangers.length > members.length * STRANGERS) continue;
      pen.path(rounded(around), { fill: inks.under, stroke: inks.rule, width: 1, alpha: model.path.size ? 0.35 : 0.7 });
    }
  };

  const ring = (x, y, r) =>
    Array.from({ length: 8 }, (_, n) => [x + r * Math.cos((n * Math.PI) / 4), y + r * Math.sin((n * Math.PI) / 4)]);

  // Andrew's monotone chain.
  const hull = (points) => {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    const half = (list) => {
      const kept = [];
      for (const point of list) {
        while (kept.length >= 2 && turn(kept.at(-2), kept.at(-1), point) <= 0) kept.pop();
        kept.push(point);
      }
      return kept.slice(0, -1);
    };
    return [...half(sorted), ...half(sorted.reverse())];
  };

  // Whether a point is inside a polygon: how often a line to the right of it crosses the outline.
  const inside = (corners, x, y) => {
    let within = false;
    for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
      const [[ax, ay], [bx, by]] = [corners[i], corners[j]];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
    }
    return within;
  };

  const rounded = (corners) => {
    const middle = corners.map(([x, y], n) => {
      const [nx, ny] = corners[(n + 1) % corners.length];
      return [(x + nx) / 2, (y + ny) / 2];
    });
    const said = (point) => point.map((value) => Math.round(value * 10) / 10).join(" ");
    return `M${said(middle.at(-1))}${corners.map((corner, n) => `Q${said(corner)} ${said(middle[n])}`).join("")}z`;
  };
})();
