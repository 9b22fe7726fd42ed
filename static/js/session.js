// A session's page: Ctrl+Enter says what was typed; after it was said the field is empty again, and its turn in sight.
// What was typed meanwhile stays.
(() => {
  let sent = "";

  addEventListener("keydown", (event) => {
    const form = event.target.closest?.("form[data-say]");
    if (!form || event.isComposing || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });

  addEventListener("htmx:beforeSend", (event) => {
    if (event.detail.elt.matches?.("form[data-say]")) sent = event.detail.elt.querySelector("textarea").value;
  });

  addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt.closest?.("form[data-say]");
    if (!form || !event.detail.successful) return;
    const field = form.querySelector("textarea");
    field.value = field.value.startsWith(sent) ? field.value.slice(sent.length).trimStart() : field.value;
    if (field.value) field.dispatchEvent(new Event("input", { bubbles: true }));
    document.querySelector(".turns > :last-child")?.scrollIntoView({ block: "center" });
    field.focus({ preventScroll: true });
  });
})();
