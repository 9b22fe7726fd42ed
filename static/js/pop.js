// What a popover holds belongs to the button that opened it: until the answer is there it says so, so that nobody acts
// on what it held before. Without an answer it closes; the message of what went wrong is told beside it.
(() => {
  const filled = (event) => {
    const { elt, target } = event.detail;
    return target?.popover && elt.getAttribute("popovertarget") === target.id ? target : null;
  };

  addEventListener("htmx:beforeRequest", (event) => {
    const pop = filled(event);
    if (!pop) return;
    const waits = document.createElement("p");
    waits.className = "faint";
    waits.textContent = "Reading…";
    pop.replaceChildren(waits);
  });
  // Whoever opens one means to write or choose in it: its first field takes the focus, and with it every key. What the
  // browser gave the focus to itself (autofocus) keeps it; the field of an answer that comes later gets it then.
  const enter = (pop) => {
    if (!pop.matches(".pop:popover-open:not(#why)") || pop.contains(document.activeElement)) return;
    const fields = "input:not([type=hidden], [disabled]), select, textarea, a[href], button:not([disabled])";
    [...pop.querySelectorAll(fields)].find((one) => one.offsetParent)?.focus({ preventScroll: true });
  };
  addEventListener(
    "toggle",
    (event) => {
      if (event.newState === "open") enter(event.target);
    },
    true,
  );
  addEventListener("htmx:afterSettle", (event) => {
    if (event.target.matches?.("[popover]")) enter(event.target);
  });

  for (const failed of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    addEventListener(failed, (event) => filled(event)?.hidePopover());
  }
})();
