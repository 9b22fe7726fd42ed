// What is chosen: in the drawing, in the table, in the panel and in words for whoever hears the page.
(() => {
  const parts = (window.explorer ??= {});

  // page: {model, stage, canvas, say}
  parts.choosing = (page) => {
    const { model, canvas, say } = page;
    const { put, query } = parts.address;
    const name = (id) => model.nodes.get(id)?.name ?? model.communities.get(id)?.names.join(", ") ?? "";
    const joins = (edge) => parts.words(edge) || "is mentioned together with";

    const told = (id) => {
      if (model.overview) return `${name(id)}: ${model.communities.get(id).size} entities. Enter opens it.`;
      const node = model.nodes.get(id);
      const joined = model.shownEdges().filter((edge) => edge.source === id || edge.target === id);
      const first = joined
        .slice(0, 4)
        .map((edge) =>
          edge.source === id ? `${joins(edge)} ${name(edge.target)}` : `${name(edge.source)} ${joins(edge)} it`,
        );
      const count = `${joined.length} ${joined.length === 1 ? "relation" : "relations"} shown`;
      const list = first.length ? `: ${first.join("; ")}` : "";
      const more = node.hidden ? ` ${node.hidden} more not shown.` : "";
      return `${node.name}, ${node.type}. ${count}${list}.${more}`;
    };

    // The rows of what is chosen are marked, as its edges are.
    const rows = () => {
      for (const row of document.querySelectorAll("#same tr[data-edge]")) {
        row.classList.toggle(
          "lit",
          model.chosen !== null && (row.dataset.from === model.chosen || row.dataset.to === model.chosen),
        );
        row.classList.toggle("chosen", row.dataset.edge === model.edge);
        row.hidden = !model.shown(row.dataset.from) || !model.shown(row.dataset.to);
      }
    };

    const side = (id) => {
      const as_of = query().get("as_of");
      const address = canvas.dataset.panel.replace("0000000000000000", id);
      htmx.ajax("GET", as_of ? `${address}?as_of=${encodeURIComponent(as_of)}` : address, {
        source: "#panel",
        target: "#panel",
      });
    };

    const choose = (id, { quiet = false, panel = true } = {}) => {
      if (id !== null && !model.shown(id)) return;
      const twice = model.overview && id !== null && id === model.chosen;
      model.chosen = id;
      model.edge = null;
      rows();
      page.stage.draw();
      if (!quiet) say(id === null ? "Nothing selected." : told(id));
      if (twice && !quiet) parts.address.go({ community: id });
      if (model.overview) return;
      put({ at: id });
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

    return { name, rows, side, choose, light };
  };
})();
