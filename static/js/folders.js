// The field for a folder: what it may go on to stands beneath it. The arrows move along, Enter takes the marked folder
// and shows what is in it, Escape closes the list; without a marked folder Enter sends the form.
(() => {
  const box = document.querySelector("[data-folders]");
  if (!box) return;
  const field = box.querySelector("input");
  const list = box.querySelector("[role=listbox]");
  const options = () => [...list.querySelectorAll("[role=option]")];
  const current = () => list.querySelector("[aria-selected=true]");
  let marked = ""; // the path that the arrows stand on: an answer that comes late draws the list anew
  let left = true; // the field has lost the focus, or Escape was pressed: what comes now opens nothing

  const point = (one) => {
    current()?.setAttribute("aria-selected", "false");
    one?.setAttribute("aria-selected", "true");
    marked = one?.dataset.path ?? "";
    one?.scrollIntoView({ block: "nearest" });
    if (one) field.setAttribute("aria-activedescendant", one.id);
    else field.removeAttribute("aria-activedescendant");
  };
  const show = (is) => {
    list.hidden = !is || !options().length;
    field.setAttribute("aria-expanded", String(!list.hidden));
    if (list.hidden || !current()) point(null);
  };
  const take = ({ dataset }) => {
    field.value = dataset.path;
    left = false;
    point(null);
    htmx.trigger(field, "chosen");
  };

  field.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      left = false;
      if (list.hidden) show(true);
      const all = options();
      const at = all.indexOf(current()) + by;
      point(all[at < -1 ? all.length - 1 : at % all.length] ?? null);
    } else if (event.key === "Enter" && !list.hidden && current()) {
      event.preventDefault();
      take(current());
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      event.stopPropagation();
      left = true;
      show(false);
    }
  });
  field.addEventListener("input", () => {
    left = false;
    point(null);
  });
  field.addEventListener("focus", () => {
    left = false;
    show(true);
  });
  field.addEventListener("blur", () => {
    left = true;
    show(false);
  });
  list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
  list.addEventListener("click", (event) => {
    const one = event.target.closest("[role=option]");
    if (one) take(one);
  });
  addEventListener("htmx:afterSwap", (event) => {
    if (event.target !== list) return;
    const before = options().find((one) => marked && one.dataset.path === marked);
    show(!left && document.activeElement === field);
    if (before && !list.hidden) point(before);
  });
})();
