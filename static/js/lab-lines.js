// Where a result of one column stands in the next: lines between neighbours, drawn from where the results are. The same
// memory lights up everywhere. A dashed tail: the other column does not show it.
(() => {
  const lab = (window.lab ??= {});
  let lit = "";

  const put = (svg, name, attributes) => {
    const made = document.createElementNS(svg.namespaceURI, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    svg.append(made);
  };

  const middles = (lane, top) =>
    new Map(
      [...lane.querySelectorAll("[data-memory]")]
        .map((hit) => [hit.dataset.memory, hit.getBoundingClientRect()])
        .map(([id, box]) => [id, Math.round(box.top + box.height / 2 - top)]),
    );

  const between = (gap) => {
    const svg = gap.querySelector("svg");
    svg.replaceChildren();
    const box = gap.getBoundingClientRect();
    const beside = [gap.previousElementSibling, gap.nextElementSibling];
    if (!box.width || !box.height || beside.some((lane) => !lane?.querySelector(".hits"))) return;
    svg.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    const [left, right] = beside.map((lane) => middles(lane, box.top));
    const [w, half] = [box.width, box.width / 2];
    const mark = (id) => (id === lit ? "lit" : "");
    for (const [id, y] of left) {
      const to = right.get(id);
      const out = to === undefined;
      put(svg, "path", {
        d: out
          ? `M2 ${y}C${half - 4} ${y} ${half - 6} ${y + 26} ${half} ${y + 36}`
          : `M2 ${y}C${half + 2} ${y} ${half - 2} ${to} ${w - 2} ${to}`,
        "data-line": id,
        class: `${out ? "out" : ""} ${mark(id)}`,
      });
      if (out) continue;
      put(svg, "circle", { cx: 2, cy: y, r: 2.5, "data-line": id, class: mark(id) });
      put(svg, "circle", { cx: w - 2, cy: to, r: 2.5, "data-line": id, class: mark(id) });
    }
    for (const [id, y] of right) {
      if (!left.has(id))
        put(svg, "path", {
          d: `M${half} ${y - 36}C${half + 6} ${y - 26} ${half + 4} ${y} ${w - 2} ${y}`,
          "data-line": id,
          class: `out ${mark(id)}`,
        });
    }
    const chosen = [...svg.querySelectorAll(".lit")];
    svg.append(...chosen); // above the others
  };

  lab.draw = () => document.querySelectorAll("#lab > .bumps").forEach(between);

  lab.light = (id) => {
    if (id === lit) return;
    lit = id;
    document
      .querySelectorAll("#lab [data-memory]")
      .forEach((hit) => hit.classList.toggle("lit", hit.dataset.memory === id));
    document
      .querySelectorAll("#lab [data-line]")
      .forEach((line) => line.classList.toggle("lit", line.dataset.line === id));
  };
  lab.relight = () => {
    const id = lit;
    lit = "";
    lab.light(id);
  };
  lab.lit = () => lit;

  const of = (event) => event.target.closest?.("#lab [data-memory]")?.dataset.memory;
  addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse" && of(event)) lab.light(of(event));
  });
  addEventListener("focusin", (event) => {
    if (of(event)) lab.light(of(event));
  });
  addEventListener("click", (event) => {
    if (of(event)) lab.light(of(event));
  });
})();
