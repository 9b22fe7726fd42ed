// A button that copies the text of what it names, and says so for a moment.
(() => {
  const SAID = 3000;
  const names = new WeakMap(); // what a button says otherwise

  const say = (button, word) => {
    const told = [...button.childNodes].findLast((node) => node.textContent.trim());
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
    // Where white space is not kept, the template's line breaks are no text.
    const exact = getComputedStyle(from).whiteSpace.startsWith("pre");
    try {
      await navigator.clipboard.writeText(exact ? from.textContent : from.textContent.replace(/\s+/g, " ").trim());
      say(button, "Copied");
    } catch {
      // Without leave to write to the clipboard the text is selected, ready for the reader's own copy key.
      getSelection().selectAllChildren(from);
      say(button, "Selected");
    }
  });
})();
