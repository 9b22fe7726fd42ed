"""The explorer with hand and keys: press, walk, expand, hide, filter, find a path, take it away."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, Route, expect

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
    assert live(page, "live.drawn().spots.size") == 4
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


@pytest.mark.long
def test_the_legend_shows_one_type_and_then_all_again(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page("/graph/"))
    every = count(page)
    person, tool = page.locator("[data-type=person]"), page.locator("[data-type=tool]")
    person.click()
    expect(person).to_have_attribute("aria-pressed", "true")
    assert live(page, "new Set(live.model.shownNodes().map((node) => node.type)).size") == 1
    page.reload()
    assert 0 < count(drawn(page)) < every
    tool.click(modifiers=["Shift"])
    expect(page.locator("[data-type][aria-pressed=true]")).to_have_count(2)
    tool.click(modifiers=["Shift"])
    person.click()
    expect(page.locator("#canvas")).to_have_attribute("data-nodes", str(every))
    expect(page).to_have_url(re.compile(r"/graph/$"))


@pytest.mark.long
def test_a_relation_is_switched_off_in_the_drawing_and_in_the_table(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page("/graph/"))
    rows = page.locator("#same tbody tr")
    before, edges = rows.count(), live(page, "live.drawn().lines.length")
    page.locator("[data-kind=uses]").click()
    expect(page.locator("[data-kind=uses]")).to_have_attribute("aria-pressed", "false")
    left = live(page, "live.model.shownEdges().length")
    assert left < edges and live(page, "live.model.shownEdges().every((edge) => edge.type !== 'uses')")
    expect(rows).to_have_count(left)
    page.reload()
    assert live(drawn(page), "live.model.shownEdges().length") == left
    page.locator("[data-kind=uses]").click()
    expect(rows).to_have_count(before)


@pytest.mark.long
def test_what_one_points_at_or_selects_makes_the_rest_step_back(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page("/graph/"))
    box = page.locator("#stage").bounding_box()
    assert box is not None and live(page, "live.focus().share") == 0
    x, y = live(page, "live.where(given[0])", ids["Seoul"])
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.wait_for_function("key => window.explorer.live.focus().id === key", arg=ids["Seoul"])
    named = set(live(page, "[...live.drawn().named]"))
    assert {ids["Seoul"], ids["Hangang Labs"]} == named  # what steps back is named no more
    page.mouse.click(box["x"] + x, box["y"] + y)
    page.mouse.move(box["x"] + 4, box["y"] + box["height"] - 4)
    assert live(page, "live.focus()") == {"id": ids["Seoul"], "share": 1}
    page.keyboard.press("Escape")
    assert live(page, "live.focus()") == {"id": None, "share": 0}


def test_the_search_finds_an_entity_where_it_stands(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page("/graph/"))
    page.locator("#stage").focus()
    page.keyboard.press("/")
    expect(page.locator("#seek")).to_be_focused()
    expect(page.locator("#seek-names")).to_contain_text("Most connected")
    page.keyboard.type("surrealk")
    expect(page.locator("#seek-names [data-entity]")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    active = page.locator("#seek").get_attribute("aria-activedescendant")
    assert active == f"seek-{ids['surrealkv']}"
    page.keyboard.press("Enter")
    expect(page.locator("#panel .own-name")).to_have_text("surrealkv")
    assert chosen(page) == ids["surrealkv"]
    expect(page.locator("#stage")).to_be_focused()
    expect(page.locator("#seek-names")).to_be_hidden()


@pytest.mark.long
def test_the_search_starts_a_scene_of_what_is_not_drawn_and_searches_memories(
    open_page: Open, ids: dict[str, str]
) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Bora']}"))
    page.locator("#seek").fill("hangang")
    expect(page.locator("#seek-names [data-entity]")).to_have_count(1)
    page.locator("#seek-names [data-entity]").click()
    page.wait_for_url(re.compile(f"start={ids['Hangang Labs']}"))
    drawn(page).locator("#seek").fill("zzxx")
    expect(page.locator("#seek-names")).to_contain_text("What memories of “zzxx” mention")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("q=zzxx"))
    expect(page.locator("#around")).to_contain_text("mentions no entity")


@pytest.mark.long
def test_the_drawing_fills_the_screen_and_comes_back(open_page: Open, ids: dict[str, str]) -> None:
    page = drawn(open_page("/graph/"))
    small = page.locator("#stage").bounding_box()
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("() => document.fullscreenElement?.matches('.explore')")
    page.wait_for_function("was => document.querySelector('#stage').clientHeight > was", arg=(small or {})["height"])
    expect(page.locator("#panel")).to_be_visible()
    page.locator("#stage").focus()
    page.keyboard.press("w")
    page.wait_for_function("() => !document.fullscreenElement")


def far_scene(groups: int, members: int) -> tuple[dict[str, Any], Callable[[int], dict[str, Any]]]:
    """An overview of so many communities in rows, and each of them from close by, as the server tells them."""

    def close(number: int) -> dict[str, Any]:
        keys = [f"{number:08x}{n:08x}" for n in range(members)]
        nodes = [
            {"id": key, "name": f"thing {number}.{n}", "type": "tool", "state": "known", "memories": 2, "links": 2,
             "hidden": 0, "x": (n % 8) / 8, "y": (n // 8) / 8, "trust": 0.9, "community": number, "depth": 0}
            for n, key in enumerate(keys)
        ]  # fmt: skip
        return scene_json(nodes=nodes, edges=[edge(a, b) for a, b in pairwise(keys)])

    def edge(a: str, b: str) -> dict[str, Any]:
        return {"id": f"{a}-{b}", "source": a, "target": b, "kind": "relation", "type": "uses", "label": "",
                "state": "held", "hint": False, "weight": 1, "trust": 0.9}  # fmt: skip

    def scene_json(**given: Any) -> dict[str, Any]:
        total = groups * members
        empty: dict[str, Any] = {"nodes": [], "edges": [], "communities": [], "starts": []}
        return {**empty, "types": {"tool": total}, "total": total, **given}

    communities = [
        {"number": n, "size": members, "names": [f"thing {n}.0"], "types": {"tool": members},
         "x": 0.1 + 0.8 * (n % 10) / 10, "y": 0.1 + 0.8 * (n // 10) / max(groups // 10, 1)}
        for n in range(groups)
    ]  # fmt: skip
    joined = [{**edge(str(n), str(n + 1)), "kind": "together"} for n in range(groups - 1)]
    return scene_json(communities=communities, edges=joined), close


def far_page(open_page: Open, groups: int, members: int) -> Page:
    whole, close = far_scene(groups, members)
    page = open_page()

    def answer(route: Route) -> None:
        number = re.search(r"community=(\d+)", route.request.url)
        route.fulfill(json=close(int(number[1])) if number else whole)

    page.route("**/graph/scene/**", answer)
    for beside in ("community", "panel"):
        page.route(f"**/graph/{beside}/**", lambda route: route.fulfill(body="<p>Told elsewhere.</p>"))
    page.goto(page.url.split("/?")[0].rstrip("/") + "/graph/")
    return drawn(page)


def test_a_community_opens_where_it_stands_and_closes_again(open_page: Open, ids: dict[str, str]) -> None:
    page = far_page(open_page, 30, 40)
    assert live(page, "live.drawn().spots.size") == 30
    assert set(live(page, "[...live.drawn().named]")) == {str(n) for n in range(30)}
    press(page, "4")
    page.wait_for_function("() => window.explorer.live.model.nodes.size >= 40")  # what comes near opens too
    page.wait_for_function("() => !window.explorer.live.drawn().spots.has('4')")
    assert chosen(page) == "4"
    assert live(page, "live.drawn().titles.some((title) => title.id === '4')")
    page.locator("#stage").focus()
    page.keyboard.press("ArrowRight")
    assert live(page, "live.model.nodes.get(live.model.chosen).community") == "4"
    page.keyboard.press("f")  # what is chosen is drawn besides, though its community is closed
    page.wait_for_function("() => window.explorer.live.drawn().spots.has('4')")
    assert live(page, "live.drawn().spots.size") == 31


@pytest.mark.long
def test_zooming_in_opens_what_comes_near_and_a_ring_is_drawn_of_one_type(open_page: Open, ids: dict[str, str]) -> None:
    page = far_page(open_page, 30, 40)
    assert live(page, "live.svg().match(/a[0-9.]+ [0-9.]+ 0 1 0/g).length") >= 120  # a disc and its ring, each whole
    live(page, "live.stage.look(live.model.communities.get('7').x, live.model.communities.get('7').y, 4000)")
    page.wait_for_function("() => [...window.explorer.live.drawn().spots.values()].some((spot) => spot.node)")
    assert live(page, "live.model.communities.get('7').members.length") == 40
    assert live(page, "live.model.nodes.size") < 30 * 40  # only those near are asked for


@pytest.mark.long
def test_a_frame_of_a_large_graph_is_little_work(open_page: Open, ids: dict[str, str]) -> None:
    page = far_page(open_page, 59, 85)  # 5,015 entities
    assert live(page, "live.drawn().marks") < 59 * 12
    live(page, "live.stage.look(live.model.communities.get('7').x, live.model.communities.get('7').y, 4000)")
    page.wait_for_function("() => [...window.explorer.live.drawn().spots.values()].some((spot) => spot.node)")
    frames = live(
        page,
        """(async () => {
             const marks = [];
             const { x, y } = live.model.communities.get('7');
             for (let n = 0; n < 12; n++) {
               live.stage.look(x + n / 40, y, 540 + n * 500);
               await new Promise((done) => setTimeout(done, 60));
               marks.push(live.drawn().marks);
             }
             return marks;
           })()""",
    )
    assert max(frames) < 2_500, frames
    rest = live(
        page,
        """(async () => {
             await new Promise((done) => setTimeout(done, 500));
             let drawn = 0;
             const paint = window.explorer.paint;
             window.explorer.paint = (...given) => (drawn++, paint(...given));
             await new Promise((done) => setTimeout(done, 500));
             window.explorer.paint = paint;
             return drawn;
           })()""",
    )
    assert rest <= 1  # nothing is drawn while nothing moves


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


@pytest.mark.long
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
    expect(rows.nth(0)).to_have_class(re.compile("picked"))
    assert rows.nth(0).evaluate("row => getComputedStyle(row).display") == "table-row"
    rows.nth(0).locator("[data-open]").focus()
    page.keyboard.press("ArrowDown")
    assert live(page, "live.model.edge") == rows.nth(1).get_attribute("data-edge")
    expect(rows.nth(1).locator("[data-open]")).to_be_focused()


@pytest.mark.long
def test_time_can_be_gone_back_in_and_left_again(open_page: Open, world: World, ids: dict[str, str]) -> None:
    page = drawn(open_page(f"/graph/?start={ids['Palimpsest']}&as_of=2020-01-01"))
    expect(page.locator(".asof")).to_contain_text("You are looking at")
    assert live(page, "live.model.edges.size") == 0
    page.locator(".asof a").click()
    page.wait_for_url(lambda url: "as_of" not in url)
    assert live(drawn(page), "live.model.edges.size") > 0


@pytest.mark.long
def test_the_time_line_tells_its_dates_and_goes_moment_by_moment(
    open_page: Open, world: World, ids: dict[str, str]
) -> None:
    session = world.api.post("/sessions", json={}).json()["id"]
    said = {"turns": [{"text": "Jiwon met Mina.", "at": "2020-05-01T09:00:00Z"}]}
    assert world.api.post(f"/sessions/{session}/turns", json=said).status_code == 202
    page = drawn(open_page("/graph/"))
    for _ in range(60):  # until the turn is read
        if "1 May 2020" in page.locator("#time").inner_text():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(page.locator("#time .axis")).to_contain_text("1 May 2020")
    expect(page.locator("#when-told")).to_have_text("Now")
    page.get_by_role("button", name="Next moment").click()  # these pages ask for less motion
    expect(page.locator("#when-told")).to_have_text(re.compile("1 May 2020"))
    expect(page).to_have_url(re.compile("as_of=2020-05-01"))
    expect(page.locator(".asof")).to_contain_text("You are looking at")
    page.get_by_role("button", name="Next moment").click()
    expect(page.locator("#when-told")).to_have_text(re.compile(r"\d+ \w+ 2020"))
    page.locator("#now").click()
    expect(page.locator("#when-told")).to_have_text("Now")


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
    words = "".join(ElementTree.fromstring(taken["svg"]).itertext())
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


@pytest.mark.long
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
    for name in ("Find a path", "Export", "+ Trust at least"):
        page.goto(f"{world.url}/graph/?start={ids['Jiwon']}")
        drawn(page).get_by_role("button", name=name).click()
        if found := violations(page):
            wrong[name] = found
    for name in ("search", "full screen"):
        page.goto(f"{world.url}/graph/")
        drawn(page)
        if name == "search":
            page.locator("#seek").focus()
            page.locator("#seek-names [role=option]").first.wait_for()
        else:
            page.get_by_role("button", name="Full screen").click()
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
