"""The explorer with hand and keys: press, walk, expand, hide, filter, find a path, take it away."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World
from tests.browser.test_accessibility import violations

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
ATOMS = (
    "(uses :subject Jiwon :object Linux)",
    "(works_on :subject Jiwon :object Palimpsest)",
    "(uses :subject Palimpsest :object SurrealDB)",
    "(uses :subject Palimpsest :object pytest)",
    "(part_of :subject surrealkv :object SurrealDB)",
    "(part_of :subject RocksDB :object SurrealDB)",
    "(knows :subject Jiwon :object Mina)",
    '(works_at :subject Mina :object "Hangang Labs")',
    '(located_in :subject "Hangang Labs" :object Seoul)',
    "(uses :subject Bora :object Neovim)",
)


@pytest.fixture
def ids(world: World) -> dict[str, str]:
    """Ids by name, of entities that atoms named."""
    answer = world.api.post("/memories", json={"atoms": "\n".join(ATOMS)})
    assert answer.status_code in (200, 201), answer.text
    items = world.api.get("/entities", params={"limit": 100}).json()["items"]
    found = {item["name"]: item["id"] for item in items}
    assert {"Jiwon", "Palimpsest", "SurrealDB", "Seoul", "Neovim"} <= found.keys()
    return found


def drawn(page: Page) -> Page:
    page.locator("#canvas[data-ready]").wait_for()
    return page


def live(page: Page, what: str, *given: Any) -> Any:
    return page.evaluate(f"(given) => {{ const live = window.explorer.live; return {what}; }}", list(given))


def chosen(page: Page) -> str | None:
    key: str | None = live(page, "live.model.chosen")
    return key


def press(page: Page, key: str, *, twice: bool = False) -> None:
    """With a real mouse, where the node is."""
    x, y = live(page, "live.where(given[0])", key)
    box = page.locator("#stage").bounding_box()
    assert box is not None
    (page.mouse.dblclick if twice else page.mouse.click)(box["x"] + x, box["y"] + y)


def count(page: Page) -> int:
    return int(page.locator("#canvas").get_attribute("data-nodes") or 0)


@pytest.mark.long
def test_the_drawing_holds_what_the_scene_says(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Palimpsest']}&steps=1"))
    assert count(page) == 4
    assert live(page, "live.getGraph()?.order ?? live.model.nodes.size") == 4
    assert chosen(page) == ids["Palimpsest"]
    named = live(page, "[...live.drawn().named].map((id) => live.model.nodes.get(id).name)")
    assert set(named) == {"Palimpsest", "Jiwon", "SurrealDB", "pytest"}
    expect(page.locator("#same tbody tr")).to_have_count(3)
    expect(page.locator("#around")).to_contain_text("4 of")


def test_a_press_chooses_and_the_panel_and_table_follow(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Palimpsest']}&steps=2"))
    press(page, ids["SurrealDB"])
    expect(page.locator("#panel .own-name")).to_have_text("SurrealDB")
    assert chosen(page) == ids["SurrealDB"]
    expect(page.locator("#same tr.lit")).to_have_count(3)
    expect(page).to_have_url(re.compile(f"at={ids['SurrealDB']}"))
    expect(page.locator("#graph-said")).to_contain_text("SurrealDB, ")
    page.locator(f"#same a[data-node='{ids['Jiwon']}']").first.click()
    expect(page.locator("#panel .own-name")).to_have_text("Jiwon")
    page.reload()
    assert chosen(drawn(page)) == ids["Jiwon"]


@pytest.mark.long
def test_a_press_on_nothing_lets_go(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Palimpsest']}&steps=1"))
    box = page.locator("#stage").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 6, box["y"] + 6)
    expect(page.locator("#panel")).to_contain_text("Nothing selected")
    assert chosen(page) is None


def test_arrow_keys_walk_and_enter_expands(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Palimpsest']}&steps=1"))
    page.locator("#stage").focus()
    seen = {chosen(page)}
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
        seen.add(chosen(page))
    assert len(seen) >= 3
    live(page, "live.page.choose(given[0])", ids["SurrealDB"])
    before = live(page, "live.where(given[0])", ids["Jiwon"])
    page.keyboard.press("Enter")
    expect(page.locator("#canvas")).to_have_attribute("data-nodes", "6")
    assert live(page, "live.where(given[0])", ids["Jiwon"]) == before
    expect(page.locator("#graph-said")).to_contain_text("2 more around SurrealDB")
    expect(page).to_have_url(re.compile(f"more={ids['SurrealDB']}"))
    expect(page.locator("#same tbody tr")).to_have_count(5)
    page.reload()
    assert count(drawn(page)) == 6


@pytest.mark.long
def test_twice_expands_too_and_zoom_keys_move_the_camera(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Palimpsest']}&steps=1"))
    press(page, ids["Jiwon"], twice=True)
    page.wait_for_function("() => window.explorer.live.model.nodes.size > 4")
    page.locator("#stage").focus()
    unit = live(page, "live.stage.unit()")
    page.keyboard.press("+")
    page.wait_for_function("was => window.explorer.live.stage.unit() > was * 1.3", arg=unit)
    page.get_by_role("button", name="Zoom out").click()
    page.wait_for_function("was => Math.abs(window.explorer.live.stage.unit() / was - 1) < 0.05", arg=unit)


@pytest.mark.long
def test_backspace_hides_and_the_chip_brings_back(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Palimpsest']}&steps=1"))
    press(page, ids["pytest"])
    page.keyboard.press("Backspace")
    expect(page.locator("#canvas")).to_have_attribute("data-nodes", "3")
    expect(page.locator("#graph-chips")).to_contain_text("Hidden 1")
    assert chosen(page) not in (None, ids["pytest"])
    page.locator("#graph-chips a", has_text="Hidden").click()
    assert count(drawn(page)) == 4


def test_the_legend_hides_a_type_and_shows_it_again(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page("/graph/"))
    every = count(page)
    button = page.locator("[data-type]").first
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert count(page) < every
    page.reload()
    assert count(drawn(page)) < every
    page.locator("[data-type][aria-pressed=false]").click()
    expect(page.locator("#canvas")).to_have_attribute("data-nodes", str(every))


@pytest.mark.long
def test_a_path_is_found_with_two_marks(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Mina']}&steps=3"))
    press(page, ids["Seoul"])
    page.keyboard.press("p")
    expect(page.locator("#graph-said")).to_contain_text("From Seoul.")
    press(page, ids["SurrealDB"])
    page.keyboard.press("p")
    page.wait_for_url(re.compile("path="))
    drawn(page)
    path = ["Seoul", "Hangang Labs", "Mina", "Jiwon", "Palimpsest", "SurrealDB"]
    assert live(page, "[...live.model.path].map((id) => live.model.nodes.get(id).name)") == path
    expect(page.locator("#route .stop")).to_have_count(6)
    page.locator("#stage").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "path=" not in url)


def test_a_path_is_found_by_names_and_told_when_there_is_none(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page("/graph/"))
    page.get_by_role("button", name="Find a path").click()
    page.get_by_label("From", exact=True).fill("Bora")
    page.get_by_label("To", exact=True).fill("surr")
    expect(page.locator("#path-names option[value=SurrealDB]")).to_have_count(1)
    with page.expect_response(re.compile("/suggest/")):  # leaving would break it off: an error in the log
        page.get_by_label("To", exact=True).fill("SurrealDB")
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Find", exact=True).click()
    page.wait_for_url(re.compile("path="))
    expect(page.locator("#route")).to_contain_text("No path.")


@pytest.mark.long
def test_rows_light_their_edge_and_arrows_go_on(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Palimpsest']}&steps=1"))
    rows = page.locator("#same tbody tr")
    rows.nth(0).locator("td").nth(1).click()
    assert live(page, "live.model.edge") == rows.nth(0).get_attribute("data-edge")
    expect(rows.nth(0)).to_have_class(re.compile("chosen"))
    rows.nth(0).locator("[data-open]").focus()
    page.keyboard.press("ArrowDown")
    assert live(page, "live.model.edge") == rows.nth(1).get_attribute("data-edge")
    expect(rows.nth(1).locator("[data-open]")).to_be_focused()


@pytest.mark.long
def test_time_can_be_gone_back_in_and_left_again(open_page: Open, world: World, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Palimpsest']}&as_of=2020-01-01"))
    expect(page.locator(".asof")).to_contain_text("You are reading")
    assert live(page, "live.model.edges.size") == 0
    page.locator(".asof a").click()
    page.wait_for_url(lambda url: "as_of" not in url)
    assert live(drawn(page), "live.model.edges.size") > 0


@pytest.mark.long
def test_pictures_can_be_taken_away(open_page: Open, ids: dict[str, str], tmp_path: Path) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Palimpsest']}"))
    taken = {}
    for name, kind in (("Picture", "png"), ("Drawing", "svg"), ("GraphML", "graphml")):
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.locator("#export").get_by_text(name, exact=False).first.click()
        file = tmp_path / f"taken.{kind}"
        download.value.save_as(file)
        taken[kind] = file.read_bytes()
        assert download.value.suggested_filename.endswith(kind)
        page.keyboard.press("Escape")
    assert taken["png"].startswith(b"\x89PNG") and len(taken["png"]) > 5_000
    words = "".join(xml.fromstring(taken["svg"]).itertext())
    assert "Palimpsest" in words and "works on" in words
    assert b"graphml" in taken["graphml"] and b"SurrealDB" in taken["graphml"]


@pytest.mark.long
def test_renaming_and_merging_draw_the_graph_anew_and_can_be_undone(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Palimpsest']}&steps=1"))
    press(page, ids["pytest"])
    expect(page.locator("#panel .own-name")).to_have_text("pytest")
    page.locator("#panel").get_by_role("button", name="Rename").click()
    page.get_by_label("Name", exact=True).fill("py.test")
    page.locator("#rename").get_by_role("button", name="Rename").click()
    expect(page.locator("#panel .own-name")).to_have_text("py.test")
    expect(page.locator("#same")).to_contain_text("py.test")
    page.locator("#panel").get_by_role("button", name="Merge with…").click()
    page.get_by_label("py.test is the same as").fill("SurrealDB")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Merge into py.test").click()
    expect(page.locator("#canvas")).to_have_attribute("data-nodes", re.compile("^[34]$"))
    page.wait_for_function("key => !window.explorer.live.model.nodes.has(key)", arg=ids["SurrealDB"])
    expect(page.locator("#panel")).to_contain_text("SurrealDB is merged into it")
    page.locator(".toast", has_text="Merged").get_by_role("button", name="Undo").click()
    page.locator(".toast", has_text="Undone").wait_for()
    assert live(drawn(page), "live.model.nodes.has(given[0])", ids["SurrealDB"])


@pytest.mark.long
def test_without_webgl_a_plain_canvas_does_the_same(open_page: Open, ids: dict[str, str]) -> None:
    page = open_page()
    page.add_init_script(
        """{ const real = HTMLCanvasElement.prototype.getContext;
             HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
               return /webgl/.test(kind) ? null : real.call(this, kind, ...more); }; }"""
    )
    page.goto(page.url.split("/?")[0].rstrip("/") + f"/graph/?start={ids['Palimpsest']}&steps=1")
    drawn(page)
    expect(page.locator(".plain-stage")).to_have_count(1)
    press(page, ids["SurrealDB"])
    expect(page.locator("#panel .own-name")).to_have_text("SurrealDB")
    unit = live(page, "live.stage.unit()")
    page.mouse.wheel(0, -200)
    page.wait_for_function("was => window.explorer.live.stage.unit() > was", arg=unit)


def test_without_scripts_the_table_and_the_panel_can_be_read(open_page: Open, ids: dict[str, str]) -> None:
    page = open_page(f"/graph/?start={ids['Palimpsest']}", java_script_enabled=False)
    expect(page.locator("#panel .own-name")).to_have_text("Palimpsest")
    page.locator(f"#same a[href*='{ids['Jiwon']}']").first.click()
    expect(page.locator("#around")).to_contain_text("Around Jiwon")


@pytest.mark.long
def test_the_explorer_keeps_nobody_out(open_page: Open, world: World, ids: dict[str, str]) -> None:
    page = open_page()
    wrong = {}
    for address in (
        "/graph/", f"/graph/?start={ids['Palimpsest']}", f"/graph/?path={ids['Seoul']},{ids['Jiwon']}",
        f"/graph/?start={ids['Jiwon']}&as_of=2020-01-01",
    ):  # fmt: skip
        page.goto(world.url + address)
        drawn(page)
        if found := violations(page):
            wrong[address] = found
    for name in ("Find a path", "Export", "+ Trust at least", "+ Start"):
        page.goto(f"{world.url}/graph/?start={ids['Jiwon']}")
        drawn(page).get_by_role("button", name=name).click()
        if found := violations(page):
            wrong[name] = found
    assert wrong == {}


@pytest.mark.long
def test_a_phone_shows_the_drawing_over_the_panel(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Jiwon']}", viewport={"width": 360, "height": 780}, has_touch=True))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    stage, panel = page.locator("#stage").bounding_box(), page.locator("#panel").bounding_box()
    assert stage is not None and panel is not None
    assert stage["width"] > 320 and panel["y"] > stage["y"] + stage["height"]
    assert violations(page) == []
    x, y = live(page, "live.where(given[0])", ids["Mina"])
    page.touchscreen.tap(stage["x"] + x, stage["y"] + y)
    expect(page.locator("#panel .own-name")).to_have_text("Mina")
