// The tree with the keyboard, as trees have it: arrows go, open and close; letters find; Alt with an arrow reorders.
(() => {
  const parts = (window.contextTree ??= {});
  let typed = "";
  let last = 0;

  const step = (twig, by) => {
    const all = parts.seen();
    parts.focus(all[all.indexOf(twig) + by]);
  };
  const expanded = (twig) => twig.getAttribute("aria-expanded");

  const right = async (twig) => {
    if (expanded(twig) === "false") await parts.open(twig);
    else if (expanded(twig) === "true") parts.focus(parts.group(twig).querySelector(".twig"));
  };
  const left = (twig) => (expanded(twig) === "true" ? parts.open(twig, false) : parts.focus(parts.above(twig)));

  const find = (twig, letter) => {
    typed = Date.now() - last < 700 ? typed + letter : letter;
    last = Date.now();
    const all = parts.seen();
    const from = all.indexOf(twig) + (typed.length > 1 ? 0 : 1);
    const names = (one) => one.querySelector(".clip").textContent.trim().toLowerCase();
    parts.focus([...all.slice(from), ...all.slice(0, from)].find((one) => names(one).startsWith(typed)));
  };

  const leave = () => document.querySelector("#branch h2 a")?.focus();
  const editing = (twig) => {
    if (!document.querySelector("[data-press=m]") && !parts.page().matches("[data-may]")) return;
    if (twig.matches("[aria-current]")) document.querySelector("[data-edit]")?.click();
    else location.assign(`${twig.href}?edit=1`);
  };
  const moving = (twig) => {
    if (!parts.page().matches("[data-may]") || twig.matches(".missing, .more")) return;
    htmx
      .ajax("GET", parts.moveOf(parts.pathOf(twig)), { source: parts.page(), target: "#tree-do" })
      .then(() => document.querySelector("#tree-do").showPopover());
  };

  const acts = {
    ArrowDown: (twig) => step(twig, 1),
    ArrowUp: (twig) => step(twig, -1),
    ArrowRight: right,
    ArrowLeft: left,
    Home: () => parts.focus(parts.seen()[0]),
    End: () => parts.focus(parts.seen().at(-1)),
    " ": (twig) => twig.click(),
    "*": (twig) =>
      [...twig.closest("ul").querySelectorAll(":scope > li > .twig[aria-expanded=false]")].forEach((one) =>
        parts.open(one),
      ),
    e: editing,
    m: moving,
    Escape: leave,
  };

  // Before the keys of every page, so that "e" and "m" mean the line that has the focus.
  addEventListener(
    "keydown",
    (event) => {
      const twig = event.target.closest?.("#branch .twig");
      if (!twig || event.ctrlKey || event.metaKey || event.isComposing) return;
      if (event.altKey) {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!by || !parts.page().matches("[data-may]")) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        parts.shift?.(twig, by);
        return;
      }
      const act =
        acts[event.key] ??
        (/^[\p{L}\p{N}]$/u.test(event.key) && event.shiftKey ? (one) => find(one, event.key.toLowerCase()) : null);
      if (!act) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      act(twig);
    },
    true,
  );

  // The arrow of a branch folds it; the name beside it opens the node.
  addEventListener(
    "click",
    (event) => {
      const twig = event.target.closest?.("#branch .twig");
      if (!twig || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const more = twig.matches("[data-more]");
      if (!more && !event.target.closest(".fold")) {
        if (expanded(twig) === "false") parts.open(twig);
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
      if (more) parts.more(twig);
      else parts.open(twig, expanded(twig) !== "true");
    },
    true,
  );
})();
