// Shows a column in a new order: results move to their place, those from below rise into sight, and each tells its new
// sum.
(() => {
  const lab = (window.lab ??= {});
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const FULL = 96; // of 100 units that the greatest sum fills, as in memoryapp/interfaces/search/presenter.py
  const GAP = 0.6;

  const risen = (id) => {
    const made = document.querySelector("#risen").content.firstElementChild.cloneNode(true);
    made.firstElementChild.dataset.memory = id;
    const words = document.querySelector(`#lab [data-memory="${id}"] .words`); // where another column shows it
    if (words) {
      made.querySelector(".words").replaceWith(words.cloneNode(true));
      return made;
    }
    const [line, lang, inherited] = lab.titles()[id] ?? [id, "en", ""];
    made.querySelector(".words").lang = lang;
    const link = made.querySelector("a");
    link.textContent = line;
    link.href =
      document.querySelector("#lab").dataset.memoryPage.replace("0000000000000000", id) +
      (inherited ? `?space=${encodeURIComponent(inherited)}` : "");
    return made;
  };

  const bars = (svg, column, row, most) => {
    svg.replaceChildren();
    let x = 0;
    column.parts
      .map((_, n) => n)
      .sort((a, b) => column.order[a] - column.order[b])
      .forEach((n) => {
        if (row.shares[n] <= 0) return;
        const width = (row.shares[n] / most) * FULL;
        const bar = document.createElementNS(svg.namespaceURI, "rect");
        Object.entries({
          class: `d${column.hues[n]}`,
          x: x.toFixed(1),
          width: Math.max(width - GAP, 0.4).toFixed(1),
        }).forEach(([name, value]) => bar.setAttribute(name, value));
        svg.append(bar);
        x += width;
      });
  };

  const retell = (item, column, plan, row, rank, most) => {
    item.querySelector(".rank").textContent = rank;
    const formula = item.querySelector(".formula");
    formula.firstChild.nodeType === Node.TEXT_NODE
      ? (formula.firstChild.data = lab.formula(column, plan, row))
      : formula.prepend(lab.formula(column, plan, row));
    formula.querySelector("b").textContent = row.score.toFixed(5);
    bars(item.querySelector(".share"), column, row, most);
    // What was told of the old place and the old sum holds no longer; the server's answer tells it anew.
    item.querySelectorAll(".beside, .exact").forEach((told) => told.classList.add("past"));
  };

  // `lane`: the column's element; `ranked`: as lab.ranked gives it.
  lab.show = (lane, column, plan, ranked, top) => {
    const list = lane.querySelector(".hits");
    if (!list) return;
    const known = (lane.known ??= new Map());
    const before = new Map();
    for (const item of list.children) {
      known.set(item.firstElementChild.dataset.memory, item);
      before.set(item, item.getBoundingClientRect().top);
    }
    const shown = ranked.slice(0, top);
    const most = Math.max(...shown.map((row) => row.sum), 0) || 1;
    const focused = document.activeElement;
    const items = shown.map((row, n) => {
      const item = known.get(row.id) ?? risen(row.id);
      retell(item, column, plan, row, n + 1, most);
      return item;
    });
    list.replaceChildren(...items);
    if (focused?.isConnected) focused.focus({ preventScroll: true });
    lab.marked();
    lab.draw();
    if (still.matches) return;
    items.forEach((item) => {
      const by = before.has(item) ? before.get(item) - item.getBoundingClientRect().top : 0;
      if (by)
        item.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], {
          duration: 220,
          easing: "cubic-bezier(0.2, 0, 0, 1)",
        });
      else if (!before.has(item)) item.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 220 });
    });
  };
})();
