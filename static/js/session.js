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
    const left = field.value.startsWith(sent) ? field.value.slice(sent.length).trimStart() : field.value;
    // Reset, since a field that was typed into and is empty again stands there as if something were wrong with it.
    const others = [...form.querySelectorAll("input, select")].map((one) => [one, one.value]);
    form.reset();
    for (const [one, value] of others) one.value = value;
    field.value = left;
    if (left) field.dispatchEvent(new Event("input", { bubbles: true }));
    document.querySelector(".turns > :last-child")?.scrollIntoView({ block: "center" });
    field.focus({ preventScroll: true });
  });
})();
