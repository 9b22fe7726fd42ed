// Keys while the drawing or its table has the focus, and presses anywhere that concern the graph.
(() => {
  const parts = (window.explorer ??= {});
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const row = (event) => event.target.closest?.("#same tr[data-edge]");

  parts.keys = (page) => {
    const { model, stage, box } = page;
    const chosen = (act) => () => {
      if (model.chosen) act(model.chosen);
    };
    const keys = {
      Enter: chosen(page.expand),
      Backspace: chosen(page.hide),
      Delete: chosen(page.hide),
      "+": stage.closer,
      "=": stage.closer,
      "-": stage.further,
      0: page.fit,
      f: page.fit,
      p: page.mark,
      s: chosen((id) => (model.overview ? page.expand(id) : parts.address.go({ start: id }))),
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
    const walk = (way) => {
      const next = model.towards(...way);
      if (!next) return;
      page.choose(next.id);
      stage.reveal(next.x, next.y);
    };

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
      closer: stage.closer,
      further: stage.further,
      fit: page.fit,
      now: () => page.travel(null),
      png: page.png,
      svg: page.svg,
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
        page.toggle(type.dataset.type);
        return;
      }
      // A name that is drawn is chosen; one that is not opens as a start, as its link says.
      const link = event.target.closest("a[data-node]");
      if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && model.shown(link.dataset.node)) {
        event.preventDefault();
        page.choose(link.dataset.node);
        stage.reveal(model.nodes.get(link.dataset.node).x, model.nodes.get(link.dataset.node).y);
        return;
      }
      const at = row(event);
      if (at && !event.target.closest("a, button") && model.edges.has(at.dataset.edge))
        page.light(model.edge === at.dataset.edge ? null : at.dataset.edge);
    });
  };
})();
