// Keys that work on every page: "/" search (see palette.js), "?" help, "g" and a letter to go, "j" and "k" along a
// list, "t" the clock, "u" undo.
// Whoever speaks to the browser, or hits keys by accident, can switch them off in the help; what has the focus keeps
// its own.
(() => {
  const pageKeys = (window.pageKeys = { off: () => localStorage.getItem("keys") === "off" });
  const places = {
    h: "/",
    f: "/facts/",
    b: "/inbox/",
    c: "/conflicts/",
    a: "/audit/",
    m: "/memories/",
    s: "/search/",
    i: "/ingest/",
    e: "/episodes/",
    g: "/graph/",
    t: "/tree/",
    n: "/sessions/",
    o: "/jobs/",
    d: "/consolidate/",
    l: "/search/compare/",
  };
  let going = 0;

  const typing = (target) =>
    target.matches?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
  const items = () => [...document.querySelectorAll("[data-item]")].filter((item) => item.offsetParent);
  const current = () => document.querySelector("[data-item].at");

  const step = (by) => {
    const all = items();
    if (!all.length) return;
    const next = all[Math.max(0, Math.min(all.length - 1, all.indexOf(current()) + by))];
    current()?.classList.remove("at");
    next.classList.add("at");
    (next.querySelector("[data-open]") ?? next.querySelector("a"))?.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };

  // What a page gives a key of its own, by data-press; while a popover is open, only what stands in it. What stands in
  // the rows of a list is pressed in the present one.
  const pressed = (key) => {
    const open = [...document.querySelectorAll("[popover]:popover-open:not(#why)")].at(-1);
    return [...(open ?? document).querySelectorAll("[data-press]")].find(
      (one) =>
        one.dataset.press === key &&
        !one.disabled &&
        one.closest("[popover]") === (open ?? null) &&
        [null, current()].includes(one.closest("[data-item]")),
    );
  };

  // While one writes or chooses in a popover, the keys of the page rest; the help opens and closes by its own.
  const resting = (key) =>
    key.length === 1 && key !== "?" && document.querySelector("[popover]:popover-open:not(#why, #keys)");

  const acts = {
    "/": () => {
      const find = document.querySelector("#q");
      if (!find) document.querySelector("[data-palette]")?.click();
      find?.focus();
      find?.select();
    },
    t: () => document.querySelector("#clock-button")?.click(),
    "?": () => document.querySelector("#keys")?.togglePopover(),
    g: () => {
      going = Date.now();
    },
    j: () => step(1),
    k: () => step(-1),
    x: () => current()?.querySelector("input[type=checkbox]")?.click(),
    e: () => (current() ?? document).querySelector("[data-edit]")?.click(),
    r: () => document.querySelector("#why-told")?.focus(),
    u: () => [...document.querySelectorAll("[data-undo]")].at(-1)?.click(),
  };

  // The second key of "g m" goes to a place or, where there is none, does nothing: it is taken before a page's own keys
  // can hear it, where "m" would merge.
  addEventListener(
    "keydown",
    (event) => {
      if (pageKeys.off() || Date.now() - going >= 1500 || event.key.length > 1 || typing(event.target)) return;
      if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.repeat) return;
      going = 0;
      const { clock } = document.body.dataset; // the instant one looks at goes along
      if (places[event.key]) location.assign(`${places[event.key]}${clock ? `?${clock}` : ""}`);
    },
    true,
  );

  addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
    if (typing(event.target) || document.querySelector("dialog:modal")) return;
    if (pageKeys.off() && event.key.length === 1) return;
    const own = pressed(event.key);
    if (own) {
      event.preventDefault();
      if (!event.repeat) own.click();
      return;
    }
    const act = resting(event.key) ? null : acts[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });

  const shown = () =>
    document.querySelectorAll("[data-keys-switch]").forEach((box) => {
      box.checked = !pageKeys.off();
    });
  addEventListener("change", (event) => {
    if (event.target.matches("[data-keys-switch]")) localStorage.setItem("keys", event.target.checked ? "on" : "off");
  });
  addEventListener("DOMContentLoaded", shown);
})();
