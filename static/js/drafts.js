// What was typed and not yet saved outlives a reload and a session that ended: it is kept in this tab's own storage,
// for the person who typed it, and for nobody who signs in after them. A form that is guarded (data-unsaved) is kept.
(() => {
  const PREFIX = "draft:";
  const STAYS = "textarea, select, input:not([type=hidden], [type=password], [type=file])";
  const person = () => document.body.dataset.person ?? "";
  const space = () => JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-Space"] ?? "";
  const asked = (form) => form.getAttribute("hx-post") ?? `${location.pathname}#${form.id}`;
  const key = (form) => `${PREFIX}${person()}:${space()}:${asked(form)}`;
  const drafts = () => Object.keys(sessionStorage).filter((one) => one.startsWith(PREFIX));
  const forget = (form) => sessionStorage.removeItem(key(form));

  // With the version that the words were typed over: one that is newer by now must not be overwritten unseen.
  const isKept = (one) => one.name && (one.matches(STAYS) || one.name === "version");
  const fields = (form) => [...form.elements].filter(isKept);
  const valueOf = (one) => (one.matches("[type=checkbox], [type=radio]") ? one.checked : one.value);

  const keep = (form) => {
    if (!person()) return;
    const told = fields(form).map((one) => [one.name, valueOf(one)]);
    try {
      sessionStorage.setItem(key(form), JSON.stringify({ page: location.pathname, fields: told }));
    } catch {
      /* Storage that is full or shut keeps nothing; the page itself still guards what was typed. */
    }
  };

  const notice = (form) => {
    const line = Object.assign(document.createElement("p"), { className: "note draft" });
    line.setAttribute("role", "status");
    const drop = document.createElement("button");
    Object.assign(drop, { className: "as-link end", type: "button", textContent: "Discard" });
    const cancel = form.querySelector("[data-cancel]");
    drop.addEventListener("click", () => {
      forget(form);
      line.remove();
      form.reset();
      cancel?.click();
    });
    line.append(
      Object.assign(document.createElement("span"), { textContent: "What you typed here was restored." }),
      drop,
    );
    form.prepend(line);
  };

  // Puts back what was typed, in a form as the server drew it.
  const restore = (form) => {
    const kept = person() && sessionStorage.getItem(key(form));
    if (!kept || form.dataset.draft || form.querySelector("[role=alert]")) return;
    form.dataset.draft = "restored";
    const told = JSON.parse(kept).fields,
      own = fields(form);
    if (told.length !== own.length || told.some(([name], n) => own[n].name !== name)) return forget(form);
    const typed = own.filter((one, n) => one.name !== "version" && valueOf(one) !== told[n][1]);
    if (!typed.length) return forget(form);
    own.forEach((one, n) => {
      if (one.matches("[type=checkbox], [type=radio]")) one.checked = told[n][1];
      else one.value = told[n][1];
    });
    notice(form);
    typed[0].dispatchEvent(new Event("input", { bubbles: true }));
  };

  addEventListener("input", (event) => {
    const form = event.target.closest?.("form[data-unsaved]");
    if (form) keep(form);
  });
  // A cancelled edit is a decision, and so is a sign-out.
  addEventListener("click", (event) => {
    const form = event.target.closest?.("[data-cancel]")?.closest("form[data-unsaved]");
    if (form) forget(form);
  });
  addEventListener("submit", (event) => {
    const out = event.target.matches?.("[data-sign-out]");
    if (out) drafts().forEach((one) => sessionStorage.removeItem(one));
    else if (!event.defaultPrevented && event.target.matches?.("form[data-unsaved]")) forget(event.target);
  });
  addEventListener("htmx:beforeOnLoad", (event) => {
    const form = event.detail.elt.closest?.("form[data-unsaved]");
    if (form === event.detail.elt && event.detail.xhr.status < 300 && form) forget(form);
  });
  const restoreIn = (root) => {
    if (root.matches("form[data-unsaved]")) restore(root);
    root.querySelectorAll("form[data-unsaved]").forEach(restore);
  };
  addEventListener("htmx:load", (event) => restoreIn(event.detail.elt));

  addEventListener("DOMContentLoaded", () => {
    if (!person()) return;
    drafts()
      .filter((one) => !one.startsWith(`${PREFIX}${person()}:`))
      .forEach((one) => sessionStorage.removeItem(one));
    restoreIn(document.body);
    // An edit that was open is opened again, by the button that opens it.
    const mine = `${PREFIX}${person()}:${space()}:`;
    for (const one of drafts().filter((name) => name.startsWith(mine))) {
      if (JSON.parse(sessionStorage.getItem(one)).page !== location.pathname) continue;
      document.querySelector(`[data-edit][hx-get="${CSS.escape(one.slice(mine.length))}"]`)?.click();
    }
  });
})();
