// Dials of a column: moving one writes the plan anew, ranks the column at once, and asks the server a moment later.
(() => {
  const lab = (window.lab ??= {});
  const REST = 400; // milliseconds a dial must rest before the server is asked
  let timer = 0;

  const numbers = (weigh) => [...weigh.querySelectorAll("input[type=range]")];
  const factors = (weigh) =>
    [...weigh.querySelectorAll("input[type=checkbox]")].filter((box) => box.checked).map((box) => box.name);
  const told = (value) => String(Number(Number(value).toFixed(4)));

  // The plan as text (memoryapp/domain/plan.py): what differs from the strategy or profile that it begins with.
  lab.written = (weigh) => {
    const changed = (one) => Math.abs(one.value - one.dataset.was) > 1e-9;
    const own = (names) =>
      numbers(weigh)
        .filter((one) => names(one.name) && changed(one))
        .map((one) => `${one.name}=${told(one.value)}`);
    const is = (name) => name === "speaker_boost" || name === "date_weight";
    const on = factors(weigh).join("+");
    const parts = [
      ...own((name) => !is(name)),
      ...(on === weigh.dataset.factors ? [] : [`factors=${on || "none"}`]),
      ...own(is),
    ];
    return [weigh.dataset.base, ...parts, ...(weigh.dataset.rest ? [weigh.dataset.rest] : [])].join(";");
  };

  // The plan as numbers, for lab.ranked.
  lab.dialled = (weigh, column) => {
    const plan = {
      weights: { ...column.weights },
      numbers: { ...column.numbers },
      k: column.k,
      factors: factors(weigh),
    };
    for (const one of numbers(weigh)) {
      if (one.name === "k") plan.k = Number(one.value);
      else if (one.name in plan.weights) plan.weights[one.name] = Number(one.value);
      else plan.numbers[one.name] = Number(one.value);
    }
    return plan;
  };

  const choose = (select, plan, base) => {
    let own = select.querySelector("[data-own]");
    if (plan === base) {
      own?.remove();
      select.value = base;
      return;
    }
    if (!own) {
      own = new Option(`${base}, changed`);
      own.dataset.own = "";
      select.prepend(own);
    }
    own.value = plan;
    own.selected = true;
  };

  const moved = (weigh) => {
    const n = weigh.dataset.weigh;
    const plan = lab.written(weigh);
    choose(document.querySelector(`#plan-${n}`), plan, weigh.dataset.base);
    lab.rerank(n, weigh);
    clearTimeout(timer);
    timer = setTimeout(answered, REST);
  };

  // Everything but the dials themselves is swapped: a slider under the hand stays where it is.
  const answered = () => {
    timer = 0;
    const parts = [...document.querySelectorAll("#lab > .lane")].flatMap(({ dataset: { lane } }) => [
      `#found-${lane}`,
      `#told-${lane}`,
      `#tools-${lane}`,
    ]);
    const swapped = ["#measured", "#expected", "#titles", ...parts].filter((id) => document.querySelector(id));
    htmx.ajax("GET", lab.address(), {
      source: "#lab",
      target: "#agreed",
      select: "#agreed",
      swap: "outerHTML",
      selectOOB: swapped.map((id) => `${id}:outerHTML`).join(","),
      push: "true",
    });
  };

  // An answer that comes while a dial moves on is older than what is shown.
  addEventListener("htmx:beforeSwap", (event) => {
    if (timer && event.detail.target?.id === "agreed") event.detail.shouldSwap = false;
  });

  addEventListener("input", (event) => {
    const weigh = event.target.closest?.("[data-weigh]");
    if (!weigh) return;
    const output = event.target.parentElement.querySelector("output");
    if (output) output.textContent = told(event.target.value);
    moved(weigh);
  });

  addEventListener("click", (event) => {
    const weigh = event.target.closest?.("[data-back]")?.closest("[data-weigh]");
    if (!weigh) return;
    numbers(weigh).forEach((one) => {
      one.value = one.dataset.was;
      one.parentElement.querySelector("output").textContent = told(one.value);
    });
    weigh.querySelectorAll("input[type=checkbox]").forEach((box) => {
      box.checked = weigh.dataset.factors.split("+").includes(box.name);
    });
    weigh.dataset.rest = "";
    moved(weigh);
  });
})();
