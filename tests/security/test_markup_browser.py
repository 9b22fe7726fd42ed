"""The same in a real browser: every shape on its pages; nothing ran, was fetched, or was stopped at the last door."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import World, browser_context_args, contexts, open_page, signed_in, world  # noqa: F401
from tests.security.payloads import OUT_OF_A_PLACE, SHAPES

pytestmark = pytest.mark.browser

Open = Callable[..., Page]
_LOOK = r"""() => {
  const bad = [];
  const tells = (one, name, value) => bad.push(`${one.tagName} ${name}=${value}`);
  for (const one of document.querySelectorAll("*")) {
    for (const { name, value } of one.attributes) {
      if (/^on|^srcdoc$/.test(name)) tells(one, name, value);
      const address = /^(href|src|action|formaction)$/.test(name);
      if (address && /^[\s\0-\x20]*(javascript|data|vbscript):/i.test(value)) tells(one, name, value);
    }
    if (/^(IFRAME|OBJECT|EMBED|BASE|MATH|FRAMESET|APPLET)$/.test(one.tagName)) bad.push(one.tagName);
    const ours = (one.src || "").startsWith(`${location.origin}/static/`) || one.type === "application/json";
    if (one.tagName === "SCRIPT" && !ours) bad.push(`SCRIPT ${one.textContent.slice(0, 80)}`);
  }
  return { bad, hits: window.hits || 0 };
}"""


def test_nothing_of_what_was_written_runs(open_page: Open, world: World) -> None:  # noqa: F811
    every = world.api.post("/memories", json={"text": "\n\n".join(SHAPES), "title": OUT_OF_A_PLACE[0]}).json()["id"]
    names = " ".join(f"[[{shape[:60]}]]" for shape in OUT_OF_A_PLACE[:6])
    assert world.api.post("/memories", json={"text": names, "tags": list(OUT_OF_A_PLACE[:5])}).is_success
    talk = world.api.post("/sessions", json={"name": OUT_OF_A_PLACE[0]}).json()["id"]
    turns = [{"text": shape, "speaker": OUT_OF_A_PLACE[1]} for shape in SHAPES[:60]]
    assert world.api.post(f"/sessions/{talk}/turns", json={"turns": turns}).is_success
    node = {"path": "their/own", "title": OUT_OF_A_PLACE[6], "text": "\n\n".join(SHAPES)}
    assert world.api.post("/tree", json=node).is_success
    entity = next(one["id"] for one in world.api.get("/entities").json()["items"] if "<" in one["name"])
    page = open_page("/")
    page.add_init_script("window.hits = 0; window.hit = () => { window.hits += 1; };")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: asked.append(f"dialog {dialog.message}"))
    for address in (
        f"/memories/{every}/", "/memories/", f"/sessions/{talk}/", "/tree/their/own", f"/entities/{entity}/",
        "/graph/", "/search/?q=%22%3E%3Csvg+onload%3Dhit()%3E", "/audit/", "/entities/",
    ):  # fmt: skip
        page.goto(world.url + address, wait_until="load")
        told = page.evaluate(_LOOK)
        assert told == {"bad": [], "hits": 0}, (address, told)
    # Pressed, too, as the browser reads them: whatever link the words became leads to a page, and not into a script.
    page.goto(f"{world.url}/memories/{every}/")
    schemes = page.eval_on_selector_all("main a", "links => links.map((one) => one.protocol)")
    assert len(schemes) > 20 and set(schemes) <= {"http:", "https:", "mailto:", ":"}  # the last: no address at all
    assert not [url for url in asked if not url.startswith((world.url, "data:"))], "nothing was asked of anybody else"
