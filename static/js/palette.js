// The command palette: ctrl-K (cmd-K) anywhere, "/" where a page has no question of its own, or the button in the top
// bar. What is typed stays in the field, which keeps the focus; the arrows move along the list beneath it
// (aria-activedescendant). The list is drawn by the server; the answer to anything but the last word typed is dropped.
const dialog = document.querySelector("#palette");
const field = dialog.querySelector("#palette-q");
const list = dialog.querySelector("#palette-list");
const notes = dialog.querySelector("[data-notes]");
const said = dialog.querySelector("[data-said]");
const mac = /Mac|iPhone|iPad/.test(navigator.userAgentData?.platform ?? navigator.platform);
const WAIT = 120; // ms after the last key
const PATIENCE = 400; // ms until it says that it is still looking
const RECENT = 12;

const storage = `recent ${dialog.dataset.recent}`;
const recent = () => {
  try {
    return JSON.parse(localStorage.getItem(storage)) ?? [];
  } catch {
    return []; // something else wrote there, or storage is off
  }
};
// Only what kind of thing it was and its id: the words come from the server, and are gone when the memory is.
const remember = () => {
  const [, kind, id] = location.pathname.match(/^\/(memories|entities)\/([0-9a-f]{16})\/$/) ?? [];
  if (!id) return;
  const one = `${kind === "memories" ? "memory" : "entity"}:${id}`;
  const kept = [one, ...recent().filter((other) => other !== one)].slice(0, RECENT);
  try {
    localStorage.setItem(storage, JSON.stringify(kept));
  } catch {
    // storage is full or off: then nothing is offered as opened lately
  }
};

let asked = null; // what the list answers; null while it answers nothing
let pending = null; // the request under way
let timer = 0;
let opening = false; // Enter was pressed before the answer was there

const options = () => [...list.querySelectorAll("[role=option]")];
const current = () => list.querySelector("[aria-selected=true]");

const choose = (option, scroll = true) => {
  current()?.setAttribute("aria-selected", "false");
  option?.setAttribute("aria-selected", "true");
  if (option) field.setAttribute("aria-activedescendant", option.id);
  else field.removeAttribute("aria-activedescendant");
  if (scroll) option?.scrollIntoView({ block: "nearest" });
};

const step = (by) => {
  const all = options();
  const at = all.indexOf(current());
  if (all.length) choose(all[(at + by + all.length) % all.length]);
};

const filled = (text) => {
  asked = text;
  list.removeAttribute("aria-busy");
  dialog.classList.remove("slow");
  options().forEach((option, n) => {
    option.id = `palette-option-${n}`;
  });
  choose(options()[0]);
  list.parentElement.scrollTop = 0;
  said.textContent = text ? `${options().length} results` : "";
  if (opening) act(current());
};

const trouble = (text, way) => {
  const note = dialog.querySelector("template").content.cloneNode(true);
  note.querySelector("[data-trouble]").textContent = text;
  const link = note.querySelector("[data-way-out]");
  [link.href, link.textContent] = way;
  notes.replaceChildren(note);
  list.replaceChildren();
  opening = false;
  filled(null);
  said.textContent = text;
};

const ask = async () => {
  const text = field.value.trim().replace(/\s+/g, " ");
  pending?.abort();
  const mine = (pending = new AbortController());
  const query = new URLSearchParams(text ? { q: text } : recent().map((one) => ["recent", one]));
  for (const [name, value] of new URLSearchParams(document.body.dataset.clock)) query.set(name, value);
  const { "X-Space": space } = JSON.parse(document.body.getAttribute("hx-headers"));
  const slow = setTimeout(() => {
    list.setAttribute("aria-busy", "true");
    dialog.classList.add("slow");
    said.textContent = "Searching";
  }, PATIENCE);
  const page = `${field.form.action}?${new URLSearchParams({ q: text })}`;
  try {
    const headers = { "HX-Request": "true", "HX-Current-URL": location.href, "X-Space": space };
    const answer = await fetch(`${dialog.dataset.address}?${query}`, { headers, signal: mine.signal });
    const login = answer.headers.get("HX-Redirect");
    if (login) trouble("Your session ended.", [login, "Sign in"]);
    else if (answer.ok) {
      const html = await answer.text();
      list.replaceChildren();
      htmx.swap(list, html, { swapStyle: "beforeend" });
      notes.replaceChildren(...list.querySelectorAll(":scope > .note")); // a list box holds options alone
      filled(text);
    } else trouble(reason(answer), [page, "Open the search page"]);
  } catch (error) {
    if (error.name !== "AbortError") trouble("The app is not responding. Is it still running?", [page, "Try again"]);
  } finally {
    clearTimeout(slow);
  }
};

