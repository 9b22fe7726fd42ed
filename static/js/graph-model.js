// The scene as the page holds it: what is drawn, what is chosen, what is put aside, and which communities are so small
// from here that each is one circle. It knows nothing of pixels but how many a unit has.
(() => {
  const parts = (window.explorer ??= {});
  const WIDE = 1.6; // the drawing is 16:10; places come within 0–1 each way
  // Pixels between neighbours from which on a community is drawn as its members: in the disc of an overview, elsewhere.
  const [OPEN_DISC, OPEN] = [32, 22];

  parts.model = () => {
    const model = {
      nodes: new Map(),
      edges: new Map(),
      communities: new Map(), // by number as text; its members by their ids
      starts: new Set(),
      path: new Set(),
      pathEdges: new Set(),
      types: {},
      total: 0,
      overview: false,
      only: new Set(), // types; none: all
      off: new Set(), // types of relations
      hidden: new Set(),
      chosen: null, // a node or a community
      byHand: false, // chosen since the page was opened: what it has no part in steps back
      hovered: null,
      edge: null,
      marked: null,
      growing: 0, // until when what came just now grows into its size
    };
    // What was drawn once keeps its place for as long as the page is open: nothing jumps while one looks.
    const places = new Map();
    let neighbours = null;
    let gone = null;

    model.take = (scene) => {
      const had = new Set(model.nodes.keys());
      const opened = new Map(model.overview ? model.nodes : []);
      model.overview = scene.communities.length > 0 && scene.nodes.length === 0;
      model.total = scene.total;
      model.types = scene.types;
      model.starts = new Set(scene.starts);
      model.path = new Set(scene.path?.nodes ?? []);
      model.pathEdges = new Set(scene.path?.edges ?? []);
      const given = model.overview ? parts.spread(scene.communities, places) : scene.communities;
      model.communities = new Map(
        given.map((one) => [String(one.number), { ...one, id: String(one.number), members: [], asked: false }]),
      );
      model.nodes = new Map(
        scene.nodes.map((node) => {
          const place = places.get(node.id) ?? { x: node.x * WIDE, y: node.y };
          places.set(node.id, place);
          const came = had.size > 0 && !had.has(node.id) ? arrival() : 0;
          return [node.id, { ...node, ...place, community: String(node.community ?? ""), came }];
        }),
      );
      for (const node of model.nodes.values()) model.communities.get(node.community)?.members.push(node.id);
      if (!model.overview) {
        const all = [...model.communities.values()];
        all.forEach(measure);
        // One scale for all: the scene is seen from far or from near, not both at once.
        const pitch = all.map((one) => one.pitch).sort((a, b) => a - b)[all.length >> 1];
        for (const one of all) one.pitch = pitch;
        for (const one of all)
          one.clear = Math.min(
            ...all.map((other) => (other === one ? 1 : Math.hypot(other.x - one.x, other.y - one.y))),
          );
      }
      const ends = model.overview ? model.communities : model.nodes;
      model.edges = new Map(
        scene.edges.filter((edge) => ends.has(edge.source) && ends.has(edge.target)).map((edge) => [edge.id, edge]),
      );
      changed();
      const there = (id) => model.nodes.has(id) || model.communities.has(id) || opened.has(id);
      if (model.chosen && !there(model.chosen)) model.chosen = null;
      if (model.edge && !model.edges.has(model.edge)) model.edge = null;
      if (model.marked && !model.nodes.has(model.marked)) model.marked = null;
      model.hovered = null;
    };

    const arrival = () => {
      model.growing = performance.now() + parts.calm() + 50;
      return performance.now();
    };

    // Where the members of a community are around, and how far one is from the next.
    const measure = (one) => {
      const members = one.members.map((id) => model.nodes.get(id));
      const mean = (key) => members.reduce((sum, node) => sum + node[key], 0) / members.length;
      [one.x, one.y] = [mean("x"), mean("y")];
      one.r = Math.max(...members.map((node) => Math.hypot(node.x - one.x, node.y - one.y)), 0.02);
      const nearest = members
        .map((node) =>
          Math.min(...members.map((other) => (other === node ? 9 : Math.hypot(node.x - other.x, node.y - other.y)))),
        )
        .sort((a, b) => a - b);
      one.pitch = nearest[nearest.length >> 1] ?? 1;
    };

    // The members of a community of the overview come into its disc.
    model.admit = (id, scene) => {
      const one = model.communities.get(id);
      if (!one) return;
      one.asked = true;
      const at = (key) => scene.nodes.map((node) => node[key]);
      const [left, right, top, bottom] = [
        Math.min(...at("x")),
        Math.max(...at("x")),
        Math.min(...at("y")),
        Math.max(...at("y")),
      ];
      for (const node of scene.nodes) {
        // From the rectangle into the disc, evenly (the elliptical mapping of a square).
        const u = right > left ? (2 * (node.x - left)) / (right - left) - 1 : 0;
        const v = bottom > top ? (2 * (node.y - top)) / (bottom - top) - 1 : 0;
        const x = one.x + one.r * 0.86 * u * Math.sqrt(1 - (v * v) / 2);
        const y = one.y + one.r * 0.86 * v * Math.sqrt(1 - (u * u) / 2);
        model.nodes.set(node.id, { ...node, x, y, community: id, came: arrival() });
        one.members.push(node.id);
      }
      one.pitch = one.r * Math.sqrt(Math.PI / Math.max(one.members.length, 1)) * 0.9;
      for (const edge of scene.edges)
        if (model.nodes.has(edge.source) && model.nodes.has(edge.target)) model.edges.set(edge.id, edge);
      changed();
    };

    // Whether a community is drawn as its members, at so many pixels a unit.
    const pitchOf = (one) => one.pitch ?? one.r * Math.sqrt(Math.PI / Math.min(one.size, 150)) * 0.9;
    const room = () => (model.overview ? OPEN_DISC : OPEN);
    model.opens = (one, unit) => pitchOf(one) * unit >= room();
    model.isOpen = (one, unit) =>
      one.members.length > 0 && ((!model.overview && model.communities.size < 2) || model.opens(one, unit));
    model.unitOf = (one) => (room() * 1.2) / pitchOf(one);

    const changed = () => {
      neighbours = gone = null;
      bend();
    };

    // Several edges between the same two lie side by side: `bend` says how far each leaves the straight line.
    const bend = () => {
      const pairs = new Map();
      for (const edge of model.edges.values()) {
        const key = [edge.source, edge.target].sort().join(" ");
        if (!pairs.has(key)) pairs.set(key, []);
        pairs.get(key).push(edge);
      }
      for (const together of pairs.values()) {
        together.forEach((edge, n) => {
          const side = edge.source <= edge.target ? 1 : -1;
          edge.bend = (n - (together.length - 1) / 2) * side;
        });
      }
    };

    const passes = (type) => model.only.size === 0 || model.only.has(type);
    model.shown = (id) => {
      const node = model.nodes.get(id);
      if (node) return !model.hidden.has(id) && passes(node.type);
      const one = model.communities.get(id);
      return Boolean(one) && (model.overview ? Object.keys(one.types).some(passes) : one.members.some(model.shown));
    };
    // Of a community, those that the chosen types leave.
    model.sizeOf = (one) =>
      Object.entries(one.types).reduce((sum, [type, count]) => sum + (passes(type) ? count : 0), 0);
    model.kindOf = (edge) => (edge.kind === "relation" ? edge.type : edge.kind);
    model.shownNodes = () => [...model.nodes.values()].filter((node) => model.shown(node.id));
    model.shownEdges = () =>
      [...model.edges.values()].filter(
        (edge) =>
          model.shown(edge.source) &&
          model.shown(edge.target) &&
          (!model.off.has(model.kindOf(edge)) || model.pathEdges.has(edge.id)),
      );

    model.neighbours = (id) => {
      if (!neighbours) {
        neighbours = new Map();
        const join = (one, other) => {
          if (!neighbours.has(one)) neighbours.set(one, new Set());
          neighbours.get(one).add(other);
        };
        for (const edge of model.shownEdges()) {
          join(edge.source, edge.target);
          join(edge.target, edge.source);
        }
      }
      return neighbours.get(id) ?? new Set();
    };
    // What is drawn of the edges has changed: other types, others hidden.
    model.sift = () => {
      neighbours = null;
    };

    // A node all of whose relations are over is drawn as what it is: gone from the present.
    model.isGone = (id) => {
      if (!gone) {
        const over = new Map();
        for (const { source, target, state } of model.edges.values())
          for (const end of [source, target]) over.set(end, (over.get(end) ?? true) && state === "superseded");
        gone = new Set([...over].filter(([one, is]) => is && !model.starts.has(one)).map(([one]) => one));
      }
      return gone.has(id);
    };

    // The nearest of what is drawn in a direction (dx, dy), by what is joined before what is merely near.
    model.towards = (dx, dy, spots) => {
      const all = [...spots];
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

    // Around what is shown, or around these.
    model.bounds = (ids) => {
      const far = model.overview && !ids;
      const all = ids
        ? ids.map((id) => model.nodes.get(id))
        : far
          ? [...model.communities.values()]
          : model.shownNodes();
      if (!all.length) return { left: 0, right: WIDE, top: 0, bottom: 1 };
      const most = (of) => Math.max(...all.map((one) => of(one) + (far ? one.r : 0)));
      const least = (of) => Math.min(...all.map((one) => of(one) - (far ? one.r : 0)));
      return {
        left: least((one) => one.x),
        right: most((one) => one.x),
        top: least((one) => one.y),
        bottom: most((one) => one.y),
      };
    };

    return model;
  };

  // Pixels a unit at which the circles of an overview have these radii.
  parts.FAR = 540;
  parts.circleOf = (size, most, count) => (10 + 32 * Math.sqrt(size / most)) * Math.min(1.5, Math.sqrt(44 / count));
  const ROUNDS = 300;

  // Communities keep their bearings and lose their overlaps: each needs its circle's room and a line for its name.
  // Those that had a place keep it.
  parts.spread = (communities, places) => {
    const count = communities.length;
    if (!count) return [];
    const most = Math.max(...communities.map((one) => one.size), 1);
    const radius = (one) => parts.circleOf(one.size, most, count) / parts.FAR;
    const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
    const [cx, cy] = [middle(communities.map((one) => one.x * WIDE)), middle(communities.map((one) => one.y))];
    // What lies far out is drawn in, or it would leave no scale for the rest.
    let placed = communities.map((one) => {
      const [dx, dy] = [one.x * WIDE - cx, one.y - cy];
      const far = Math.hypot(dx, dy) || 1e-6;
      return { ...one, r: radius(one), x: cx + dx * far ** -0.4, y: cy + dy * far ** -0.4 };
    });
    const across = (key) =>
      Math.max(...placed.map((one) => one[key])) - Math.min(...placed.map((one) => one[key])) || 1e-6;
    // The drawing is broad: what came out tall is turned on its side, what came out square is stretched.
    if (across("y") > across("x") * 1.15) placed = placed.map((one) => ({ ...one, x: one.y, y: one.x }));
    const stretch = Math.min(1.8, Math.max(1, (WIDE * across("y")) / across("x")));
    placed = placed.map((one) => ({ ...one, x: one.x * stretch }));
    const half = placed.map(({ r }) => ({ w: Math.max(r, 50 / parts.FAR) + 0.008, h: r + 14 / parts.FAR }));
    for (let round = 0; round < ROUNDS && push(placed, half); round++);
    for (const one of placed) {
      const key = `community ${one.number}`;
      if (!places.has(key)) places.set(key, { x: one.x, y: one.y });
      Object.assign(one, places.get(key));
    }
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
})();
