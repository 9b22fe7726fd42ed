// The scene as the page holds it: what is drawn, what is chosen, what is put aside. It knows nothing of pixels.
(() => {
  const parts = (window.explorer ??= {});
  const WIDE = 1.6; // the drawing is 16:10; places come within 0–1 each way

  parts.model = () => {
    const model = {
      nodes: new Map(),
      edges: new Map(),
      communities: new Map(),
      starts: new Set(),
      path: new Set(),
      pathEdges: new Set(),
      types: {},
      total: 0,
      overview: false,
      off: new Set(),
      hidden: new Set(),
      chosen: null,
      hovered: null,
      edge: null,
      marked: null,
    };
    // What was drawn once keeps its place for as long as the page is open: nothing jumps while one looks.
    const places = new Map();

    model.take = (scene) => {
      model.overview = scene.communities.length > 0 && scene.nodes.length === 0;
      model.total = scene.total;
      model.types = scene.types;
      model.starts = new Set(scene.starts);
      model.path = new Set(scene.path?.nodes ?? []);
      model.pathEdges = new Set(scene.path?.edges ?? []);
      const had = new Set(model.nodes.keys());
      model.nodes = new Map(
        scene.nodes.map((node) => {
          const place = places.get(node.id) ?? { x: node.x * WIDE, y: node.y };
          places.set(node.id, place);
          return [node.id, { ...node, ...place, came: had.size > 0 && !had.has(node.id) }];
        }),
      );
      model.communities = new Map(parts.spread(scene.communities).map((one) => [String(one.number), one]));
      const ends = model.overview ? model.communities : model.nodes;
      model.edges = new Map(
        scene.edges.filter((edge) => ends.has(edge.source) && ends.has(edge.target)).map((edge) => [edge.id, edge]),
      );
      bend();
      if (model.chosen && !ends.has(model.chosen)) model.chosen = null;
      if (model.edge && !model.edges.has(model.edge)) model.edge = null;
      if (model.marked && !ends.has(model.marked)) model.marked = null;
      model.hovered = null;
      neighbours = null;
    };

    // Several edges between the same two lie side by side: `bend` says how far each leaves the straight line.
    const bend = () => {
      const pairs = new Map();
      for (const edge of model.edges.values()) {
        const key = [edge.source, edge.target].sort().join(" ");
        pairs.set(key, [...(pairs.get(key) ?? []), edge]);
      }
      for (const together of pairs.values()) {
        together.forEach((edge, n) => {
          const side = edge.source <= edge.target ? 1 : -1;
          edge.bend = (n - (together.length - 1) / 2) * side;
        });
      }
    };

    model.shown = (id) =>
      model.overview
        ? model.communities.has(id)
        : model.nodes.has(id) && !model.hidden.has(id) && !model.off.has(model.nodes.get(id).type);
    model.shownNodes = () => [...model.nodes.values()].filter((node) => model.shown(node.id));
    model.shownEdges = () =>
      [...model.edges.values()].filter((edge) => model.shown(edge.source) && model.shown(edge.target));

    let neighbours = null;
    model.neighbours = (id) => {
      if (!neighbours) {
        neighbours = new Map();
        const join = (one, other) => {
          if (!neighbours.has(one)) neighbours.set(one, new Set());
          neighbours.get(one).add(other);
        };
        for (const edge of model.edges.values()) {
          join(edge.source, edge.target);
          join(edge.target, edge.source);
        }
      }
      return neighbours.get(id) ?? new Set();
    };

    // A node all of whose relations are over is drawn as what it is: gone from the present.
    model.isGone = (id) => {
      let any = false;
      for (const edge of model.edges.values()) {
        if (edge.source !== id && edge.target !== id) continue;
        if (edge.state !== "superseded") return false;
        any = true;
      }
      return any && !model.starts.has(id);
    };

    // The nearest in a direction (dx, dy), by what is joined before what is merely near.
    model.towards = (dx, dy) => {
      const all = model.overview
        ? [...model.communities.values()].map((one) => ({ ...one, id: String(one.number) }))
        : model.shownNodes();
      if (!all.length) return null;
      const from = all.find((one) => one.id === model.chosen);
      if (!from) return all.find((one) => model.starts.has(one.id)) ?? middlemost(all);
      const joined = model.neighbours(from.id);
      let best = null;
      for (const one of all) {
        if (one === from) continue;
        const [x, y] = [one.x - from.x, one.y - from.y];
        const far = Math.hypot(x, y) || 1e-9;
        const along = (x * dx + y * dy) / far;
        if (along < 0.45) continue;
        const cost = (far / along ** 2) * (joined.has(one.id) ? 0.6 : 1);
        if (!best || cost < best.cost) best = { one, cost };
      }
      return best?.one ?? null;
    };

    const middlemost = (all) => {
      const x = all.reduce((sum, one) => sum + one.x, 0) / all.length;
      const y = all.reduce((sum, one) => sum + one.y, 0) / all.length;
      return all.reduce((best, one) =>
        Math.hypot(one.x - x, one.y - y) < Math.hypot(best.x - x, best.y - y) ? one : best,
      );
    };

    model.bounds = () => {
      const all = model.overview ? [...model.communities.values()] : model.shownNodes();
      if (!all.length) return { left: 0, right: WIDE, top: 0, bottom: 1 };
      const xs = all.map((one) => one.x);
      const ys = all.map((one) => one.y);
      return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    };

    return model;
  };
})();
