// The review page: after a verdict the next case is at hand, in sight and in focus; the queue keeps its place.
(() => {
  const queue = () => document.querySelector("#list");
  let place = 0;
  let picked = new Set();

  addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target?.id !== "judge") return;
    place = queue()?.scrollTop ?? 0;
    picked = new Set([...document.querySelectorAll("#list input[name=ids]:checked")].map((box) => box.value));
  });

  addEventListener("htmx:afterSwap", (event) => {
    // A refusal swaps nothing: whoever was typing goes on typing.
    if (event.detail.target?.id !== "judge" || event.detail.xhr?.status >= 400) return;
    const list = queue();
    if (list) list.scrollTop = place;
    // What was picked stays picked while one walks on.
    const again = [...document.querySelectorAll("#list input[name=ids]")].filter((box) => picked.has(box.value));
    again.forEach((box) => {
      box.checked = true;
    });
    again[0]?.dispatchEvent(new Event("change", { bubbles: true }));
    list?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    const judge = document.querySelector("#judge");
    if (judge.getBoundingClientRect().top < 0) judge.scrollIntoView({ block: "start" });
    // Keys go to the page whatever has the focus; the heading has it so that the new case is read out.
    (document.querySelector("#case-head") ?? document.querySelector("#main"))?.focus({ preventScroll: true });
  });

  // Ctrl+Enter sends the merge, plain Enter the scope; "r" goes to the reason, Escape and Enter leave it.
  addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const form = event.target.closest?.("form[data-enter]");
    if (form && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    } else if (event.target.id === "why-told" && (event.key === "Enter" || event.key === "Escape")) {
      event.preventDefault();
      document.querySelector("#case-head")?.focus({ preventScroll: true });
    }
  });

  // A popover whose form was accepted has done its work.
  addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt.closest?.("form[data-closes]");
    if (form && event.detail.successful) document.getElementById(form.dataset.closes)?.hidePopover();
  });
})();
