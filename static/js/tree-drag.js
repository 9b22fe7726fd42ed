// A node is moved with the pointer: onto another it goes under that one, between two it takes its place there, onto the
// head of the tree it goes to the top. The keyboard's Alt with an arrow asks the server for the same.
(() => {
  const parts = (window.contextTree ??= {});
  let dragged = null;

  parts.moveOf = (path) => parts.page().dataset.move.replace(/x$/, path.split("/").map(encodeURIComponent).join("/"));
  const parentOf = (path) => path.slice(0, Math.max(path.lastIndexOf("/"), 0));
  const beside = (path) =>
    parts
      .every()
      .filter((twig) => !twig.matches("[data-more]") && parentOf(parts.pathOf(twig)) === parentOf(path))
      .map(parts.pathOf);

  const send = (path, under, position) =>
    htmx.ajax("POST", parts.moveOf(path), {
      source: parts.page(),
      target: "#tree-do",
      swap: "none",
      values: { under, ...(position === undefined ? {} : { position }) },
    });

  // Among its siblings the place is counted without the node itself.
  const placed = (path, target, after) => {
    const others = beside(target).filter((one) => one !== path);
    send(path, parentOf(target), others.indexOf(target) + (after ? 1 : 0));
  };

  parts.shift = (twig, by) => {
    const path = parts.pathOf(twig);
    const all = beside(path);
    const to = all.indexOf(path) + by;
    if (to >= 0 && to < all.length) send(path, parentOf(path), to);
  };

  const clear = () => document.querySelectorAll("#branch [data-drop]").forEach((one) => delete one.dataset.drop);
  const over = (event) => {
    const head = event.target.closest?.("#branch > header");
    if (head) return { on: head, how: "top" };
    const on = event.target.closest?.("#branch .twig:not(.more)");
    const target = on && parts.pathOf(on);
    if (!on || target === dragged || target.startsWith(`${dragged}/`)) return null;
    const box = on.getBoundingClientRect();
    const share = (event.clientY - box.top) / box.height;
    return { on, how: share < 0.28 ? "before" : share > 0.72 ? "after" : "into" };
  };

  addEventListener("dragstart", (event) => {
    const twig = event.target.closest?.("#branch .twig[draggable=true]");
    if (!twig) return;
    dragged = parts.pathOf(twig);
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged);
  });
  addEventListener("dragover", (event) => {
    const found = dragged && over(event);
    clear();
    if (!found) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
    found.on.dataset.drop = found.how;
  });
  addEventListener("drop", (event) => {
    const found = dragged && over(event);
    if (!found) return;
    event.preventDefault();
    if (found.how === "top") send(dragged, "");
    else if (found.how === "into") send(dragged, parts.pathOf(found.on));
    else placed(dragged, parts.pathOf(found.on), found.how === "after");
  });
  addEventListener("dragend", () => {
    dragged = null;
    clear();
  });
})();
