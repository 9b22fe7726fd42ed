// Entities: a pair is decided with a key and the next one is at hand; an edit is saved or left; what has done its work
// closes.
(() => {
  const pairs = () => [...document.querySelectorAll("[data-pair]")];
  let place = 0;

  const at = () =>
    Math.max(
      pairs().findIndex((pair) => pair.classList.contains("at")),
      0,
    );
  const typing = (target) => target.matches?.("input:not([type=checkbox], [type=radio]), textarea, select");

  const stand = () => {
    const all = pairs();
    if (!all.length || all.some((pair) => pair.classList.contains("at"))) return;
    all[Math.min(place, all.length - 1)].classList.add("at");
  };

  addEventListener("keydown", (event) => {
    if (event.metaKey || event.altKey || event.isComposing) return;
    const form = event.target.closest?.("[data-edit-entity]");
    if (form && event.key === "Escape") {
      event.preventDefault();
      form.querySelector("[data-cancel]").click();
    } else if (form && event.key === "Enter" && event.ctrlKey) {
      event.preventDefault();
      form.requestSubmit();
    } else if (
      !window.pageKeys.off() &&
      !event.ctrlKey &&
      !event.repeat &&
      !typing(event.target) &&
      !document.querySelector(".pop:popover-open")
    ) {
      const button = pairs()[at()]?.querySelector(`[data-act="${CSS.escape(event.key)}"]`);
      if (!button) return;
      event.preventDefault();
      button.click();
    }
  });

  addEventListener("graph-changed", () => {
    for (const open of document.querySelectorAll(".pop:popover-open:not(#why)")) open.hidePopover();
  });
  addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target?.id === "list") place = at();
  });
  addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target?.id !== "list") return;
    stand();
    // Whoever decided with the pointer had the focus on a button that is gone: it goes to what comes next.
    if (document.activeElement === document.body)
      pairs()[at()]?.querySelector("[data-open]")?.focus({ preventScroll: true });
  });
  addEventListener("DOMContentLoaded", stand);
})();
