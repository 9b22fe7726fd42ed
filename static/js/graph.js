// The graph explorer: the drawing, the table that says the same, and the panel go together.
(async () => {
  const parts = window.explorer;
  const box = document.querySelector("#stage");
  if (!box) return;

  const canvas = document.querySelector("#canvas");
  await parts.engine(canvas.dataset);
  const model = parts.model();
  const { query } = parts.address;
  let inks = parts.inks();
  let sizes = new Map();
  let drawn = { spots: new Map(), stubs: [], lines: [], named: new Set() };

  const page = {
    model,
    canvas,
    box,
    stage: null,
    say: (text) => {
      document.querySelector("#graph-said").textContent = text;
    },
  };
  const growth = () =>
    model.overview ? Math.min(1.5, Math.max(0.6, page.stage.unit() / page.stage.natural)) : page.stage.growth();
  const view = () => ({
    model,
    inks,
    sizes,
    colour: query().get("colour") ?? "type",
    project: page.stage.project,
    growth: growth(),
    size: page.stage.size(),
  });
  const hits = parts.hits(model, () => drawn);

  page.stage = parts.stage(box, {
    draw: (context) => {
      if (page.stage) drawn = parts.paint(parts.canvasPen(context, inks), view());
    },
    press: (x, y, id) => {
      box.focus({ preventScroll: true });
      const node = hits.node(x, y, id);
      const stub = node ? null : hits.stub(x, y);
      const edge = node || stub ? null : hits.edge(x, y);
      if (node) page.choose(node);
      else if (stub) {
        page.choose(stub);
        page.expand(stub);
      } else if (edge) page.light(edge);
      else page.choose(null);
    },
    twice: (x, y, id) => {
      const node = hits.node(x, y, id);
      if (node) page.expand(node);
      return Boolean(node);
    },
    move: (x, y) => {
      const node = hits.node(x, y, null);
      box.classList.toggle("on-something", Boolean(node ?? hits.stub(x, y) ?? hits.edge(x, y)));
      if (node === model.hovered) return;
      model.hovered = node;
      page.stage.draw();
    },
    leave: () => {
      if (model.hovered) {
        model.hovered = null;
        page.stage.draw();
      }
    },
  });

  page.shape = () => {
    sizes = parts.sizes(model, query().get("size") ?? "links");
    const all = model.overview ? [...model.communities].map(([id, one]) => ({ ...one, id })) : model.shownNodes();
    page.stage.take(all.map(({ id, x, y }) => ({ id, x, y, size: sizes.get(id) })));
    canvas.dataset.nodes = all.length;
    canvas.dataset.edges = model.shownEdges().length;
  };
  page.fit = () => {
    // As much room as the server gave each name when it placed them.
    page.stage.natural = model.overview ? parts.FAR : 115 * Math.sqrt(Math.max(model.nodes.size, 12));
    page.stage.fit(model.bounds(), model.nodes.get(model.chosen ?? [...model.starts][0]));
    page.stage.draw();
  };
  page.png = () => parts.savePng(view(), inks);
  page.svg = () => parts.saveSvg(view(), inks);
  Object.assign(page, parts.choosing(page));
  Object.assign(page, parts.changing(page));
  parts.keys(page);
  parts.time(page);

  // What a person decided is drawn anew; so is all in another theme, and once the letters are there.
  addEventListener("graph-changed", async ({ target }) => {
    target.closest?.("[popover]")?.hidePopover();
    await page.load();
    if (model.chosen) page.side(model.chosen);
    else page.choose(null, { quiet: true });
  });
  const repaint = () => {
    inks = parts.inks();
    page.stage.draw();
  };
  new MutationObserver(repaint).observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["data-theme"],
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  document.fonts?.ready.then(() => page.stage.draw());

  // For whoever looks in from outside: tests, and the console.
  parts.live = {
    page,
    model,
    stage: page.stage,
    getGraph: () => page.stage.graph ?? null,
    where: (id) => {
      const one = model.nodes.get(id) ?? model.communities.get(id);
      return one ? page.stage.project(one.x, one.y) : null;
    },
    drawn: () => drawn,
    svg: () => parts.svgOf(view(), inks),
  };

  page.load({ beside: false, whole: true }).then(() => {
    const at = query().get("at") ?? [...model.starts][0];
    if (at && model.shown(at))
      page.choose(at, { quiet: true, panel: !document.querySelector(`#panel [data-panel="${CSS.escape(at)}"]`) });
    canvas.dataset.ready = "true";
  });
})();
