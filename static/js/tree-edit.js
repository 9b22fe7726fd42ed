// The node beside the tree: an edit is saved or left with keys, its size told while one types; a split is looked at and
// left; lines that a question reaches are marked.
(() => {
  const parts = (window.contextTree ??= {});
  const encoder = new TextEncoder();
  const form = () => document.querySelector("[data-edit-node]");
  const size = (octets) => (octets < 1000 ? `${octets} B` : `${(octets / 1024).toFixed(1)} KB`);

  addEventListener("keydown", (event) => {
    const at = event.target.closest?.("[data-edit-node]");
    if (!at || event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      at.querySelector("[data-cancel]").click();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      at.requestSubmit();
    }
  });

  addEventListener("input", (event) => {
    const told = document.getElementById(event.target.dataset?.count ?? "");
    if (told) told.textContent = size(encoder.encode(event.target.value).length);
  });
  addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target?.id !== "node") return;
    const field = form()?.querySelector("textarea");
    if (field && document.activeElement !== field) {
      field.focus();
      field.setSelectionRange(0, 0);
    }
  });

  // What a question reaches.
  parts.mark = () => {
    const paths = [...document.querySelectorAll("#reach-told [data-reached]")].map((one) => one.dataset.reached);
    for (const twig of parts.every())
      twig.classList.toggle("reached", !twig.matches("[data-more]") && paths.includes(parts.pathOf(twig)));
    return paths;
  };
  const reveal = async () => {
    for (const path of parts.mark()) {
      const steps = path.split("/");
      for (let n = 1; n < steps.length; n += 1) {
        const twig = parts.twigOf(steps.slice(0, n).join("/"));
        if (twig?.getAttribute("aria-expanded") === "false") await parts.open(twig, true, { remember: false });
      }
    }
    parts.mark();
    parts.sight(parts.every().find((twig) => twig.matches(".reached")));
  };
  addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id === "reach-told") reveal();
  });
  addEventListener("submit", (event) => {
    if (event.target.matches(".reach")) event.preventDefault();
  });

  // A question that is empty leaves the address as it was without one.
  addEventListener("htmx:configRequest", (event) => {
    const sent = event.detail.parameters;
    if (event.detail.boosted || event.detail.elt.matches?.("#reach"))
      for (const name of ["q", "as_of"]) if (sent[name] === "") delete sent[name];
  });

  addEventListener("click", (event) => {
    const look = event.target.closest("[data-split]");
    if (look && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      htmx
        .ajax("GET", look.dataset.split, { source: "#split", target: "#split" })
        .then(() => document.querySelector("#split").scrollIntoView({ block: "nearest" }));
    }
    if (event.target.closest("[data-leave-split]")) document.querySelector("#split").replaceChildren();
  });
})();
