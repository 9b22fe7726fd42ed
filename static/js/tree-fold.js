// Where there is no room beside the tree, the node stands below it: the tree may be folded away, and stays so, and a
// node that is chosen in it is brought into sight. So is a line of a tree that is longer than its leaf.
(() => {
  const parts = (window.contextTree ??= {});
  const button = () => document.querySelector("[data-fold-tree]");
  const kept = () => `${parts.key()}:shown`;

  parts.unfold = () => button()?.setAttribute("aria-expanded", localStorage.getItem(kept()) !== "false");

  // Brings a line into sight inside the tree, and leaves the page where it is.
  parts.sight = (twig) => {
    const box = twig?.closest(".twigs");
    if (!box || !twig.offsetParent) return;
    const { top, bottom } = twig.getBoundingClientRect();
    const room = box.getBoundingClientRect();
    if (top < room.top || bottom > room.bottom) box.scrollTop += top - room.top - room.height / 3;
  };

  addEventListener("click", (event) => {
    if (!event.target.closest("[data-fold-tree]")) return;
    const to = button().getAttribute("aria-expanded") !== "true";
    localStorage.setItem(kept(), to);
    parts.unfold();
  });
  addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id === "node" && event.detail.boosted && button()?.offsetParent)
      event.detail.target.scrollIntoView();
  });
})();
