// Uploads: files may be dropped on their leaf or on the page; their names and sizes are shown before anything is sent,
// and what is too large is said then, not after it was sent.
(() => {
  const form = document.querySelector("form[data-drop]");
  if (!form) return;
  const input = form.querySelector("input[type=file]");
  const list = form.querySelector("[data-chosen]");
  const limit = Number(form.dataset.limit);

  const size = (octets) =>
    octets < 1024 * 1024 ? `${Math.max(1, Math.round(octets / 1024))} KB` : `${(octets / 1048576).toFixed(1)} MB`;

  const line = (text, wrong = false) => {
    const item = Object.assign(document.createElement("li"), { textContent: text });
    item.classList.toggle("wrong", wrong);
    return item;
  };

  const show = () => {
    const files = [...input.files].sort((a, b) => (b.size > limit) - (a.size > limit));
    const large = files.filter((file) => file.size > limit).length;
    list.replaceChildren(
      ...files
        .slice(0, 12)
        .map((file) =>
          file.size > limit
            ? line(`${file.name}, ${size(file.size)}: too large, ${size(limit)} is the limit`, true)
            : line(`${file.name}, ${size(file.size)}`),
        ),
    );
    if (files.length > 12) list.append(line(`and ${files.length - 12} more`));
    form.querySelector("#upload-said")?.replaceChildren();
    form.querySelectorAll("[data-send]").forEach((row) => {
      row.hidden = files.length === large;
    });
  };

  input.addEventListener("change", show);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) form.classList.remove("over");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (!event.dataTransfer?.files.length) return;
    input.files = event.dataTransfer.files;
    show();
    form.scrollIntoView({ block: "nearest" });
  });
  form.addEventListener("htmx:beforeRequest", () => form.setAttribute("aria-busy", "true"));
  form.addEventListener("htmx:afterRequest", () => form.removeAttribute("aria-busy"));
})();
