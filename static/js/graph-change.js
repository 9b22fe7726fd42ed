// What changes the scene: more around an entity, less of it, a type put aside, a path, another day.
(() => {
  const parts = (window.explorer ??= {});

  // page: {model, stage, canvas, say, shape, fit, choose, light, rows, side, name}
  parts.changing = (page) => {
    const { model, canvas, say } = page;
    const { query, list, put, go } = parts.address;
    let asking = 0;

    const complain = (text) => dispatchEvent(new CustomEvent("toast", { detail: { text } }));

    const take = (scene) => {
      model.take(scene);
      model.hidden = new Set(list("hide"));
      const on = list("types");
      model.off = new Set(on.length ? Object.keys(model.types).filter((type) => !on.includes(type)) : []);
      page.shape();
    };

    // The scene that the address asks for; with it whatever stands beside the drawing. The last one asked for counts.
    const load = async ({ beside = true, whole = false } = {}) => {
      const mine = ++asking;
      canvas.setAttribute("aria-busy", "true");
      try {
        const headers = { Accept: "application/json", "X-Space": canvas.dataset.space };
        const answer = await fetch(`${canvas.dataset.scene}${location.search}`, { headers });
        if (mine !== asking) return;
        if (!answer.ok) {
          complain("The graph could not be drawn. Reload the page.");
          return;
        }
        take(await answer.json());
        if (whole) page.fit();
        else page.stage.draw();
        if (beside)
          await htmx.ajax("GET", `${canvas.dataset.beside}${location.search}`, {
            source: "#canvas",
            target: "#canvas",
            swap: "none",
          });
        page.rows();
      } catch {
        if (mine === asking) complain("The app is not responding. Is it still running? Nothing was changed.");
      } finally {
        if (mine === asking) canvas.removeAttribute("aria-busy");
      }
    };

    const expand = async (id) => {
      if (model.overview) {
        go({ community: id });
        return;
      }
      const node = model.nodes.get(id);
      if (!node) return;
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
      if (model.overview || !model.shown(id)) return;
      const near = [
        [0, -1],
        [1, 0],
        [0, 1],
        [-1, 0],
      ]
        .map((way) => model.towards(...way))
        .find((one) => one && one.id !== id);
      put({ hide: [...new Set([...list("hide"), id])], at: null });
      model.hidden.add(id);
      page.shape();
      page.choose(near?.id ?? null, { quiet: true });
      say(`${page.name(id)} is hidden.`);
      load();
    };

    const toggle = (type) => {
      const every = Object.keys(model.types);
      const off = new Set(model.off);
      if (!off.delete(type)) off.add(type);
      if (off.size === every.length) {
        say("At least one type must stay visible.");
        return;
      }
      // What the server left out for the filter has to be asked for again.
      const missing = model.off.has(type) && ![...model.nodes.values()].some((node) => node.type === type);
      put({ types: off.size ? every.filter((one) => !off.has(one)) : null });
      model.off = off;
      for (const button of document.querySelectorAll("[data-type]"))
        button.setAttribute("aria-pressed", String(!off.has(button.dataset.type)));
      page.shape();
      if (model.chosen && !model.shown(model.chosen)) page.choose(null, { quiet: true });
      if (missing) load();
      else {
        page.rows();
        page.stage.draw();
      }
      say(`${type} ${off.has(type) ? "hidden" : "shown"}: ${canvas.dataset.nodes} entities.`);
    };

    // Two marks make a path: the first key marks, the second, elsewhere, finds.
    const mark = () => {
      if (!model.chosen || model.overview) {
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
    };

    const travel = (when) => {
      put({ as_of: when && `${when.toISOString().slice(0, 16)}Z` });
      load();
      if (model.chosen) page.side(model.chosen);
    };

    return { load, expand, hide, toggle, mark, clear, travel };
  };
})();
