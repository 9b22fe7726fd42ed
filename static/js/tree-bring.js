// Import: what is chosen is told, and where each file lay in its folder is sent beside it; the same files are sent
// again once one has seen what they would change.
(() => {
  const size = (octets) =>
    octets < 1024 * 1024 ? `${Math.max(1, Math.round(octets / 1024))} KB` : `${(octets / 1048576).toFixed(1)} MB`;
  const inputs = (form) => [...form.querySelectorAll("input[type=file]")];

  addEventListener("change", (event) => {
    const form = event.target.closest("[data-bring]");
    if (!form || event.target.type !== "file") return;
    for (const other of inputs(form)) if (other !== event.target) other.value = "";
    const files = [...event.target.files].filter((file) => /\.(zip|md|markdown|json)$/i.test(file.name));
    const kept = new DataTransfer(); // of a folder only what can be pages
    files.forEach((file) => kept.items.add(file));
    event.target.files = kept.files;
    form.elements.paths.value = JSON.stringify(files.map((file) => file.webkitRelativePath || file.name));
    const all = size(files.reduce((sum, file) => sum + file.size, 0));
    form.querySelector("[data-chosen]").textContent =
      files.length === 1 ? `${files[0].name}, ${all}` : files.length ? `${files.length} files, ${all}` : "";
    form.querySelector("[data-send]").hidden = !files.length;
    form.querySelector("#brought").replaceChildren();
  });
})();
