// Forms with dials: a slider tells its number while it is moved; Ctrl+Enter in the text sends the form.
(() => {
  addEventListener("input", (event) => {
    const told = document.querySelector(`output[data-of="${event.target.id}"]`);
    if (told)
      told.textContent =
        `${Number(event.target.value).toLocaleString("en-US")} ${event.target.dataset.unit ?? ""}`.trim();
  });

  addEventListener("keydown", (event) => {
    if (event.isComposing || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    if (!event.target.matches?.("textarea[data-submits]")) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });
})();
