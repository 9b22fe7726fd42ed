// A button that was shut for some seconds opens by itself.
document.querySelectorAll("[data-wait]").forEach((button) => {
  setTimeout(
    () => {
      button.disabled = false;
    },
    Number(button.dataset.wait) * 1000,
  );
});
