// Draws the scene as the look has it: pale grounds, edges, shapes, and as many names as have room; a community that is
// too small from here as one circle. Returns what can be pressed.
(() => {
  const parts = (window.explorer ??= {});
  const MOST = 156; // pixels of a name
  const SHORT = 84; // where the whole has no room
  const CROWD = 220; // nodes from which on only what is asked for has its edges named
  const FAINT = 0.14; // what steps back

  // Radii in pixels, 5 to 14: by links, or memories where nothing is linked; the area tells how many.
  parts.sizes = (model, by) => {
    const worth = (node) => (by === "memories" ? node.memories : node.links || node.memories / 4);
    const most = Math.max(...[...model.nodes.values()].map(worth), 9);
    return new Map([...model.nodes.values()].map((node) => [node.id, 5 + 9 * Math.sqrt(worth(node) / most)]));
  };

  const fillOf = (node, inks, colour) => {
    if (colour === "trust")
      return node.trust === null
        ? inks.rule
        : inks[`trust-${Math.max(1, Math.min(5, Math.floor(node.trust / 0.25) + 1))}`];
    if (colour === "community")
      return node.community === "" || node.community === "-1"
        ? inks["ink-3"]
        : inks[`data-${(node.community % 6) + 1}`];
    return parts.hueOf(node.type, inks);
  };

  // view: {model, inks, colour, project, unit, size, sizes, grounds, focus: {id, share}}
  parts.paint = (pen, view) => {
    const { model } = view;
    const { width, height } = view.size;
    const spots = spotsOf(view);
    const seen = [...spots.values()].filter(
      ({ x, y, r }) => x > -r - 40 && y > -r - 40 && x < width + r + 40 && y < height + r + 40,
    );
    const standing = standingOf(view, spots);
    const lines = linesOf(view, spots).sort((a, b) => standing.strength(a) - standing.strength(b));

    const open = [...model.communities.values()].filter((one) => model.isOpen(one, view.unit));
    const grounds = drawGrounds(pen, view, open, standing);
    for (const line of lines) drawLine(pen, view, line, standing, lines.length);

    const taken = parts.room(width, height);
    if (width > 320) taken.take([width - 56, 0, width, 164]); // the buttons stand there
    taken.take([0, 0, Math.min(width - 56, 300), 56]); // and the search
    for (const { x, y, r } of seen) taken.take([x - r - 1, y - r - 1, x + r + 1, y + r + 1]);
    const titles = grounds.map((ground) => titleOf(view, ground, taken, standing)).filter(Boolean);
    const circles = seen.filter((spot) => spot.closed);
    const nodes = seen.filter((spot) => !spot.closed);
    const circled = drawCircles(pen, view, circles, nodes, taken, standing);
    const labels = [...circled, ...drawNodes(pen, view, nodes, taken, standing)];
    const crowd = nodes.length;
    const signs = disputes(
      view,
      lines.filter((line) => !standing.dim.edge(line)),
      taken,
    );
    const stubs = model.overview ? [] : stubsOf(view, nodes, spots, taken, standing);
    const names = edgeNames(view, lines, taken, standing, crowd);
    for (const one of [...names, ...signs, ...titles, ...labels]) pen.text(...one.text);
    for (const stub of stubs) drawStub(pen, view, stub);
    return { spots, stubs, lines, titles, named: new Set(labels.map((one) => one.id)), marks: pen.marks };
  };

  // ── what stands where

  // By id: a node, or a community that is drawn as one.
  const spotsOf = (view) => {
    const { model, unit } = view;
    const spots = new Map();
    const closed = new Set();
    const { chosen, marked, starts, path } = model;
    const foremost = (id) => id === chosen || id === marked || starts.has(id) || path.has(id);
    const sizes = [...model.communities.values()].map(model.sizeOf);
    const most = Math.max(...sizes, 1);
    [...model.communities.values()].forEach((one, n) => {
      if (model.isOpen(one, unit) || !model.shown(one.id)) return;
      if (!model.overview && one.members.filter(model.shown).length < 3) return;
      closed.add(one.id);
      const [x, y] = view.project(one.x, one.y);
      const share = Math.sqrt(sizes[n] / most);
      const r = model.overview
        ? Math.max(one.r * unit, 5)
        : Math.max(9, Math.min(12 + 22 * share, one.clear * unit * 0.46));
      spots.set(one.id, { id: one.id, x, y, r, closed: true, community: one, size: sizes[n] });
    });
    for (const node of model.nodes.values()) {
      if ((closed.has(node.community) && !foremost(node.id)) || !model.shown(node.id)) continue;
      const [x, y] = view.project(node.x, node.y);
      spots.set(node.id, {
        id: node.id,
        x,
        y,
        r: (view.sizes.get(node.id) ?? 5) * view.growth(node) * born(node),
        node,
      });
    }
    return spots;
  };

  // What came just now grows into its size.
  const born = (node) => {
    if (!node.came) return 1;
    return Math.min(1, 0.3 + (0.7 * (performance.now() - node.came)) / (parts.calm() || 1));
  };

  // How much each counts beside what is chosen, pointed at, or on the path: everything else steps back.
  const standingOf = ({ model, focus, unit }, spots) => {
    const { chosen } = model;
    const onPath = model.path.size > 0;
    const near = new Set(focus.id === null ? [] : [focus.id, ...model.neighbours(focus.id)]);
    const inside = model.communities.get(focus.id);
    for (const id of inside?.members ?? []) near.add(id);
    // A neighbour within a circle keeps its circle, and a node its community's ground.
    for (const id of [...near]) if (model.nodes.has(id)) near.add(`in ${model.nodes.get(id).community}`);
    const lit = (edge) => edge.id === model.edge || edge.source === focus.id || edge.target === focus.id;
    const within = (edge) => Boolean(inside) && near.has(edge.source) && near.has(edge.target);
    const back = (is) => (is ? 1 - (1 - FAINT) * (onPath ? 1 : focus.share) : 1);
    const isDim = {
      node: (id) =>
        onPath
          ? !model.path.has(id)
          : focus.id !== null && !near.has(id) && !(spots.get(id)?.closed && near.has(`in ${id}`)),
      edge: ({ edge, ids }) =>
        onPath
          ? !(ids ?? [edge.id]).some((id) => model.pathEdges.has(id))
          : focus.id !== null && !lit(edge) && !within(edge),
    };
    // 3 of the path, 2 the one edge that is chosen, 1 of what is chosen or pointed at.
    const strength = ({ edge }) =>
      model.pathEdges.has(edge.id)
        ? 3
        : edge.id === model.edge
          ? 2
          : !onPath && (lit(edge) || edge.source === chosen || edge.target === chosen)
            ? 1
            : 0;
    return {
      near,
      strength,
      dim: isDim,
      node: (id) => back(isDim.node(id)),
      edge: (line) => back(isDim.edge(line)),
      ground: (id) => (onPath ? 0.45 : back(focus.id !== null && focus.id !== id && !near.has(`in ${id}`) && unit > 0)),
    };
  };

  // ── grounds

  const drawGrounds = (pen, view, open, standing) => {
    const { inks, model } = view;
    const found = [];
    for (const one of open) {
      const look = {
        fill: inks.under,
        stroke: one.id === model.chosen ? inks.accent : inks.rule,
        width: one.id === model.chosen ? 2 : 1,
        alpha: 0.75 * standing.ground(one.id),
      };
      if (model.overview) {
        const [x, y] = view.project(one.x, one.y);
        const r = one.r * view.unit;
        pen.circle(x, y, r, look);
        found.push({ one, left: x - r, right: x + r, top: y - r, bottom: y + r, x });
        continue;
      }
      const loops = view.grounds.get(one.id) ?? [];
      const drawn = loops.map((loop) => {
        const points = new Array(loop.length);
        for (let n = 0; n < loop.length; n += 2) [points[n], points[n + 1]] = view.project(loop[n], loop[n + 1]);
        pen.blob(points, look);
        return points;
      });
      if (drawn.length) found.push({ one, ...around(drawn[0]) });
    }
    return found;
  };

  const around = (points) => {
    const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    for (let n = 0; n < points.length; n += 2) {
      box.left = Math.min(box.left, points[n]);
      box.right = Math.max(box.right, points[n]);
      if (points[n + 1] < box.top) [box.top, box.x] = [points[n + 1], points[n]];
      if (points[n + 1] > box.bottom) [box.bottom, box.low] = [points[n + 1], points[n]];
    }
    return box;
  };

  // What a community is called: by those of its members that are joined best.
  parts.titled = (one, most = 2) => one.names.slice(0, most).join(", ");

  // At its upper or lower rim, within the drawing as long as some of the ground is.
  const titleOf = ({ inks, model, size }, { one, left, right, top, bottom, x, low = x }, taken, standing) => {
    if (right < 0 || bottom < 0 || left > size.width || top > size.height) return null;
    const face = { size: 13, weight: 600, serif: true };
    const words = `${parts.cut(parts.titled(one), 190, face, inks)}  ${model.sizeOf(one)}`;
    const wide = parts.measure(words, face, inks);
    const inside = (at) => Math.min(Math.max(at, wide / 2 + 6), size.width - wide / 2 - 6);
    const ways = [
      [inside(x), top - 5],
      [inside(low), bottom + 15],
      [inside((left + right) / 2), top + 16],
      [inside(left + wide / 2), (top + bottom) / 2],
      [inside(right - wide / 2), (top + bottom) / 2],
      [inside(x), 74],
    ].filter(([, y]) => y > 12 && y < size.height - 4);
    const box = ([px, py]) => [px - wide / 2 - 2, py - 12, px + wide / 2 + 2, py + 4];
    const way = ways.find((each) => taken.free(box(each))) ?? ways[0];
    if (!way) return null;
    taken.take(box(way));
    const text = [
      words,
      ...way,
      { ...face, fill: inks["ink-3"], halo: inks.sheet, alpha: Math.max(standing.ground(one.id), 0.4) },
    ];
    return { id: one.id, box: box(way), text };
  };

  // ── communities as one

  const drawCircles = (pen, view, circles, nodes, taken, standing) => {
    const { model, inks } = view;
    for (const { id, x, y, r, community } of circles) {
      const alpha = standing.node(id);
      const chosen = id === model.chosen;
      const band = Math.min(6, Math.max(2, r * 0.2));
      pen.circle(x, y, r, {
        fill: inks.under,
        stroke: chosen ? inks.accent : inks["rule-2"],
        width: chosen ? 2.5 : 1,
        alpha,
      });
      if (id === model.hovered) pen.circle(x, y, r + 4, { stroke: inks["rule-2"], width: 1.5 });
      if (r > 6) ring(pen, view, x, y, r - band / 2 - 1, community, band, alpha);
    }
    const isAsked = ({ id }) => id === model.chosen || id === model.hovered;
    const covered = new Set(nodes.map(({ node }) => node.community)); // by a member that is drawn besides
    const found = [];
    for (const spot of [...circles].sort((a, b) => isAsked(b) - isAsked(a) || b.r - a.r)) {
      const { id, x, y, r, community, size } = spot;
      const alpha = standing.node(id);
      const asked = isAsked(spot);
      const number = String(size);
      const inner = (r - Math.min(6, r * 0.2)) * 2 - 4;
      const face = { size: Math.min(22, Math.max(11, r * 0.42)), weight: 600 };
      if (!covered.has(id) && parts.measure(number, face, inks) < inner)
        found.push({ id, text: [number, x, y + face.size * 0.36, { ...face, fill: inks["ink-2"], alpha }] });
      if (alpha < 0.5 && !asked) continue;
      const name = placed(
        asked ? parts.titled(community, 3) : parts.titled(community, r > 30 ? 2 : 1),
        spot,
        taken,
        inks,
        {
          face: { size: 12, weight: r > 16 || asked ? 600 : 400 },
          sure: asked,
        },
      );
      if (name) found.push({ id, text: name });
    }
    return found.reverse();
  };

  const ring = (pen, { model, inks }, x, y, r, { types }, width, alpha) => {
    const total = Object.values(types).reduce((sum, one) => sum + one, 0);
    let from = -Math.PI / 2;
    for (const [type, count] of Object.entries(types)) {
      const to = from + (2 * Math.PI * count) / total;
      const passes = model.only.size === 0 || model.only.has(type);
      pen.arc(x, y, r, from, to, { stroke: passes ? parts.hueOf(type, inks) : inks.well, width, alpha });
      from = to;
    }
  };

  // ── edges

  // From a point towards another, so far.
  const towards = ([x, y], far, [tx, ty]) => {
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

  // Edges as they are drawn: those of a community that is one circle run to its circle, several as one.
  const linesOf = (view, spots) => {
    const { model } = view;
    const { width, height } = view.size;
    const end = (id) => spots.get(id) ?? spots.get(model.nodes.get(id)?.community) ?? discOf(view, id);
    const between = new Map();
    const lines = [];
    for (const edge of model.shownEdges()) {
      const [from, to] = [end(edge.source), end(edge.target)];
      if (!from || !to || from === to) continue;
      if (Math.max(from.x, to.x) < -60 || Math.min(from.x, to.x) > width + 60) continue;
      if (Math.max(from.y, to.y) < -60 || Math.min(from.y, to.y) > height + 60) continue;
      if (!from.closed && !to.closed) {
        const line = lineOf(edge, from, to);
        if (line) lines.push(line);
        continue;
      }
      const key = [from.id, to.id].sort().join(" ");
      const known = between.get(key);
      if (known) {
        known.edge.weight += model.overview ? edge.weight : 1;
        known.ids.push(edge.id);
        if (edge.state === "conflict") known.edge.state = edge.state;
        continue;
      }
      const one = {
        ...edge,
        source: from.id,
        target: to.id,
        kind: "together",
        state: edge.state === "conflict" ? edge.state : "held",
        bend: 0,
        weight: model.overview ? edge.weight : 1,
      };
      const line = lineOf(one, from, to);
      if (line) {
        line.ids = [edge.id];
        line.bundle = true;
        between.set(key, line);
        lines.push(line);
      }
    }
    return lines;
  };

  // An open community of the overview, which edges between communities run to.
  const discOf = (view, id) => {
    const one = view.model.overview ? view.model.communities.get(id) : null;
    if (!one || !view.model.shown(id)) return null;
    const [x, y] = view.project(one.x, one.y);
    return { id, x, y, r: one.r * view.unit, closed: true };
  };

  // From rim to rim, bent where several join the same two. `mid` is a point of it at a share of its length.
  const lineOf = (edge, from, to) => {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const far = Math.hypot(dx, dy);
    if (far < 1 || far < from.r + to.r) return null;
    const off = edge.bend * Math.min(46, 18 + far * 0.12);
    const via = [(from.x + to.x) / 2 - (dy / far) * off * 2, (from.y + to.y) / 2 + (dx / far) * off * 2];
    const begin = towards([from.x, from.y], from.r + 1.5, via);
    const end = towards([to.x, to.y], to.r + 1.5, via);
    const straight = (share) => [begin[0] + (end[0] - begin[0]) * share, begin[1] + (end[1] - begin[1]) * share];
    const curved = (share) => {
      const [a, b, c] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
      return [a * begin[0] + b * via[0] + c * end[0], a * begin[1] + b * via[1] + c * end[1]];
    };
    const points = off ? [...begin, ...via, ...end] : [...begin, ...end];
    return { edge, points, mid: off ? curved : straight, end, far: far - from.r - to.r, via: off ? via : begin };
  };

  const drawLine = (pen, { inks }, line, standing, count) => {
    const { edge, bundle } = line;
    const strength = standing.strength(line);
    const conflict = edge.state === "conflict";
    const quiet = edge.kind === "together";
    const usual = bundle
      ? Math.min(1 + Math.log2(1 + edge.weight) * 0.7, 6)
      : quiet
        ? Math.min(0.75 + Math.log2(Math.max(edge.weight, 1)) * 0.4, 2.5)
        : edge.hint
          ? 1.1
          : 1.4;
    const width =
      bundle && strength < 3
        ? usual
        : strength >= 2
          ? 3
          : Math.max(usual, conflict ? 2 : strength ? (quiet ? 1.5 : 2) : 0);
    const stroke = conflict ? inks.conflict : strength ? inks.accent : inks["rule-2"];
    const dash = edge.state === "superseded" ? [5, 4] : edge.state === "planned" ? [1.5, 4] : undefined;
    const plain = bundle ? (count > 120 ? 0.32 : 0.45) : quiet ? 0.5 : edge.hint ? 0.75 : 0.9;
    const crowded = count > 300 ? 0.55 : count > 120 ? 0.75 : 1;
    const own = strength > 1 || conflict ? 1 : strength ? (quiet ? 0.75 : 1) : plain * crowded;
    const alpha = own * standing.edge(line);
    pen.line(line.points, { stroke, width, dash, alpha });
    if (!quiet && !bundle && line.far > 26 && (count < 260 || strength)) arrow(pen, line, { fill: stroke, alpha });
  };

  const arrow = (pen, { end, via }, look) => {
    const [tipX, tipY] = end;
    const [x, y] = towards(end, 7, via);
    const [ux, uy] = [(tipX - x) / 7, (tipY - y) / 7];
    pen.area([tipX, tipY, x - uy * 2.9, y + ux * 2.9, x + uy * 2.9, y - ux * 2.9], look);
  };

  const disputes = ({ inks }, lines, taken) =>
    lines
      .filter(({ edge }) => edge.state === "conflict")
      .map((line) => {
        const [x, y] = line.mid(0.34);
        taken.take([x - 9, y - 9, x + 9, y + 9]);
        return { text: ["≠", x, y + 7, { fill: inks.conflict, halo: inks.sheet, size: 20, weight: 600, serif: true }] };
      });

  const edgeNames = ({ inks, model }, lines, taken, standing, crowd) => {
    const found = [];
    for (const line of [...lines].sort((a, b) => standing.strength(b) - standing.strength(a))) {
      const asked = standing.strength(line);
      const words = line.bundle ? "" : parts.words(line.edge);
      if (!words || (model.path.size && asked < 3) || (!asked && (crowd > CROWD || standing.dim.edge(line)))) continue;
      const face = { size: 11, weight: asked >= 2 ? 600 : 400 };
      const wide = parts.measure(words, face, inks);
      if (!asked && line.far < wide * 0.72 + 8) continue;
      for (const share of [0.5, 0.6, 0.4, 0.7, 0.3]) {
        const [x, y] = line.mid(share);
        const box = [x - wide / 2 - 3, y - 8, x + wide / 2 + 3, y + 6];
        if (!taken.free(box)) continue;
        taken.take(box);
        const fill = line.edge.state === "superseded" ? inks.ghost : asked ? inks["ink-2"] : inks["ink-3"];
        found.push({ text: [words, x, y + 3.5, { ...face, fill, halo: inks.sheet }] });
        break;
      }
    }
    return found;
  };

  // ── nodes

  // A name beneath its node, or where there is room beside or above; cut where even that is narrow. null: no room.
  const placed = (name, { x, y, r }, taken, inks, { face, gap = 3, sure = false }) => {
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

  const drawNodes = (pen, view, nodes, taken, standing) => {
    const { model, inks } = view;
    const gone = new Set(nodes.filter(({ id }) => model.isGone(id)).map(({ id }) => id));
    for (const { id, x, y, r, node } of [...nodes].sort((a, b) => b.r - a.r)) {
      const alpha = standing.node(id);
      if (gone.has(id))
        pen.shape(node.type, x, y, r, { fill: inks.sheet, stroke: inks.ghost, width: 1.5, dash: [4, 3], alpha });
      else if (node.type === "unknown" && view.colour === "type")
        pen.circle(x, y, r * 0.85, { fill: inks.sheet, stroke: inks["ink-3"], width: 2, alpha });
      else
        pen.shape(node.type, x, y, r, { fill: fillOf(node, inks, view.colour), stroke: inks.sheet, width: 1.5, alpha });
      if (id === model.chosen) pen.circle(x, y, r + 6, { stroke: inks.accent, width: 2.5 });
      else if (id === model.marked) pen.circle(x, y, r + 6, { stroke: inks.accent, width: 2, dash: [4, 3] });
      else if (id === model.hovered) pen.circle(x, y, r + 5, { stroke: inks["rule-2"], width: 1.5 });
    }
    return namesOf(view, nodes, taken, standing, gone);
  };

  const namesOf = ({ model, inks }, nodes, taken, { near, dim }, gone) => {
    const isAsked = (id) => [model.hovered, model.chosen, model.marked].includes(id) || model.path.has(id);
    const rank = ({ id, r }) =>
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
    const big = nodes.map(({ r }) => r).sort((a, b) => b - a)[Math.min(2, nodes.length - 1)] ?? 0;
    const found = [];
    for (const spot of [...nodes].sort((a, b) => rank(b) - rank(a))) {
      const { id, node, r } = spot;
      const asked = isAsked(id);
      if (dim.node(id) && !asked) continue;
      const bold = asked || model.starts.has(id) || (r >= big && r > 10);
      const ringed = id === model.chosen || id === model.marked;
      const name = placed(node.name, spot, taken, inks, {
        face: { size: bold ? 13 : 12, weight: bold ? 600 : 400 },
        gap: ringed ? 8 : 3,
        sure: asked,
      });
      if (!name) continue;
      if (gone.has(id)) name[3].fill = inks.ghost;
      found.push({ id, text: name });
    }
    return found.reverse(); // what was placed first lies on top
  };

  const TURNS = [0, 0.6, -0.6, 1.2, -1.2, 1.9, -1.9, Math.PI];

  // Neighbours that are not drawn, on the side away from those that are, where there is room for saying so.
  const stubsOf = ({ model, inks }, nodes, spots, taken, { dim }) => {
    const found = [];
    const most = nodes.length <= 40 ? 10 : 6;
    const isAsked = ({ id }) => id === model.chosen || id === model.hovered;
    const wanting = nodes
      .filter(({ id, node }) => node.hidden > 0 && !dim.node(id))
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
        found.push({ id: node.id, x: sx, y: sy, r: radius, words, from: towards([x, y], r + 1, [sx, sy]) });
        break;
      }
    }
    return found;
  };

  const drawStub = (pen, { inks }, stub) => {
    pen.line([...stub.from, stub.x, stub.y], { stroke: inks["rule-2"], width: 1, dash: [3, 2], alpha: 0.7 });
    pen.circle(stub.x, stub.y, stub.r, { fill: inks.sheet, stroke: inks["rule-2"], width: 1, dash: [3, 2] });
    pen.text(stub.words, stub.x, stub.y + 4, { fill: inks["ink-2"], size: 11 });
  };

  // ── what lies under the pointer

  const NEAR = 7; // pixels from an edge
  parts.hits = (drawn) => ({
    // A node before a circle before the name of a ground.
    node: (x, y, slack = 3) => {
      let best = null;
      for (const spot of drawn().spots.values()) {
        const far = Math.hypot(spot.x - x, spot.y - y) - spot.r;
        if (far <= slack && (!best || (best.closed && !spot.closed) || far <= best.far)) best = { ...spot, far };
      }
      const title = drawn().titles.find(({ box }) => x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3]);
      return best?.id ?? title?.id ?? null;
    },
    stub: (x, y) => drawn().stubs.find((stub) => Math.hypot(stub.x - x, stub.y - y) <= stub.r + 1)?.id ?? null,
    edge: (x, y) => {
      let best = null;
      for (const line of drawn().lines) {
        if (line.bundle) continue;
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
