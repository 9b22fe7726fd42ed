// Messages of what was done, the last with its Undo. They stay 8 s, or as long as they are hovered or focused; what
// went wrong stays until it is dismissed.
// The server sends them as the "toast" event {text, undo}; a failed request is told here too.
(() => {
  const STAY = 8000;
  const region = () => document.querySelector("#toasts");

  const leave = (toast) => {
    toast.querySelectorAll("[data-undo]").forEach((button) => delete button.dataset.undo);
    toast.classList.add("going");
    setTimeout(() => toast.remove(), 300);
  };

  const keep = (toast) => {
    let timer = setTimeout(() => leave(toast), STAY);
    const hold = () => clearTimeout(timer);
    const release = () => {
      clearTimeout(timer);
      timer = setTimeout(() => leave(toast), STAY);
    };
    toast.addEventListener("pointerenter", hold);
    toast.addEventListener("pointerleave", release);
    toast.addEventListener("focusin", hold);
    toast.addEventListener("focusout", release);
  };

  const show = (text, undo, failed = false) => {
    // A part of the page that asks every second must not tell the same trouble every second.
    if ([...document.querySelectorAll(".toast > span")].some((told) => told.textContent === text && !undo)) return;
    const toast = document.createElement("div");
    toast.className = failed ? "toast failed" : "toast";
    if (failed) toast.setAttribute("role", "alert");
    const words = document.createElement("span");
    words.textContent = text;
    toast.append(words);
    if (undo) {
      const button = document.createElement("button");
      button.className = "btn";
      button.type = "button";
      button.dataset.undo = undo;
      const key = document.createElement("kbd");
      key.textContent = "u";
      button.append("Undo ", key);
      toast.append(button);
    }
    if (failed) {
      const close = document.createElement("button");
      close.className = "btn";
      close.type = "button";
      close.textContent = "Dismiss";
      close.dataset.dismiss = "";
      toast.append(close);
    }
    // One act can be undone by its key: that of the last message.
    if (undo) document.querySelectorAll(".toast [data-undo]").forEach((older) => leave(older.closest(".toast")));
    region()?.append(toast);
    if (!failed) keep(toast); // what went wrong stays until it was read
  };

  addEventListener("toast", (event) => show(event.detail.text, event.detail.undo, event.detail.failed));

  addEventListener("click", (event) => {
    if (event.target.closest("[data-dismiss]")) leave(event.target.closest(".toast"));
    const button = event.target.closest("[data-undo]");
    if (!button) return;
    button.disabled = true;
    htmx.ajax("POST", button.dataset.undo, { source: document.body, target: "#toasts", swap: "none" }).finally(() => {
      button.disabled = false;
    });
    const toast = button.closest(".toast");
    if (toast) leave(toast);
  });

  addEventListener("htmx:responseError", (event) => {
    const answer = event.detail.xhr;
    if (answer.getResponseHeader("HX-Trigger")) return;
    if (answer.status === 403) return; // see signin.js
    show(`That did not work (${answer.status}). Nothing was changed.`, "", true);
  });
  addEventListener("htmx:sendError", () => show("The app is not responding. Is it still running?", "", true));

  addEventListener("DOMContentLoaded", () => document.querySelectorAll("[data-toast]:not(.failed)").forEach(keep));
})();
