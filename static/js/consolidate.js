// The preview of a consolidation: the sentence or digest one stands at is kept while its leaf is drawn anew, and a
// button that was pressed twice does nothing twice.
(() => {
  let kept = "";

  const placeOf = (item) => item?.closest(".sentence")?.id || item?.closest("[data-digest]")?.id || "";
  const itemOf = (place) => {
    const found = place ? document.getElementById(place) : null;
    return found?.matches("[data-item]") ? found : found?.querySelector("[data-item]");
  };

  addEventListener("htmx:beforeSwap", (event) => {
    const leaf = event.detail.target;
    if (!leaf?.matches?.("[data-digest]")) return;
    kept = placeOf(document.querySelector("[data-item].at") ?? leaf.querySelector(":focus"));
  });

  addEventListener("htmx:afterSettle", () => {
    const item = itemOf(kept);
    kept = "";
    if (!item || document.querySelector("[data-item].at")) return;
    item.classList.add("at");
    if (document.activeElement === document.body)
      item.querySelector("input, [data-open]")?.focus({ preventScroll: true });
  });
})();