const reason = (answer) => {
  try {
    return JSON.parse(answer.headers.get("HX-Trigger")).toast.text;
  } catch {
    return `That did not work (${answer.status}).`;
  }
};

const does = {
  theme: () => document.querySelector("[data-theme-switch]").click(),
  keys: () => document.querySelector("#keys").showPopover(),
  clock: () => document.querySelector("#clock-button").click(),
  now: () => document.querySelector("#asof a").click(),
  "sign-out": () => document.querySelector("[data-sign-out]").requestSubmit(),
  post: ({ dataset }) => {
    const space = JSON.parse(document.body.getAttribute("hx-headers"))["X-Space"];
    htmx.ajax("POST", dataset.address, { source: document.body, swap: "none", values: { space } });
  },
};

const act = (option, aside = false) => {
  opening = false;
  if (!option) return;
  if (option.dataset.does) {
    dialog.close();
    does[option.dataset.does](option);
  } else if (aside) open(option.href, "_blank", "noopener");
  else {
    dialog.close();
    location.assign(option.href);
  }
};

const show = () => {
  if (dialog.open || document.querySelector("dialog:modal")) return;
  document.querySelectorAll("[popover]:popover-open").forEach((one) => one.hidePopover());
  dialog.showModal();
  field.select();
  if (asked === null || !field.value) ask();
};

// "#write" in the address opens what is written with: so an act leads to its form.
const opened = () => {
  const pop = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (!pop?.matches?.("[popover]")) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  const button = document.querySelector(`[popovertarget="${pop.id}"]`); // beside which it stands
  if (button) button.click();
  else pop.showPopover();
};

field.addEventListener("input", () => {
  asked = null;
  opening = false;
  clearTimeout(timer);
  timer = setTimeout(ask, WAIT);
});
field.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  const page = Math.max(1, Math.floor(list.parentElement.clientHeight / 40));
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (steps[event.key]) step(steps[event.key]);
  else if (event.key === "PageDown" || event.key === "PageUp") {
    const all = options();
    const to = all.indexOf(current()) + (event.key === "PageDown" ? page : -page);
    choose(all[Math.max(0, Math.min(all.length - 1, to))]);
  } else return;
  event.preventDefault();
});
// Enter before the answer is there waits for it: what is opened is what one would have seen.
dialog.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const way = notes.querySelector("[data-way-out]");
  if (way) way.click();
  else if (asked === null) opening = true;
  else act(current() ?? list.querySelector("a"));
});
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(mac ? event.metaKey : event.ctrlKey) || event.isComposing) return;
  event.preventDefault();
  act(current(), true);
});
list.addEventListener("pointermove", (event) => {
  const option = event.target.closest("[role=option]");
  if (option && option !== current()) choose(option, false);
});
list.addEventListener("click", (event) => {
  const option = event.target.closest("[data-does]");
  if (option) act(option);
  else if (event.target.closest("a") && !event.metaKey && !event.ctrlKey) dialog.close();
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
});
dialog.addEventListener("close", () => {
  clearTimeout(timer);
  pending?.abort();
  dialog.classList.remove("slow");
  opening = false;
});
addEventListener(
  "keydown",
  (event) => {
    const one = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    if (!one || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k" || event.isComposing) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (dialog.open) dialog.close();
    else show();
  },
  true,
);
addEventListener("click", (event) => {
  if (!event.target.closest("[data-palette]")) return;
  event.preventDefault();
  show();
});
addEventListener("hashchange", opened);

if (mac) {
  document.querySelectorAll("[data-palette-key]").forEach((key) => {
    key.textContent = "⌘ K";
    key.closest("button")?.setAttribute("aria-keyshortcuts", "Meta+K");
  });
  dialog.querySelector("[data-new-tab-key]").textContent = "⌘ ↵";
}
remember();
opened();
