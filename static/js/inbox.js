// The inbox: after an act the next fact is at hand, in sight; what was picked stays picked.
(() => {
  const items = () => [...document.querySelectorAll("#list [data-item]")];
  let place = 0;
  let picked = new Set();

  const stand = (at) => {
    const all = items();
    const item = all[Math.max(0, Math.min(at, all.length - 1))];
    all.forEach((one) => one.classList.toggle("at", one === item));
    return item;
  };

  addEventListener("DOMContentLoaded", () => stand(0));

  // A click in a row makes it the one that keys act on.
  addEventListener(
    "click",
    (event) => {
      const at = items().indexOf(event.target.closest?.("#list [data-item]"));
      if (at >= 0) stand(at);
    },
    true,
  );

  addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target?.id !== "list") return;
    place = Math.max(
      0,
      items().findIndex((one) => one.matches(".at")),
    );
    picked = new Set([...document.querySelectorAll("#list input[name=ids]:checked")].map((box) => box.value));
  });

  // After the settling, in which rows that stay get the attributes of the answer.
  addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id !== "list" || event.detail.xhr?.status >= 400) return;
    const again = [...document.querySelectorAll("#list input[name=ids]")].filter((box) => picked.has(box.value));
    again.forEach((box) => {
      box.checked = true;
    });
    again[0]?.dispatchEvent(new Event("change", { bubbles: true }));
    const item = stand(place);
    item?.scrollIntoView({ block: "nearest" });
    (item?.querySelector("[data-open]") ?? document.querySelector("#inbox-head"))?.focus({ preventScroll: true });
  });
})();
