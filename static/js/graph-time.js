// The time line: the slider says its moment at once and asks for it when it rests; Play goes from moment to moment, or,
// where one wants no motion, one moment at a press.
(() => {
  const parts = (window.explorer ??= {});
  const REST = 350;
  const BARS = 60;
  const STEPS = 24; // moments that a play shows
  const BEAT = 650; // ms each is shown, loading included

  // As the pages write it: 21 Nov 2026, 18:42.
  const told = (when) => {
    const month = when.toLocaleString("en-US", { month: "short" });
    const clock = when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    return `${when.getDate()} ${month} ${when.getFullYear()}, ${clock}`;
  };

  parts.time = (page) => {
    let resting = 0;
    let playing = false;
    const slider = () => document.querySelector("#when");

    const momentOf = ({ value, max, dataset }) => {
      const [from, to] = [Number(dataset.from), Number(dataset.to)];
      return Number(value) >= Number(max) ? null : new Date((from + ((to - from) * value) / max) * 1000);
    };
    // The date goes along with the handle.
    const place = () => {
      const at = slider();
      if (!at) return;
      const when = momentOf(at);
      const bubble = document.querySelector("#when-told");
      bubble.textContent = when ? told(when) : "Now";
      at.setAttribute("aria-valuetext", bubble.textContent);
      bubble.style.setProperty("--at", at.value / at.max);
      for (const bar of document.querySelectorAll("#time [data-n]"))
        bar.setAttribute("class", bar.dataset.n * at.max <= at.value * BARS ? "d1" : "track");
    };
    const sign = () => {
      const button = document.querySelector("[data-graph=play]");
      if (!button) return;
      const [label, step] = [button.querySelector(".sr"), !parts.calm()];
      button.setAttribute("aria-pressed", String(playing));
      label.textContent = playing ? "Pause" : step ? "Next moment" : "Play through time";
      button.title = label.textContent;
    };

    addEventListener("input", (event) => {
      if (event.target.id !== "when") return;
      playing = false;
      sign();
      place();
      clearTimeout(resting);
      const when = momentOf(event.target);
      resting = setTimeout(() => page.travel(when), REST);
    });

    const wait = (ms) => new Promise((done) => setTimeout(done, ms));
    page.play = async () => {
      const at = slider();
      if (playing) {
        playing = false;
        return;
      }
      // From the end, from the beginning on.
      const next = () => {
        at.value = Number(at.value) >= Number(at.max) ? 0 : Number(at.value) + Number(at.max) / STEPS;
        place();
      };
      if (!parts.calm()) {
        next();
        await page.travel(momentOf(at));
        return;
      }
      playing = true;
      sign();
      for (let last = false; playing && !last;) {
        next();
        last = Number(at.value) >= Number(at.max);
        await Promise.all([page.travel(momentOf(at), { besides: false }), wait(BEAT)]);
      }
      playing = false;
      sign();
      await page.travel(momentOf(at));
    };

    // A swap in the middle of a drag must not take the slider out of the hand that holds it.
    let hadFocus = "";
    addEventListener("htmx:oobBeforeSwap", (event) => {
      if (event.detail.target?.id === "time")
        hadFocus = document.activeElement?.closest("#time") ? document.activeElement.id : "";
    });
    addEventListener("htmx:oobAfterSwap", (event) => {
      if (event.detail.target?.id !== "time") return;
      place();
      sign();
      if (hadFocus) document.getElementById(hadFocus)?.focus();
      hadFocus = "";
    });
    place();
    sign();
  };
})();
