// Words that were typed and not yet kept are not lost unasked: neither by leaving the page nor by whatever would be
// drawn in the place of their form. A form that is to be guarded so says data-unsaved.
(() => {
  // What a person does; a part of the page that draws itself anew must not ask.
  const DONE = new Set(["click", "submit", "change", "input", "search", "keyup"]);
  const ASKED = "You have unsaved changes. Leave the page?";
  const typed = new WeakSet();
  const waiting = () => [...document.querySelectorAll("form[data-unsaved]")].filter((form) => typed.has(form));

  addEventListener("input", (event) => {
    const form = event.target.closest?.("form[data-unsaved]");
    if (form) typed.add(form);
  });
  // A form without htmx leaves the page with what is in it.
  addEventListener("submit", (event) => {
    if (!event.defaultPrevented) typed.delete(event.target);
  });
  addEventListener("reset", (event) => typed.delete(event.target));
  addEventListener("beforeunload", (event) => {
    if (waiting().length) event.preventDefault();
  });

  addEventListener("htmx:confirm", (event) => {
    const { elt, target, triggeringEvent, issueRequest } = event.detail;
    if (!DONE.has(triggeringEvent?.type)) return;
    if (!waiting().some((form) => target?.contains?.(form) && !form.contains(elt))) return;
    event.preventDefault();
    if (confirm(ASKED)) issueRequest(true);
  });

  // What was accepted is kept; what was refused comes back in a form that says so, and is still not kept.
  addEventListener("htmx:beforeOnLoad", (event) => {
    const form = event.detail.elt.closest?.("form[data-unsaved]");
    if (form === event.detail.elt && event.detail.xhr.status < 300) typed.delete(form);
  });
  addEventListener("htmx:afterSwap", () => {
    document.querySelectorAll("form[data-unsaved]:has([role=alert])").forEach((form) => typed.add(form));
  });

  // What is asked for again every few seconds waits while somebody writes in what it would replace.
  addEventListener("htmx:beforeRequest", (event) => {
    const { elt, target } = event.detail,
      field = document.activeElement;
    if (!elt.getAttribute("hx-trigger")?.startsWith("every") || !target?.contains(field)) return;
    if (field.matches("textarea, select, input:not([type=checkbox], [type=radio])")) event.preventDefault();
  });
})();
