// What lies under the pointer: a node, the "+n" of one, an edge.
(() => {
  const parts = (window.explorer ??= {});
  const NEAR = 7; // pixels from an edge

  parts.hits = (model, drawn) => ({
    node: (x, y, id) =>
      id && model.shown(id)
        ? id
        : ([...drawn().spots]
            .filter(([, spot]) => Math.hypot(spot.x - x, spot.y - y) <= spot.r + 3)
            .map(([key]) => key)
            .at(-1) ?? null),
    stub: (x, y) => drawn().stubs.find((stub) => Math.hypot(stub.x - x, stub.y - y) <= stub.r + 1)?.id ?? null,
    edge: (x, y) => {
      let best = null;
      for (const line of drawn().lines) {
        for (let n = 1; n < 24; n++) {
          const [px, py] = line.mid(n / 24);
          const far = Math.hypot(px - x, py - y);
          if (far < NEAR && (!best || far < best.far)) best = { far, id: line.edge.id };
        }
      }
      return best?.id ?? null;
    },
  });
})();
