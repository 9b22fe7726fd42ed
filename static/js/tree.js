// The tree: branches open and close, and stay so in this browser; what lies deeper is asked for when its branch opens;
// one line is current, and it keeps the focus when the tree is drawn anew.
(() => {
  const parts = (window.contextTree ??= {});
  const page = () => document.querySelector("#tree");
  const every = () => [...document.querySelectorAll("#branch .twig")];
  const root = () => page()?.dataset.root ?? "/tree/";

  const pathOf = (twig) =>
    twig.matches("[data-more]") ? "" : decodeURIComponent(new URL(twig.href).pathname).slice(root().length);
  const twigOf = (path) => every().find((twig) => !twig.matches("[data-more]") && pathOf(twig) === path);
  const group = (twig) => twig.parentElement.querySelector(":scope > [role=group]");
  const above = (twig) =>
    twig.parentElement.closest("[role=group]")?.parentElement.querySelector(":scope > .twig") ?? null;
  const seen = () => every().filter((twig) => twig.offsetParent);
  const here = () => document.querySelector("#node [data-path]")?.dataset.path ?? "";

  const key = () => `tree:${page()?.dataset.space}`;
  const kept = () => {
    try {
      return JSON.parse(localStorage.getItem(key())) ?? {};
    } catch {
      return {};
    }
  };
  const keep = (path, open) => {
    const all = { ...kept(), [path]: open };
    const paths = Object.keys(all);
    if (paths.length > 500) delete all[paths[0]];
    localStorage.setItem(key(), JSON.stringify(all));
  };

  const fill = async (list, address) => {
    const asked = new URLSearchParams(location.search).get("as_of");
    const url = new URL(address, location.href);
    if (asked) url.searchParams.set("as_of", asked);
    await htmx.ajax("GET", url.pathname + url.search, { source: page(), target: list, swap: "beforeend" });
    const there = new Set();
    for (const twig of list.querySelectorAll(":scope > li > .twig")) {
      if (there.has(twig.href)) twig.parentElement.remove();
      there.add(twig.href);
    }
  };

  const open = async (twig, to = true, { remember = true } = {}) => {
    const list = group(twig);
    if (!list) return;
    twig.setAttribute("aria-expanded", to);
    list.hidden = !to;
    if (remember) keep(pathOf(twig), to);
    if (to && list.matches("[data-later]")) {
      list.removeAttribute("data-later");
      await fill(list, `${page().dataset.branch}?of=${encodeURIComponent(pathOf(twig))}`);
      settle();
    }
  };

  const more = async (twig) => {
    const list = twig.closest("ul");
    const from = list.children.length - 1;
    twig.parentElement.remove();
    await fill(list, twig.href);
    settle();
    list.children[from]?.querySelector(".twig")?.focus();
  };

  // One line can be reached with the tabulator: the one that had the focus, else the current one, else the first.
  let focused = null;
  const settle = () => {
    const at = here();
    for (const twig of every()) {
      if (!twig.matches("[data-more]") && pathOf(twig) === at) twig.setAttribute("aria-current", "true");
      else twig.removeAttribute("aria-current");
      twig.tabIndex = -1;
      if (page()?.matches("[data-may]")) twig.draggable = !twig.matches(".more, .missing");
    }
    const first = (focused && twigOf(focused)) || twigOf(at) || every()[0];
    if (first) first.tabIndex = 0;
    parts.mark?.();
  };

  const restore = () => {
    parts.unfold?.();
    for (const [path, to] of Object.entries(kept())) {
      const twig = twigOf(path);
      if (twig && group(twig) && (to || !here().startsWith(`${path}/`))) open(twig, to, { remember: false });
    }
    settle();
    parts.sight(every().find((twig) => twig.matches(".reached")) ?? twigOf(here()));
  };

  const show = (path) => {
    for (let twig = twigOf(path) && above(twigOf(path)); twig; twig = above(twig))
      open(twig, true, { remember: false });
  };

  // Everything is drawn anew where it stands; while somebody edits, only the tree.
  const again = async (saved) => {
    const editing = document.querySelector("[data-edit-node]") && !saved;
    const target = editing ? "#branch" : page() ? "#tree" : "#main"; // the first node makes a page of the empty one
    const had = document.activeElement?.closest?.("#branch .twig");
    await htmx.ajax("GET", location.pathname + location.search.replace(/([?&])(edit|split)=1&?/g, "$1"), {
      target,
      select: `${target} > *`,
      selectOOB: `${page() ? "#tree-head:outerHTML," : ""}#rail:outerHTML`,
    });
    restore();
    if (had) twigOf(pathOf(had))?.focus();
  };

  Object.assign(parts, { page, every, pathOf, twigOf, group, above, seen, here, open, more, show, settle, root, key });
  parts.focus = (twig) => {
    if (twig) {
      focused = pathOf(twig);
      settle();
      twig.focus();
    }
  };

  addEventListener("tree-changed", (event) => {
    for (const one of document.querySelectorAll(".pop:popover-open:not(#why)")) one.hidePopover();
    again(event.detail?.saved);
  });
  addEventListener("focusin", (event) => {
    const twig = event.target.closest?.("#branch .twig");
    if (twig) focused = pathOf(twig);
  });
  addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id !== "node") return;
    show(here());
    settle();
  });
  addEventListener("htmx:historyRestore", restore);
  addEventListener("DOMContentLoaded", restore);
})();
