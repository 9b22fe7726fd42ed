// Settings: what was changed is counted and named in the bar that saves it, and alone is sent, so that two who save at
// once keep one another's changes. Each field shows whether it differs from its default and goes back to it by its own
// button. The search narrows the advanced ones by their names and help.
(() => {
  const NAMED = 4; // changes that the bar names; of more it says how many
  const open = new Set(); // groups that stand open while no search narrows them, so that a form drawn anew opens them
  const find = { words: "", changed: false };

  const form = () => document.querySelector("#settings-form");
  const fields = () => [...form().querySelectorAll("[data-saved]")];
  const labelOf = (field) => form().querySelector(`label[for="${field.id}"]`).firstChild.textContent.trim();
  const isChanged = (field) => field.value.trim() !== field.dataset.saved;
  const put = (field, value) => {
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const told = (field, value) => {
    const option = field.options && [...field.options].find((one) => one.value === value);
    return (option ? option.textContent : value).trim() || "empty";
  };

  // The bar: there is one only where something would be saved.
  const drawBar = () => {
    const bar = form().querySelector(".save-bar");
    if (!bar) return;
    const changed = fields().filter(isChanged);
    const named = changed.slice(0, NAMED).map((field) => {
      const change = document.createElement("span");
      const was = document.createElement("s");
      was.textContent = told(field, field.dataset.saved);
      change.append(`${labelOf(field)}: `, was, ` ${told(field, field.value)}`);
      return change;
    });
    if (changed.length > NAMED) named.push(`and ${changed.length - NAMED} more`);
    bar.querySelector("[data-changes]").replaceChildren(...named);
    bar.classList.toggle("on", changed.length > 0);
  };

  const drawDots = () => {
    for (const field of form().querySelectorAll("[data-default]")) {
      const differs = field.value.trim() !== field.dataset.default;
      field.closest("[data-setting]").classList.toggle("changed", differs);
    }
    for (const group of form().querySelectorAll("[data-group]")) {
      const count = group.querySelectorAll("[data-setting].changed").length;
      group.querySelector("[data-changed]").textContent = count ? `${count} changed` : "";
    }
    const chip = form().querySelector("[data-only-changed]");
    chip.querySelector(".n").textContent = form().querySelectorAll("[data-setting].changed").length;
  };

  const isNarrowed = () => Boolean(find.words.trim() || find.changed);
  const isWanted = (field) => {
    const told = [...field.querySelectorAll("label, .hint")].map((one) => one.firstChild.textContent);
    const group = field.closest("[data-group]")?.querySelector("summary").textContent ?? "";
    const text = [...told, field.querySelector("[name]").name, group].join(" ").toLowerCase();
    const words = find.words.toLowerCase().split(/\s+/).filter(Boolean);
    return (!find.changed || field.matches(".changed")) && words.every((word) => text.includes(word));
  };

  const drawFound = () => {
    const narrowed = isNarrowed();
    let count = 0;
    for (const group of form().querySelectorAll("[data-group]")) {
      const inside = [...group.querySelectorAll("[data-setting]")];
      const wanted = inside.filter((field) => !narrowed || isWanted(field));
      inside.forEach((field) => (field.hidden = !wanted.includes(field)));
      group.hidden = !wanted.length;
      group.open = narrowed
        ? wanted.length > 0
        : open.has(group.dataset.group) || Boolean(group.querySelector(".wrong"));
      count += wanted.length;
    }
    const above = [...form().querySelectorAll("#general [data-setting]")].filter(isWanted);
    const names = above.map((field) => labelOf(field.querySelector("[name]"))).join(", ");
    const found = `${count || "No"} advanced ${count === 1 ? "setting" : "settings"}.`;
    form().querySelector("[data-told]").textContent = narrowed
      ? `${found}${names ? ` Under General: ${names}.` : ""}`
      : "";
  };

  const draw = () => {
    if (!form()) return;
    const search = form().querySelector("[data-find]"),
      chip = form().querySelector("[data-only-changed]");
    search.hidden = chip.hidden = false;
    search.value = find.words;
    chip.setAttribute("aria-pressed", find.changed);
    drawBar();
    drawDots();
    drawFound();
  };

  // A field that a link or a message names is shown, whatever hides it.
  const show = (id) => {
    const field = id ? document.getElementById(id) : null;
    const group = field?.closest?.("[data-group]");
    if (!group) return field;
    Object.assign(find, { words: "", changed: false });
    open.add(group.dataset.group);
    draw();
    return field;
  };

  addEventListener("input", (event) => {
    if (!event.target.closest?.("#settings-form")) return;
    drawBar();
    drawDots();
    // Nothing is unsaved any more: nobody needs to be asked before the page is left.
    if (!fields().some(isChanged)) form().dispatchEvent(new Event("reset", { bubbles: true }));
  });
  // What is searched for is no unsaved setting: it goes no further than the form.
  document.addEventListener("input", (event) => {
    if (!event.target.matches?.("[data-find]")) return;
    event.stopPropagation();
    find.words = event.target.value;
    drawFound();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches?.("[data-find]") && event.key === "Enter") event.preventDefault();
    if (!event.target.closest?.("#settings-form")) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form().requestSubmit();
  });

  addEventListener("click", (event) => {
    const target = event.target.closest?.("[data-reset], [data-cancel], [data-only-changed], a[href^='#t-']");
    if (!target?.closest("#settings-form")) return;
    if (target.matches("[data-reset]")) {
      const field = target.closest("[data-setting]").querySelector("[data-default]");
      put(field, field.dataset.default);
      field.focus();
    } else if (target.matches("[data-cancel]")) {
      fields().forEach((field) => (field.value = field.dataset.saved));
      form().querySelector(".note.draft")?.remove();
      form().dispatchEvent(new Event("reset", { bubbles: true }));
      draw();
    } else if (target.matches("[data-only-changed]")) {
      find.changed = !find.changed;
      draw();
    } else {
      event.preventDefault();
      show(target.hash.slice(1))?.focus();
    }
  });

  document.addEventListener(
    "toggle",
    (event) => {
      const group = event.target;
      if (!group.matches("#settings-form [data-group]") || isNarrowed()) return;
      if (group.open) open.add(group.dataset.group);
      else open.delete(group.dataset.group);
    },
    true,
  );

  addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt !== form()) return;
    fields()
      .filter((field) => !isChanged(field))
      .forEach((field) => delete event.detail.parameters[field.name]);
  });
  addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "settings-form") return;
    draw();
    const wrong = form().querySelector("[aria-invalid]");
    if (wrong) wrong.focus();
    else if (document.activeElement === document.body)
      form().querySelector("[data-find]").focus({ preventScroll: true });
  });
  addEventListener("hashchange", () => show(location.hash.slice(1))?.focus());
  addEventListener("DOMContentLoaded", () => {
    draw();
    show(location.hash.slice(1))?.scrollIntoView();
  });
})();
