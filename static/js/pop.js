// What a popover holds belongs to the button that opened it: until the answer is there it says so, so that nobody acts on
// what it held before. Without an answer it closes; the message of what went wrong is told beside it.
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
  for (const failed of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    addEventListener(failed, (event) => filled(event)?.hidePopover());
  }
})();
