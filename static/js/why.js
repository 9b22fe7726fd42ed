// A trust bar tells why as soon as one rests on it: pointer or keyboard. A click keeps it open.
(() => {
  const REST = 220;
  let timer = 0;
  let opened = null; // the bar whose popover was opened by resting on it
  let anchor = null; // the bar it stands beside, however it was opened

  const pop = () => document.querySelector("#why");
  const isOpen = () => pop()?.matches(":popover-open");

  const rest = (button) => {
    clearTimeout(timer);
    if (opened === button) return;
    timer = setTimeout(() => {
      if (!button.isConnected || isOpen()) return;
      opened = button;
      button.click();
    }, REST);
  };

  const leave = () => {
    clearTimeout(timer);
    if (!opened) return;
    timer = setTimeout(() => {
      if (isOpen() && !pop().matches(":hover")) pop().hidePopover();
      opened = null;
    }, REST);
  };

  const bar = (event) => event.target.closest?.("button.trust");
  addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse" && bar(event)) rest(bar(event));
  });
  addEventListener("pointerout", (event) => {
    const from = bar(event) ?? (event.target.closest?.("#why") ? opened : null);
    if (from && !from.contains(event.relatedTarget) && !pop().contains(event.relatedTarget)) leave();
  });
  addEventListener("focusin", (event) => {
    if (bar(event)?.matches(":focus-visible")) rest(bar(event));
  });
  addEventListener("focusout", (event) => {
    if (bar(event)) leave();
  });

  // Where its bar is taken off the page, as by an edit in the row's place, it goes along.
  addEventListener(
    "click",
    (event) => {
      anchor = bar(event) ?? anchor;
    },
    true,
  );
  addEventListener("htmx:afterSwap", () => {
    if (!anchor || anchor.isConnected) return;
    if (isOpen()) pop().hidePopover();
    anchor = opened = null;
  });

  // The click of a person on what resting had opened keeps it, instead of closing it.
  addEventListener(
    "click",
    (event) => {
      if (!event.isTrusted || !opened || bar(event) !== opened) return;
      event.preventDefault();
      event.stopPropagation();
      opened = null;
    },
    true,
  );
})();
