// A session that ended takes no typed words along: the page stays as it is, somebody signs in beside it, and what the
// page needs to be believed again (its token) is fetched anew.
(() => {
  const part = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });

  const ended = (login) => {
    if (document.querySelector("#signin")) return;
    const dialog = part("dialog", "", { id: "signin", className: "signin" });
    dialog.setAttribute("aria-labelledby", "signin-title");
    const row = part("div", "", { className: "row" });
    const close = part("button", "Close", { className: "btn quiet", type: "button" });
    row.append(part("a", "Sign in", { className: "btn main", target: "_blank", rel: "noopener", href: login }), close);
    dialog.append(
      part("h2", "Your session ended", { id: "signin-title" }),
      part("p", "Sign in again in a new tab, then come back here and save again. Your text is kept on this page."),
      row,
    );
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };

  // The token of a page that is drawn now, for the session of now. Resolves to whether somebody is signed in.
  const renew = async () => {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok || new URL(answer.url).pathname.startsWith("/login")) return false;
    const fresh = (await answer.text()).match(/"X-CSRFToken": "([A-Za-z0-9]+)"/)?.[1];
    if (!fresh) return false;
    const headers = JSON.parse(document.body.getAttribute("hx-headers"));
    document.body.setAttribute("hx-headers", JSON.stringify({ ...headers, "X-CSRFToken": fresh }));
    document.querySelectorAll("input[name=csrfmiddlewaretoken]").forEach((field) => {
      field.value = fresh;
    });
    return true;
  };

  const tell = (text) => dispatchEvent(new CustomEvent("toast", { detail: { text } }));

  addEventListener("session-ended", (event) => ended(event.detail.login));
  addEventListener("focus", async () => {
    const dialog = document.querySelector("#signin");
    if (dialog && (await renew().catch(() => false))) {
      dialog.close();
      tell("You are signed in again. Save again.");
    }
  });

  // A refusal without words is the form's own: somebody signed in anew since the page was loaded.
  addEventListener("htmx:responseError", async (event) => {
    const answer = event.detail.xhr;
    if (answer.status !== 403 || answer.getResponseHeader("HX-Trigger")) return;
    if (await renew().catch(() => false)) tell("You signed in again since this page was loaded. Try again.");
    else ended(`/login/?next=${encodeURIComponent(location.pathname)}`);
  });
})();
