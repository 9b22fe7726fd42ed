// The address bar holds the whole state of the lab. Links and forms that lead on from it are kept in step.
(() => {
  const lab = (window.lab ??= {});
  const ask = () => document.querySelector("#ask");

  lab.plans = () => [...document.querySelectorAll("select[data-plan]")].map((select) => select.value);

  // The address with the plans as they are dialled now.
  lab.address = () => {
    const params = new URLSearchParams(location.search);
    params.delete("column");
    params.delete("strategy");
    lab.plans().forEach((plan) => params.append("column", plan));
    return `${ask().getAttribute("action")}?${params}`;
  };

  const put = (form, name, values) => {
    form.querySelectorAll(`input[type=hidden][name="${name}"]`).forEach((old) => old.remove());
    form.prepend(
      ...values.map((value) => Object.assign(document.createElement("input"), { type: "hidden", name, value })),
    );
  };

  // A new question, another filter, another number of results: each goes on with what the address says now.
  lab.keep = () => {
    const now = new URLSearchParams(location.search);
    const action = ask().getAttribute("action");
    document.querySelectorAll(`form[action="${action}"]`).forEach((form) => {
      put(form, "rel", now.getAll("rel"));
      if (form.id !== "ask") put(form, "column", lab.plans());
      if (form.id !== "expecting") put(form, "memory", now.getAll("memory"));
    });
    document.querySelectorAll("#golden form").forEach((form) => put(form, "relevant", now.getAll("rel")));
    document.querySelectorAll('#main a[href^="?"]').forEach((link) => {
      const to = new URLSearchParams(link.getAttribute("href"));
      const names = link.closest(".chips") ? ["rel", "memory", "column"] : ["rel"];
      names.forEach((name) => {
        to.delete(name);
        now.getAll(name).forEach((value) => to.append(name, value));
      });
      if (names.includes("column") && !now.has("column")) lab.plans().forEach((plan) => to.append("column", plan));
      link.setAttribute("href", `?${to}`);
    });
  };

  // The marks stand in the address as rel=id; a mark is no step to go back over.
  lab.remember = (marks) => {
    const params = new URLSearchParams(location.search);
    params.delete("rel");
    marks.forEach((id) => params.append("rel", id));
    history.replaceState(history.state, "", `${location.pathname}?${params}${location.hash}`);
    lab.keep();
  };
})();
