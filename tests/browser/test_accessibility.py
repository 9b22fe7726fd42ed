"""axe-core on every page, in the light and in the dark; and that axe would have found something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import AXE, World

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
SOME = 6  # every so many-th page by default, on a phone those between
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


# Colours glide from one scheme to the other; half-way they are nobody's.
SETTLED = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    .then(() => Promise.allSettled(document.getAnimations()
        .filter(one => one instanceof CSSTransition).map(one => one.finished)))"""
ASK = "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']}).then(r => r.violations)"


def violations(page: Page) -> list[str]:
    """What axe finds on the page as it stands, in the light, and of its colours in the dark: nothing else differs."""
    page.evaluate(AXE.read_text())  # a script tag would be refused by the content policy, and rightly so
    found: list[tuple[str, dict[str, Any]]] = []
    for scheme, rules in (("dark", ["color-contrast"]), ("light", RULES)):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(SETTLED)
        found += [(scheme, violation) for violation in page.evaluate(ASK, rules)]
    return [f"{one['id']} ({scheme}): {node['html'][:160]}" for scheme, one in found for node in one["nodes"]]


def pages(world: World) -> list[str]:
    session = world.api.post("/sessions", json={"name": "standup"}).json()["id"]
    said = {"turns": [{"text": "We settled on SurrealDB.", "speaker": "Mina", "role": "user"}]}
    assert world.api.post(f"/sessions/{session}/turns", json=said).status_code in (200, 201, 202)
    made = world.api.post("/entities", json={"name": "Vega", "type": "project"}).json()["entity"]
    for number, text in enumerate(("Vega holds the plans.", "Vega moved on."), start=1):
        sent = {"text": text, "kind": "note", "occurred_at": f"2026-11-0{number}T10:00:00Z"}
        assert world.api.post("/memories", json=sent).status_code == 201
    assert world.api.post("/tree", json={"path": "team", "title": "team", "text": "- deploys\n"}).status_code == 201
    return [
        "/",
        "/?days=30&act=added",
        "/inbox/",
        "/memories/",
        "/memories/?kind=fact&state=held&state=archived",
        "/memories/?kind=digest",
        f"/memories/{world.ids[0]}/",
        "/facts/",
        "/facts/?as_of=2020-11-20",
        "/?as_of=2020-11-20",
        "/facts/?as_of=tomorrow",
        "/search/",
        "/search/?q=bucket",
        "/search/?q=zzzqqq&strategy=keyword",
        "/search/profiles/",
        "/search/golden/",
        "/search/golden/runs/",
        "/search/compare/",
        "/search/compare/?q=bucket&column=hybrid&column=rrf",
        "/benchmarks/",
        "/conflicts/",
        "/audit/",
        "/feedback/",
        "/traces/",
        "/sessions/",
        f"/sessions/{session}/",
        "/episodes/",
        "/summaries/",
        "/graph/",
        "/entities/",
        f"/entities/{made['id']}/",
        "/tree/",
        "/tree/team",
        "/consolidate/",
        "/context/",
        "/preview/",
        "/ingest/",
        "/jobs/",
        "/settings/",
        "/settings/spaces/",
        "/settings/people/",
        "/settings/keys/",
        "/settings/heartbeat/",
        "/settings/health/",
        "/settings/backups/",
        "/settings/move/",
        "/settings/me/",
        "/memories/0123456789abcdef/",
        "/no/such/page/",
    ]


def test_no_page_keeps_anybody_out(open_page: Open, world: World, in_full: bool) -> None:
    page = open_page()
    wrong = {}
    for address in pages(world)[:: 1 if in_full else SOME]:
        page.goto(world.url + address)
        if found := violations(page):
            wrong[address] = found
    assert wrong == {}


@pytest.mark.long
def test_the_phones_layout_keeps_nobody_out(open_page: Open, world: World, in_full: bool) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    wrong = {}
    for address in pages(world)[0 if in_full else SOME // 2 :: 1 if in_full else SOME]:
        page.goto(world.url + address)
        if found := violations(page):
            wrong[address] = found
    assert wrong == {}


@pytest.mark.long
def test_open_popovers_and_edits_are_clean_too(open_page: Open, world: World) -> None:
    page = open_page("/memories/")
    page.get_by_role("button", name="Write a memory").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.locator("button.trust").first.click()
    page.locator("#why .formula").wait_for()
    assert violations(page) == []
    page.goto(f"{world.url}/memories/{world.ids[0]}/")
    page.keyboard.press("e")
    page.get_by_label("Text", exact=True).wait_for()
    assert violations(page) == []


def test_a_planted_fault_is_found(open_page: Open) -> None:
    page = open_page("/jobs/")
    page.evaluate(
        """() => {
            const pale = document.createElement("p");
            pale.textContent = "too pale to read";
            pale.style.setProperty("color", "rgb(200, 200, 200)");
            pale.style.setProperty("background-color", "rgb(255, 255, 255)");
            document.querySelector("main").append(pale, document.createElement("img"));
        }"""
    )
    found = {line.split(" ")[0] for line in violations(page)}
    assert {"color-contrast", "image-alt"} <= found
