// The search within the drawing: names as one types, with nothing typed those that came last and those joined best. An
// entity that is drawn is chosen where it stands; any other becomes the start of a scene of its own.
(() => {
  const parts = (window.explorer ??= {});

  parts.finding = (page) => {
    const field = document.querySelector("#seek");
    const names = document.querySelector("#seek-names");
    if (!field) return;
    const options = () => [...names.querySelectorAll("[role=option]")];
    const current = () => names.querySelector("[aria-selected=true]");

    const show = (is) => {
      names.hidden = !is || !options().length;
      field.setAttribute("aria-expanded", String(!names.hidden));
      if (names.hidden) point(null);
    };
    const point = (one) => {
      current()?.setAttribute("aria-selected", "false");
      one?.setAttribute("aria-selected", "true");
      one?.scrollIntoView({ block: "nearest" });
      if (one) field.setAttribute("aria-activedescendant", one.id);
      else field.removeAttribute("aria-activedescendant");
    };
    const pick = ({ dataset }) => {
      const { entity } = dataset;
      if (!entity) {
        field.form.requestSubmit();
        return;
      }
      if (!page.model.shown(entity)) {
        parts.address.go({ start: entity });
        return;
      }
      show(false);
      field.value = "";
      field.dispatchEvent(new Event("search")); // what is offered next begins anew
      page.choose(entity);
      page.show(entity);
      page.box.focus({ preventScroll: true });
    };

    field.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      if (["ArrowDown", "ArrowUp"].includes(event.key)) {
        event.preventDefault();
        if (names.hidden) show(true);
        const all = options();
        const at = all.indexOf(current()) + (event.key === "ArrowDown" ? 1 : -1);
        point(all[at < -1 ? all.length - 1 : at % all.length] ?? null);
      } else if (event.key === "Enter" && (current() ?? (field.value.trim() && options()[0]))) {
        event.preventDefault();
        pick(current() ?? options()[0]);
      } else if (event.key === "Escape") {
        event.stopPropagation();
        if (names.hidden && !field.value) page.box.focus({ preventScroll: true });
        else if (names.hidden) field.value = "";
        show(false);
      }
    });
    field.addEventListener("focus", () => show(true));
    field.addEventListener("blur", () => setTimeout(() => show(false), 120)); // a press on a name comes first
    names.addEventListener("pointerdown", (event) => event.preventDefault());
    names.addEventListener("click", (event) => {
      const one = event.target.closest("[role=option]");
      if (one) pick(one);
    });
    addEventListener("htmx:afterSwap", (event) => {
      if (event.target !== names) return;
      show(document.activeElement === field);
      const count = options().filter((one) => one.dataset.entity).length;
      if (field.value.trim()) page.say(`${count} ${count === 1 ? "name" : "names"} found.`);
    });
  };
})();
