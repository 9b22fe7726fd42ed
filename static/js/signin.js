// A session that ended takes no typed words along: the page stays as it is, somebody signs in beside it, and what the
// page needs to be believed again (its token) is fetched anew.
(() => {
  const ended = (login) => {
    if (document.querySelector("#signin")) return;
    const dialog = document.createElement("dialog");
    dialog.id = "signin";
    dialog.className = "signin";
    dialog.setAttribute("aria-labelledby", "signin-title");
    dialog.innerHTML = `
      <h2 id="signin-title">Your session ended</h2>
      <p>Sign in again in a new tab, then come back here and save once more. What you typed stays on this page.</p>
      <div class="row">
        <a class="btn main" target="_blank" rel="noopener">Sign in</a>
        <button class="btn quiet" type="button">Close</button>
      </div>`;
    dialog.querySelector("a").href = login;
    dialog.querySelector("button").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };

  // The token of a page that is drawn now, for the session of now. Resolves to whether somebody is signed in.
  const renew = async () => {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok || new URL(answer.url).pathname.startsWith("/login")) return false;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body.getAttribute("hx-headers");
    if (!fresh) return false;
    document.body.setAttribute("hx-headers", fresh);
    const token = JSON.parse(fresh)["X-CSRFToken"];
    document.querySelectorAll("input[name=csrfmiddlewaretoken]").forEach((field) => { field.value = token; });
    return true;
  };

  const tell = (text) => dispatchEvent(new CustomEvent("toast", { detail: { text } }));

  addEventListener("session-ended", (event) => ended(event.detail.login));
  addEventListener("focus", async () => {
    const dialog = document.querySelector("#signin");
    if (dialog && (await renew().catch(() => false))) {
      dialog.close();
      tell("You are signed in again. Save once more.");
    }
  });

  // A refusal without words is the form's own: somebody signed in anew since the page was loaded.
  addEventListener("htmx:responseError", async (event) => {
    const answer = event.detail.xhr;
    if (answer.status !== 403 || answer.getResponseHeader("HX-Trigger")) return;
    if (await renew().catch(() => false)) tell("You signed in again since this page was loaded. Try that once more.");
    else ended(`/login/?next=${encodeURIComponent(location.pathname)}`);
  });
})();
