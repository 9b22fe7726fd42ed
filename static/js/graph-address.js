// What is looked at stands in the address, so that every view can be kept, shared and gone back to.
(() => {
  const parts = (window.explorer ??= {});

  const query = () => new URLSearchParams(location.search);
  const list = (name) => (query().get(name) ?? "").split(",").filter(Boolean);

  // Sets parameters, or with null takes them out, where one stands.
  const put = (changes) => {
    const asked = query();
    for (const [name, value] of Object.entries(changes)) {
      const text = Array.isArray(value) ? value.join(",") : (value ?? "");
      if (text === "") asked.delete(name);
      else asked.set(name, text);
    }
    const told = asked.toString().replaceAll("%2C", ","); // a comma parts ids here; the address stays readable
    history.replaceState(null, "", told ? `?${told}` : location.pathname);
    for (const link of document.querySelectorAll("#graphml")) link.search = location.search;
  };

  const ANEW = { start: null, q: null, memory: null, community: null, path: null, at: null, more: null, hide: null };

  parts.address = {
    query,
    list,
    put,
    // Goes to another place of the graph; what narrows it stays.
    go: (changes) => {
      const asked = query();
      for (const [name, value] of Object.entries({ ...ANEW, ...changes })) {
        if (value === null) asked.delete(name);
        else asked.set(name, value);
      }
      location.assign(`?${asked.toString().replaceAll("%2C", ",")}`);
    },
  };
})();
