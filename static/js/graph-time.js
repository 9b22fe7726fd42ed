// The slider of time says the moment at once, and asks for it when it rests.
(() => {
  const parts = (window.explorer ??= {});
  const REST = 350;
  const BARS = 60;

  // As the pages write it: 21 Nov 2026, 18:42.
  const told = (when) => {
    const month = when.toLocaleString("en-US", { month: "short" });
    const clock = when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    return `${when.getDate()} ${month} ${when.getFullYear()}, ${clock}`;
  };

  parts.time = (page) => {
    let resting = 0;

    addEventListener("input", (event) => {
      if (event.target.id !== "when") return;
      const { value, max, dataset } = event.target;
      const [from, to] = [Number(dataset.from), Number(dataset.to)];
      const when = Number(value) >= Number(max) ? null : new Date((from + ((to - from) * value) / max) * 1000);
      document.querySelector("#when-told").textContent = when ? told(when) : "Now";
      for (const bar of document.querySelectorAll("#time [data-n]"))
        bar.setAttribute("class", bar.dataset.n * max <= value * BARS ? "d1" : "track");
      clearTimeout(resting);
      resting = setTimeout(() => page.travel(when), REST);
    });

    // A swap in the middle of a drag must not take the slider out of the hand that holds it.
    let hadFocus = false;
    addEventListener("htmx:oobBeforeSwap", (event) => {
      if (event.detail.target?.id === "time") hadFocus = document.activeElement?.id === "when";
    });
    addEventListener("htmx:oobAfterSwap", () => {
      if (hadFocus) {
        hadFocus = false;
        document.querySelector("#when")?.focus();
      }
    });
  };
})();
