// Keywords as tags: Enter or a comma adds the one that is typed, Backspace in an empty field takes the last one out.
(() => {
  const words = (form) => [...form.querySelectorAll("[name=keywords]")].map((one) => one.value);

  const add = (form, raw) => {
    const word = raw.normalize("NFC").trim().replace(/\s+/g, " ");
    if (!word || words(form).some((one) => one.toLowerCase() === word.toLowerCase())) return;
    const tag = document.createElement("li");
    tag.className = "tag";
    const kept = Object.assign(document.createElement("input"), { type: "hidden", name: "keywords", value: word });
    const said = Object.assign(document.createElement("span"), { textContent: word });
    const drop = Object.assign(document.createElement("button"), {
      type: "button",
      className: "x",
      textContent: "×",
      ariaLabel: `Take ${word} out`,
    });
    drop.dataset.wordsDrop = "";
    tag.append(kept, said, drop);
    form.querySelector("[data-words-list]").append(tag);
  };
  const take = (field) => {
    field.value.split(",").forEach((word) => add(field.form, word));
    field.value = "";
  };

  addEventListener("keydown", (event) => {
    const field = event.target.closest?.("[data-words-add]");
    if (!field || event.isComposing) return;
    if (event.key === "," || (event.key === "Enter" && field.value.trim())) {
      event.preventDefault();
      take(field);
    } else if (event.key === "Backspace" && !field.value) {
      field.form.querySelector("[data-words-list]").lastElementChild?.remove();
    }
  });
  // What is typed and not yet added is meant all the same.
  addEventListener("htmx:confirm", (event) => {
    const field = event.target.querySelector?.("[data-words-add]");
    if (field) take(field);
  });
  addEventListener("click", (event) => {
    const drop = event.target.closest("[data-words-drop]");
    if (drop) {
      const { form } = drop.closest("form").querySelector("[data-words-add]");
      drop.closest("li").remove();
      form.querySelector("[data-words-add]").focus();
    }
    const offered = event.target.closest("[data-words-take]");
    if (offered) {
      add(offered.closest("form"), offered.dataset.wordsTake);
      offered.remove();
    }
  });
})();
