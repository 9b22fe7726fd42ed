// A button that copies the text of what it names, and says so for a moment.
(() => {
  const SAID = 3000;
  const names = new WeakMap(); // what a button says otherwise

  const say = (button, word) => {
    const told = button.lastChild;
    if (!names.has(button)) names.set(button, told.textContent);
    told.textContent = word;
    setTimeout(() => {
      told.textContent = names.get(button);
    }, SAID);
  };

  addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const from = document.querySelector(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(from.textContent);
      say(button, "Copied");
    } catch {
      // Without leave to write to the clipboard the text is selected, ready for the reader's own copy key.
      getSelection().selectAllChildren(from);
      say(button, "Selected");
    }
  });
})();
