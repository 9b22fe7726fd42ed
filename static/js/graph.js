// The graph explorer: the drawing, the table that says the same, and the panel go together.
(async () => {
  const parts = window.explorer;
  const box = document.querySelector("#stage");
  if (!box) return;

  const canvas = document.querySelector("#canvas");
  await parts.engine(canvas.dataset);
  const model = parts.model();
  const { query, go } = parts.address;
  let inks = parts.inks();
  let sizes = new Map();
  let grounds = new Map();
  let drawn = { spots: new Map(), stubs: [], lines: [], titles: [], named: new Set(), marks: 0 };

  const page = {
    model,
    canvas,
    box,
    stage: null,
    drawn: () => drawn,
    say: (text) => {
      document.querySelector("#graph-said").textContent = text;
    },
  };

  // ── what stands out: what the pointer is on, else what was chosen; the rest steps back, and comes again, in a moment

  const focus = { id: null, share: 0 };
  let [fading, aim, since] = [0, null, 0];
  page.focus = () => {
    aim = model.hovered ?? (model.byHand ? model.chosen : null);
    if (aim !== null) focus.id = aim;
    if (!parts.calm()) focus.share = aim === null ? 0 : 1;
    since = performance.now();
    if (!fading) fade(since);
  };
  const fade = (now) => {
    const [to, step] = [aim === null ? 0 : 1, Math.max(0, now - since) / 140];
    since = now;
    focus.share = to ? Math.min(1, focus.share + step) : Math.max(0, focus.share - step);
    if (focus.share === 0 && to === 0) focus.id = null;
    page.stage.draw();
    fading = focus.share === to ? 0 : requestAnimationFrame(fade);
  };

  // ── the drawing

  const growth = (node) => {
    const around = model.overview ? model.communities.get(node.community) : null;
    const room = around ? (around.pitch * page.stage.unit()) / 70 : page.stage.unit() / page.stage.natural;
    return Math.min(1.6, Math.max(1, Math.sqrt(room)));
  };
  const view = () => ({
    model,
    inks,
    sizes,
    grounds,
    focus,
    colour: query().get("colour") ?? "type",
    project: page.stage.project,
    unit: page.stage.unit(),
    growth,
    size: page.stage.size(),
  });
  const hits = parts.hits(() => drawn);
  const slack = matchMedia("(pointer: coarse)").matches ? 12 : 3;

  page.stage = parts.stage(box, {
    draw: (context) => {
      if (!page.stage) return;
      drawn = parts.paint(parts.canvasPen(context, inks), view());
      if (model.overview) enter();
      if (performance.now() < model.growing) requestAnimationFrame(() => page.stage.draw());
    },
    press: (x, y) => {
      box.focus({ preventScroll: true });
      const found = hits.node(x, y, slack);
      const stub = found ? null : hits.stub(x, y);
      const edge = found || stub ? null : hits.edge(x, y);
      if (found) {
        page.choose(found);
        if (model.communities.has(found) && drawn.spots.has(found)) page.open(found);
      } else if (stub) {
        page.choose(stub);
        page.expand(stub);
      } else if (edge) page.light(edge);
      else page.choose(null);
    },
    twice: (x, y) => {
      const found = hits.node(x, y, slack);
      if (model.nodes.has(found)) page.expand(found);
      return found !== null;
    },
    move: (x, y) => {
      const node = hits.node(x, y);
      box.classList.toggle("on-something", Boolean(node ?? hits.stub(x, y) ?? hits.edge(x, y)));
      if (node === model.hovered) return;
      model.hovered = node;
      page.focus();
    },
    leave: () => {
      if (model.hovered === null) return;
      model.hovered = null;
      page.focus();
    },
  });

  // Communities of an overview that come near are asked for their members, a little before these have room.
  const enter = () => {
    const { width, height } = page.stage.size();
    const unit = page.stage.unit() * 1.2;
    for (const one of model.communities.values()) {
      if (one.asked || !model.opens(one, unit)) continue;
      const [x, y] = page.stage.project(one.x, one.y);
      const r = one.r * unit;
      if (x > -r && y > -r && x < width + r && y < height + r) page.admit(one.id);
    }
  };

  page.shape = () => {
    sizes = parts.sizes(model, query().get("size") ?? "links");
    grounds = parts.grounds(model);
    canvas.dataset.nodes = model.overview ? model.communities.size : model.shownNodes().length;
    canvas.dataset.edges = model.shownEdges().length;
  };
  page.fit = () => {
    // As much room as the server gave each name when it placed them.
    page.stage.natural = model.overview ? parts.FAR : 115 * Math.sqrt(Math.max(model.nodes.size, 12));
    page.stage.fit(model.bounds(), model.nodes.get(model.chosen ?? [...model.starts][0]));
    page.stage.draw();
  };
  Object.assign(page, parts.choosing(page));
  Object.assign(page, parts.changing(page));
  parts.finding(page);
  parts.time(page);

  // ── keys while the drawing or its table has the focus, and presses anywhere that concern the graph

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const chosen = (act) => () => {
    if (model.chosen) act(model.chosen);
  };
  const walk = (way) => {
    const inside = model.communities.get(model.chosen);
    const members = [...drawn.spots.values()].filter((spot) => spot.node?.community === inside?.id);
    const next =
      inside && members.length && !drawn.spots.has(inside.id)
        ? members.reduce((best, one) => (one.r > best.r ? one : best))
        : model.towards(...way, drawn.spots.values());
    if (!next) return;
    page.choose(next.id);
    page.show(next.id);
  };
  const fill = () => {
    const frame = box.closest(".explore");
    if (document.fullscreenElement) document.exitFullscreen();
    else if (frame.requestFullscreen) frame.requestFullscreen();
    else frame.classList.toggle("filling");
  };
  const keys = {
    Enter: chosen(page.expand),
    Backspace: chosen(page.hide),
    Delete: chosen(page.hide),
    "+": page.stage.closer,
    "=": page.stage.closer,
    "-": page.stage.further,
    0: page.fit,
    f: page.fit,
    w: fill,
    p: page.mark,
    "/": () => document.querySelector("#seek").focus(),
    s: chosen((id) => go(model.communities.has(id) ? { community: id } : { start: id })),
    Escape: page.clear,
  };
  box.addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
    const act = ARROWS[event.key] ? () => walk(ARROWS[event.key]) : keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });

  const row = (event) => event.target.closest?.("#same tr[data-edge]");
  addEventListener("focusin", (event) => {
    const at = row(event);
    if (at && event.target.matches(":focus-visible") && model.edges.has(at.dataset.edge)) page.light(at.dataset.edge);
  });
  addEventListener("keydown", (event) => {
    const at = row(event);
    if (!at || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    const all = [...document.querySelectorAll("#same tr[data-edge]")].filter((one) => !one.hidden);
    all[all.indexOf(at) + (event.key === "ArrowDown" ? 1 : -1)]?.querySelector("[data-open]").focus();
  });

  const acts = {
    closer: page.stage.closer,
    further: page.stage.further,
    fit: page.fit,
    fill,
    now: () => page.travel(null),
    play: () => page.play(),
    png: () => parts.savePng(view(), inks),
    svg: () => parts.saveSvg(view(), inks),
    open: ({ dataset }) => page.open(dataset.id),
    expand: ({ dataset }) => page.expand(dataset.id),
    hide: ({ dataset }) => page.hide(dataset.id),
    link: async (button) => {
      try {
        await navigator.clipboard.writeText(location.href);
        button.lastChild.textContent = "Copied";
      } catch {
        page.say("Copy it from the address bar.");
        button.lastChild.textContent = "Copy the address";
      }
    },
  };
  addEventListener("click", (event) => {
    const button = event.target.closest("[data-graph]");
    if (button) {
      button.closest("[popover]")?.hidePopover();
      acts[button.dataset.graph](button);
      return;
    }
    const type = event.target.closest("[data-type]");
    if (type) {
      page.isolate(type.dataset.type, event.shiftKey || event.ctrlKey || event.metaKey);
      return;
    }
    const kind = event.target.closest("[data-kind]");
    if (kind) {
      page.turn(kind.dataset.kind);
      return;
    }
    // A name that is drawn is chosen; one that is not opens as a start, as its link says.
    const link = event.target.closest("a[data-node]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && model.shown(link.dataset.node)) {
      event.preventDefault();
      page.choose(link.dataset.node);
      page.show(link.dataset.node);
      return;
    }
    const at = row(event);
    if (at && !event.target.closest("a, button") && model.edges.has(at.dataset.edge))
      page.light(model.edge === at.dataset.edge ? null : at.dataset.edge);
  });

  // ── what a person decided is drawn anew; so is all in another theme, and once the letters are there

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
  document.addEventListener("fullscreenchange", () => setTimeout(page.fit, 60));

  // For whoever looks in from outside: tests, and the console.
  parts.live = {
    page,
    model,
    stage: page.stage,
    where: (id) => {
      const one = model.nodes.get(id) ?? model.communities.get(id);
      return one ? page.stage.project(one.x, one.y) : null;
    },
    drawn: () => drawn,
    focus: () => ({ ...focus }),
    svg: () => parts.svgOf(view(), inks),
  };

  page.load({ besides: false, whole: true }).then(() => {
    const asked = query().get("at");
    const at = asked ?? [...model.starts][0];
    if (at && model.nodes.has(at) && model.shown(at)) {
      page.choose(at, { quiet: true, panel: !document.querySelector(`#panel [data-panel="${CSS.escape(at)}"]`) });
      model.byHand = Boolean(asked) && !model.starts.has(at);
      page.focus();
    }
    canvas.dataset.ready = "true";
  });
})();
