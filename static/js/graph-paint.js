// Draws the scene as the look has it: pale grounds, edges, shapes, and as many names as have room. Returns what can be
// pressed besides nodes: the "+n" of what is not drawn, and the edges.
(() => {
  const parts = (window.explorer ??= {});
  const FEW = 60; // nodes up to which everything stays in full ink when one is chosen

  // Radii in pixels at the scene's natural size: by links, or memories where nothing is linked.
  parts.sizes = (model, by) => {
    if (model.overview) {
      const most = Math.max(...[...model.communities.values()].map((one) => one.size), 1);
      return new Map(
        [...model.communities].map(([id, one]) => [id, parts.circleOf(one.size, most, model.communities.size)]),
      );
    }
    const worth = (node) => (by === "memories" ? node.memories : node.links || node.memories / 4);
    const most = Math.max(...[...model.nodes.values()].map(worth), 1);
    const scale = Math.min(1, 26 / most);
    const count = model.nodes.size;
    const dense = count <= 40 ? 1 : count <= 120 ? 0.86 : count <= 250 ? 0.72 : 0.6;
    return new Map(
      [...model.nodes.values()].map((node) => [node.id, Math.max(5 + 3 * Math.sqrt(worth(node) * scale), 7.5) * dense]),
    );
  };

  parts.fillOf = (node, model, inks, colour) => {
    if (colour === "trust")
      return node.trust === null
        ? inks.rule
        : inks[`trust-${Math.max(1, Math.min(5, Math.floor(node.trust / 0.25) + 1))}`];
    if (colour === "community")
      return (node.community ?? -1) < 0 ? inks["ink-3"] : inks[`data-${(node.community % 6) + 1}`];
    return parts.hueOf(node.type, inks);
  };

  // view: {model, inks, colour, project, growth, size, sizes}
  parts.paint = (pen, view) => {
    const { model } = view;
    const { width, height } = view.size;
    const far = model.overview;
    const all = far ? [...model.communities].map(([id, one]) => ({ ...one, id })) : model.shownNodes();
    const spots = new Map(
      all.map((node) => {
        const [x, y] = view.project(node.x, node.y);
        return [node.id, { x, y, r: (view.sizes.get(node.id) ?? 6) * view.growth, node }];
      }),
    );
    const { chosen } = model;
    const near = chosen === null ? new Set() : model.neighbours(chosen);
    const onPath = model.path.size > 0;
    // What one started from has everything around it in full ink; what one chose since stands out of a crowd.
    const picked = all.length > FEW && chosen !== null && !model.starts.has(chosen);
    const dim = {
      node: (id) => (onPath ? !model.path.has(id) : picked && chosen !== id && !near.has(id)),
      edge: ({ edge }) => (onPath ? !model.pathEdges.has(edge.id) : picked && !isLit(edge)),
    };
    const isLit = (edge) =>
      edge.id === model.edge || (!onPath && chosen !== null && (edge.source === chosen || edge.target === chosen));
    // 3 of the path, 2 the one edge that is chosen, 1 of what is chosen.
    const strength = ({ edge }) =>
      model.pathEdges.has(edge.id) ? 3 : edge.id === model.edge ? 2 : isLit(edge) ? 1 : 0;

    if (!far) parts.grounds(pen, view, spots);
    const lines = model
      .shownEdges()
      .map((edge) => parts.lineOf(edge, spots))
      .filter(Boolean)
      .sort((a, b) => strength(a) - strength(b));
    for (const line of lines) parts.drawLine(pen, view, line, { strength: strength(line), dim: dim.edge(line) });

    const taken = parts.room(width, height);
    if (width > 320) taken.take([width - 56, 0, width, 128]); // the buttons stand there
    const seen = [...spots.values()].filter(
      ({ x, y, r }) => x > -r - 40 && y > -r - 40 && x < width + r + 40 && y < height + r + 40,
    );
    for (const { x, y, r } of seen) taken.take([x - r - 1, y - r - 1, x + r + 1, y + r + 1]);
    const labels = far
      ? parts.drawCommunities(pen, view, seen, taken)
      : parts.drawNodes(pen, view, seen, taken, dim.node);
    const signs = far
      ? []
      : parts.disputes(view, onPath ? lines.filter(({ edge }) => model.pathEdges.has(edge.id)) : lines, taken);
    const stubs = far ? [] : parts.stubs(view, seen, spots, taken, dim.node);
    const names = far ? [] : parts.edgeNames(view, lines, taken, { strength, dim: dim.edge, crowd: all.length });
    for (const name of [...names, ...signs, ...labels]) pen.text(...name);
    for (const stub of stubs) parts.drawStub(pen, view, stub);
    return { spots, stubs, lines, named: new Set(labels.map((one) => one.id).filter(Boolean)) };
  };
})();
