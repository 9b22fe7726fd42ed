// Rows of a table: pick one, pick all, the bar for the picked ones; Enter saves an inline edit, Escape leaves it.
(() => {
  const boxes = () => [...document.querySelectorAll("#list input[name=ids]")];

  const count = () => {
    const picked = boxes().filter((box) => box.checked).length;
    const bar = document.querySelector("[data-bulk]");
    if (bar) {
      bar.hidden = picked === 0;
      bar.querySelector("[data-bulk-count]").textContent = `${picked} selected`;
    }
    const all = document.querySelector("[data-pick-all]");
    if (all) {
      all.checked = picked > 0 && picked === boxes().length;
      all.indeterminate = picked > 0 && picked < boxes().length;
    }
  };

  const pickEvery = (on) => {
    boxes().forEach((box) => {
      box.checked = on;
    });
    count();
  };

  addEventListener("change", (event) => {
    if (event.target.matches("[data-pick-all]")) pickEvery(event.target.checked);
    else if (event.target.matches("input[name=ids]")) count();
  });

  let last = null;
  addEventListener("click", (event) => {
    if (event.target.closest("[data-pick-none]")) pickEvery(false);
    const box = event.target.closest("input[name=ids]");
    if (!box) return;
    const all = boxes();
    if (event.shiftKey && last && all.includes(last)) {
      const [from, to] = [all.indexOf(last), all.indexOf(box)].sort((a, b) => a - b);
      all.slice(from, to + 1).forEach((one) => {
        one.checked = box.checked;
      });
      count();
    }
    last = box;
  });

  // A double click on the words opens the edit, where the reader may edit.
  addEventListener("dblclick", (event) => {
    const row = event.target.closest("#list tr[data-item]");
    if (!row || event.target.closest("button, input, a")) return;
    row.querySelector("[data-edit]")?.click();
  });

  addEventListener("keydown", (event) => {
    const form = event.target.closest?.("form[data-line]");
    if (!form || event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      form.querySelector("[data-cancel]").click();
    } else if (event.key === "Enter" && !event.shiftKey && event.target.matches("textarea")) {
      event.preventDefault();
      form.requestSubmit();
    }
  });

  addEventListener("htmx:afterSwap", (event) => {
    count();
    const field = document.querySelector("form[data-line] textarea");
    if (field && event.detail.elt?.contains?.(field)) {
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
    }
  });
})();
