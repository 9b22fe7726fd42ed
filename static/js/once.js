// The second click of a double click is not meant for what has meanwhile moved under the pointer: in a list from which
// the first took a line it would decide the next one, unseen.
(() => {
  const WRITES =
    ":is(button, [type=submit]):is([hx-post], [hx-put], [hx-patch], [hx-delete], form[hx-post] [type=submit])";
  addEventListener(
    "click",
    (event) => {
      if (event.detail < 2 || !event.target.closest?.(WRITES)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
})();
