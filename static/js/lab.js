// The search lab: reads what the page carries, keeps the marks, and puts its parts in step after every swap.
(() => {
  const lab = (window.lab ??= {});
  const MOST = 100; // marks that an address, and a golden query, can hold
  const page = () => document.querySelector("#lab");
  const top = () => Number(page().dataset.top);
  const lanes = () => [...page().querySelectorAll(":scope > .lane")];
  let columns = {}; // by number, as lab.column gives them
  let orders = {}; // ids by number, best first
  const marks = new Set();

  lab.titles = () => JSON.parse(document.querySelector("#lab-titles")?.textContent || "{}");

  const read = () => {
    columns = {};
    orders = {};
    for (const lane of lanes()) {
      const told = lane.querySelector(".found > script[type='application/json']");
      delete lane.known;
      if (!told) continue;
      const column = lab.column(JSON.parse(told.textContent));
      columns[lane.dataset.lane] = column;
      orders[lane.dataset.lane] = column.rows.map((row) => row.id);
    }
  };

  lab.rerank = (n, weigh) => {
    const column = columns[n];
    if (!column) return;
    const plan = lab.dialled(weigh, column);
    const ranked = lab.ranked(column, plan);
    orders[n] = ranked.map((row) => row.id);
    lab.show(document.querySelector(`#lane-${n}`), column, plan, ranked, top());
    measure();
  };

  const measure = () => lab.measure(marks, (n) => orders[n] ?? [], top());

  lab.marked = () =>
    page()
      .querySelectorAll("[data-memory]")
      .forEach((hit) => {
        const on = marks.has(hit.dataset.memory);
        hit.classList.toggle("relevant", on);
        hit.querySelector(".tick").setAttribute("aria-pressed", on);
      });

  const mark = (id) => {
    if (!id || (marks.size >= MOST && !marks.has(id))) return;
    if (!marks.delete(id)) marks.add(id);
    lab.marked();
    measure();
    lab.remember(marks);
  };

  addEventListener("click", (event) => {
    const tick = event.target.closest("#lab .tick");
    if (tick) mark(tick.closest("[data-memory]").dataset.memory);
    else if (event.target.closest("[data-mark-lit]")) mark(lab.lit());
  });

  // What a popover of the whole page is about stands beside the button that opens it.
  addEventListener("click", (event) => {
    const weigh = event.target.closest("[data-keep]")?.closest("[data-weigh]");
    if (weigh) document.querySelector("#keep-plan").value = lab.written(weigh);
  });

  // The sum to its last digit is made by the server, when it is asked for.
  addEventListener(
    "toggle",
    (event) => {
      const exact = event.target;
      if (!exact.matches?.("#lab .exact[open]") || exact.childElementCount > 1) return;
      const asked = new URLSearchParams(location.search);
      asked.append("at", exact.closest("[data-lane]").dataset.lane);
      asked.append("id", exact.closest("[data-memory]").dataset.memory);
      lab.plans().forEach((plan, n) => {
        if (!n) asked.delete("column");
        asked.append("column", plan);
      });
      htmx
        .ajax("GET", `${page().dataset.exact}?${asked}`, { source: exact, target: exact, swap: "beforeend" })
        .then(lab.draw);
    },
    true,
  );

  // Another plan is another page: its dials are others.
  addEventListener("change", (event) => {
    if (event.target.matches?.("select[data-plan]")) event.target.form.requestSubmit();
  });

  addEventListener(
    "toggle",
    (event) => {
      if (event.target.closest?.("#lab")) lab.draw();
    },
    true,
  );
  const sized = new ResizeObserver(() => lab.draw());
  document.fonts?.ready.then(() => lab.draw());

  addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id === "agreed") {
      read();
      lab.marked();
      measure();
      lab.relight();
      lab.draw();
    }
    lab.keep();
  });
  addEventListener("htmx:pushedIntoHistory", lab.keep);
  addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful && event.detail.elt.matches?.("form[data-closes]"))
      event.detail.elt.closest("[popover]").hidePopover();
  });

  // The page as it was loaded, or as going back brought it.
  const start = () => {
    if (!page()) return;
    marks.clear();
    new URLSearchParams(location.search).getAll("rel").forEach((id) => marks.add(id));
    sized.disconnect();
    sized.observe(page());
    read();
    lab.draw();
    lab.keep();
  };
  addEventListener("htmx:historyRestore", start);
  start();
})();
