// What one does with the scene: choose, open, expand, hide, narrow, find a path, go to another day. What is looked at
// stands in the address, so that every view can be kept, shared and gone back to.
(() => {
  const parts = (window.explorer ??= {});

  // ── the address

  const query = () => new URLSearchParams(location.search);
  const list = (name) => (query().get(name) ?? "").split(",").filter(Boolean);
  const readable = (asked) => asked.toString().replaceAll("%2C", ","); // a comma parts ids here

  // Sets parameters, or with null takes them out, where one stands.
  const put = (changes) => {
    const asked = query();
    for (const [name, value] of Object.entries(changes)) {
      const text = Array.isArray(value) ? value.join(",") : (value ?? "");
      if (text === "") asked.delete(name);
      else asked.set(name, text);
    }
    history.replaceState(null, "", readable(asked) ? `?${readable(asked)}` : location.pathname);
    for (const link of document.querySelectorAll("#graphml")) link.search = location.search;
  };

  const ANEW = { start: null, q: null, memory: null, community: null, path: null, at: null, more: null, hide: null };

  // Goes to another place of the graph; what narrows it stays.
  const go = (changes) => {
    const asked = query();
    for (const [name, value] of Object.entries({ ...ANEW, ...changes })) {
      if (value === null) asked.delete(name);
      else asked.set(name, value);
    }
    location.assign(`?${readable(asked)}`);
  };
  parts.address = { query, list, put, go };

  // ── what is chosen: in the drawing, in the table, in the panel and in words for whoever hears the page

  // page: {model, stage, canvas, say, shape, fit, focus, drawn}
  parts.choosing = (page) => {
    const { model, canvas, say } = page;
    const name = (id) => model.nodes.get(id)?.name ?? (model.communities.has(id) ? titled(id) : "");
    const titled = (id) => parts.titled(model.communities.get(id), 3);
    const joins = (edge) => parts.words(edge) || "is mentioned together with";

    const told = (id) => {
      const one = model.communities.get(id);
      if (one) return `${titled(id)}: a community of ${one.size} entities. Enter opens it.`;
      const node = model.nodes.get(id);
      const joined = model.shownEdges().filter((edge) => edge.source === id || edge.target === id);
      const first = joined
        .slice(0, 4)
        .map((edge) =>
          edge.source === id ? `${joins(edge)} ${name(edge.target)}` : `${name(edge.source)} ${joins(edge)} it`,
        );
      const count = `${joined.length} ${joined.length === 1 ? "relation" : "relations"} shown`;
      const some = first.length ? `: ${first.join("; ")}` : "";
      const more = node.hidden ? ` ${node.hidden} more not shown.` : "";
      return `${node.name}, ${node.type}. ${count}${some}.${more}`;
    };

    // The rows of what is chosen are marked, as its edges are.
    const rows = () => {
      for (const row of document.querySelectorAll("#same tr[data-edge]")) {
        const { from, to, edge } = row.dataset;
        row.classList.toggle("lit", model.chosen !== null && (from === model.chosen || to === model.chosen));
        row.classList.toggle("picked", edge === model.edge);
        row.hidden = !model.shown(from) || !model.shown(to);
      }
    };

    const read = (address) => htmx.ajax("GET", address, { source: "#panel", target: "#panel" });
    const side = (id) => {
      const as_of = query().get("as_of");
      const address = model.communities.has(id)
        ? canvas.dataset.community.replace("/0/", `/${id}/`)
        : canvas.dataset.panel.replace("0000000000000000", id);
      read(as_of ? `${address}?as_of=${encodeURIComponent(as_of)}` : address);
    };

    const choose = (id, { quiet = false, panel = true } = {}) => {
      if (id !== null && !model.shown(id)) return;
      model.chosen = id;
      model.byHand = !quiet && id !== null;
      model.edge = null;
      rows();
      page.focus();
      if (!quiet) say(id === null ? "Nothing selected." : told(id));
      put({ at: model.overview || model.communities.has(id) ? null : id });
      if (id !== null && panel) side(id);
      if (id === null)
        document.querySelector("#panel").replaceChildren(document.querySelector("#panel-none").content.cloneNode(true));
    };

    const light = (id) => {
      model.edge = id;
      rows();
      page.stage.draw();
      if (id === null) return;
      const edge = model.edges.get(id);
      say(`${name(edge.source)} ${joins(edge)} ${name(edge.target)}${edge.state === "held" ? "" : `, ${edge.state}`}.`);
      const row = document.querySelector(`#same tr[data-edge="${CSS.escape(id)}"]`);
      if (row && !row.contains(document.activeElement)) reveal(row);
    };

    // Scrolls the table, never the page.
    const reveal = (row) => {
      const [pan, head] = [row.closest(".pan"), row.closest("table").tHead.offsetHeight];
      if (row.offsetTop < pan.scrollTop + head) pan.scrollTop = row.offsetTop - head;
      else if (row.offsetTop + row.offsetHeight > pan.scrollTop + pan.clientHeight)
        pan.scrollTop = row.offsetTop + row.offsetHeight - pan.clientHeight;
    };

    // Brings what is chosen into sight, near enough that it is drawn by itself.
    const show = (id) => {
      const one = model.nodes.get(id) ?? model.communities.get(id);
      const around = model.communities.get(model.nodes.get(id)?.community);
      if (one)
        page.stage.reveal(one.x, one.y, around && !model.isOpen(around, page.stage.unit()) ? model.unitOf(around) : 0);
    };

    return { name, rows, side, choose, light, show };
  };

  // ── what changes the scene

  parts.changing = (page) => {
    const { model, canvas, say } = page;
    let asking = 0;

    const complain = (text) => dispatchEvent(new CustomEvent("toast", { detail: { text } }));
    const headers = { Accept: "application/json", "X-Space": canvas.dataset.space };

    const take = (scene) => {
      model.hidden = new Set(list("hide"));
      model.only = new Set(list("types"));
      model.off = new Set(list("off"));
      model.take(scene);
      page.shape();
    };

    // What stands beside the drawing, for the scene that the address asks for.
    const beside = () =>
      htmx
        .ajax("GET", `${canvas.dataset.beside}${location.search}`, {
          source: "#canvas",
          target: "#canvas",
          swap: "none",
        })
        .then(page.rows);

    // The scene that the address asks for; with it whatever stands beside the drawing. The last one asked for counts.
    const load = async ({ besides = true, whole = false } = {}) => {
      const mine = ++asking;
      canvas.setAttribute("aria-busy", "true");
      try {
        const answer = await fetch(`${canvas.dataset.scene}${location.search}`, { headers });
        if (mine !== asking) return;
        if (!answer.ok) {
          complain("The graph could not be drawn. Reload the page.");
          return;
        }
        take(await answer.json());
        if (whole) page.fit();
        else page.stage.draw();
        if (besides) await beside();
        else page.rows();
      } catch {
        if (mine === asking) complain("The app is not responding. Is it still running? Nothing was changed.");
      } finally {
        if (mine === asking) canvas.removeAttribute("aria-busy");
      }
    };

    // The members of a community of the overview, once they have room.
    const admit = async (id) => {
      const one = model.communities.get(id);
      if (!one || one.asked) return;
      one.asked = true;
      const asked = new URLSearchParams({ community: id, limit: "150" });
      for (const name of ["as_of", "once", "inherited_from"]) if (query().has(name)) asked.set(name, query().get(name));
      try {
        const answer = await fetch(`${canvas.dataset.scene}?${asked}`, { headers });
        if (!answer.ok || model.communities.get(id) !== one) return;
        model.admit(id, await answer.json());
        page.shape();
        page.stage.draw();
      } catch {
        one.asked = false;
      }
    };

    // A community opens into its members where it stands.
    const open = (id) => {
      const one = model.communities.get(id);
      if (model.overview) admit(id);
      const { x, y, r } = one;
      page.stage.flyTo(
        model.overview ? { left: x - r, right: x + r, top: y - r, bottom: y + r } : model.bounds(one.members),
        model.unitOf(one),
      );
    };

    const expand = async (id) => {
      if (model.communities.has(id)) {
        if (model.isOpen(model.communities.get(id), page.stage.unit())) go({ community: id });
        else open(id);
        return;
      }
      const node = model.nodes.get(id);
      if (!node) return;
      if (model.overview) {
        go({ start: id });
        return;
      }
      if (!node.hidden) {
        say(`All neighbours of ${node.name} are already shown.`);
        return;
      }
      const before = model.nodes.size;
      put({ more: [...new Set([...list("more"), id])] });
      await load();
      const came = model.nodes.size - before;
      say(came > 0 ? `${came} more around ${node.name}.` : `Nothing more around ${node.name}.`);
    };

    const hide = (id) => {
      if (model.overview || !model.nodes.has(id) || !model.shown(id)) return;
      const spots = page.drawn().spots.values();
      const near = [...spots]
        .filter((one) => one.id !== id)
        .map((one) => ({
          id: one.id,
          far: Math.hypot(one.x - page.drawn().spots.get(id)?.x, one.y - page.drawn().spots.get(id)?.y),
        }))
        .sort((a, b) => a.far - b.far)[0];
      put({ hide: [...new Set([...list("hide"), id])], at: null });
      model.hidden.add(id);
      page.shape();
      page.choose(near?.id ?? null, { quiet: true });
      say(`${page.name(id)} is hidden.`);
      load();
    };

    // What the legend narrows is drawn at once; the server's word on it follows.
    const sifted = (name, values) => {
      put({ [name]: values });
      model.sift();
      page.shape();
      if (model.chosen && !model.shown(model.chosen)) page.choose(null, { quiet: true });
      page.stage.draw();
      page.rows();
    };

    // Only this type; the same again, all of them. With `more`, this type besides those that are chosen.
    const isolate = (type, more) => {
      const every = Object.keys(model.types);
      let only = new Set(model.only);
      const had = only.has(type);
      if (!more) only = new Set(had && only.size === 1 ? [] : [type]);
      else if (!only.delete(type)) only.add(type);
      if (only.size === every.length) only.clear();
      model.only = only;
      for (const button of document.querySelectorAll("[data-type]"))
        button.setAttribute("aria-pressed", String(only.has(button.dataset.type)));
      sifted("types", [...only]);
      say(only.size ? `Only ${[...only].join(", ")}.` : "All types.");
      if (!model.overview) load();
    };

    const turn = (kind) => {
      if (!model.off.delete(kind)) model.off.add(kind);
      const off = model.off.has(kind);
      for (const button of document.querySelectorAll("[data-kind]"))
        button.setAttribute("aria-pressed", String(!model.off.has(button.dataset.kind)));
      sifted("off", [...model.off]);
      say(`${kind.replaceAll("_", " ")}: ${off ? "hidden" : "shown"}.`);
      beside();
    };

    // Two marks make a path: the first key marks, the second, elsewhere, finds.
    const mark = () => {
      if (!model.nodes.has(model.chosen)) {
        document.querySelector("#find-path").showPopover();
        return;
      }
      if (model.marked && model.marked !== model.chosen) {
        go({ path: `${model.marked},${model.chosen}` });
        return;
      }
      model.marked = model.marked ? null : model.chosen;
      say(model.marked ? `From ${page.name(model.marked)}. Select another one and press p again.` : "Mark removed.");
      page.stage.draw();
    };

    const clear = () => {
      if (model.marked) {
        model.marked = null;
        page.stage.draw();
      } else if (model.edge) page.light(null);
      else if (model.chosen) page.choose(null);
      else if (query().has("path")) go({});
      else page.fit();
    };

    // To another moment, or with null to now. `besides`: what stands beside the drawing follows.
    const travel = async (when, { besides = true } = {}) => {
      put({ as_of: when && `${when.toISOString().slice(0, 16)}Z` });
      await load({ besides });
      if (besides) dispatchEvent(new Event("clock-moved"));
      if (model.chosen && besides) page.side(model.chosen);
    };

    return { load, beside, admit, open, expand, hide, isolate, turn, mark, clear, travel };
  };
})();
