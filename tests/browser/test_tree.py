"""The Context Tree with hand and keys: walk, open, move, drag, ask, edit with a preview, split, import, undo."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import World
from tests.browser.test_accessibility import violations
from tests.sampling import sample

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LARGE = "".join(
    f"## Part {n}\n\n"
    + "".join(f"- What part {n} met on day {day}, and what was done about it.\n" for day in range(30))
    for n in range(7)
)
NODES: tuple[dict[str, Any], ...] = (
    {"path": "identity/values", "title": "가치관", "keywords": ["가치관"], "text": "- 먼저 듣고 나서 말한다.\n"},
    {"path": "infra/gpu", "title": "GPU: what runs where", "keywords": ["gpu", "임베딩"], "text": "- One line.\n"},
    {"path": "infra/deploy", "title": "배포", "keywords": ["배포"], "text": "- 배포는 금요일 16시부터 멈춘다.\n"},
    {"path": "infra/surrealdb", "title": "SurrealDB", "keywords": ["surrealdb"], "text": LARGE},
    {"path": "cron", "title": "cron", "keywords": ["cron"], "text": "- 03:00 backup.\n"},
)
ALL = ["identity", "identity/values", "infra", "infra/gpu", "infra/deploy", "infra/surrealdb", "cron"]


@pytest.fixture
def grown(world: World) -> World:
    for node in NODES:
        answer = world.api.post("/tree", json=node)
        assert answer.status_code == 201, answer.text
    return world


def twig(page: Page, path: str) -> Locator:
    return page.locator(f'#branch .twig[href="/tree/{path}"]')


def seen(page: Page) -> list[str]:
    """Paths of the lines that show."""
    found = page.locator("#branch .twig:visible").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    return [unquote(one.removeprefix("/tree/")) for one in found]


def focused(page: Page) -> str:
    return unquote(page.evaluate("document.activeElement.getAttribute('href')").removeprefix("/tree/"))


def order(page: Page, *paths: str) -> None:
    """Waits until the tree shows just these."""
    expect(page.locator("#branch .twig:visible")).to_have_count(len(paths))
    page.wait_for_function(
        """paths => [...document.querySelectorAll('#branch .twig')].filter((one) => one.offsetParent)
            .map((one) => decodeURIComponent(one.getAttribute('href')).slice(6)).join() === paths.join()""",
        arg=list(paths),
    )


def toast(page: Page, text: str | re.Pattern[str]) -> Locator:
    found = page.locator(".toast", has_text=text)
    expect(found).to_be_visible()
    return found


def test_arrows_walk_open_and_close_and_enter_shows(open_page: Open, grown: World) -> None:
    page = open_page("/tree/")
    order(page, *ALL)
    twig(page, "identity").focus()
    page.keyboard.press("ArrowDown")
    assert focused(page) == "identity/values"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert focused(page) == "identity"
    order(page, *(path for path in ALL if path != "identity/values"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert focused(page) == "infra/gpu"
    page.keyboard.press("Enter")
    expect(page.locator("#node h2.own")).to_have_text("GPU: what runs where")
    expect(page).to_have_url(re.compile("/tree/infra/gpu$"))
    expect(page).to_have_title(re.compile("^GPU: what runs where"))
    expect(twig(page, "infra/gpu")).to_have_attribute("aria-current", "true")
    assert focused(page) == "infra/gpu", "whoever reads on with the arrows stays in the tree"
    page.keyboard.press("End")
    assert focused(page) == "cron"
    page.keyboard.press("Home")
    assert focused(page) == "identity"
    page.keyboard.press("Shift+C")
    assert focused(page) == "cron"


@pytest.mark.long
def test_what_was_closed_stays_closed_and_the_way_to_a_node_is_open(open_page: Open, grown: World) -> None:
    page = open_page("/tree/")
    twig(page, "infra").locator(".fold").click()
    expect(page).to_have_url(re.compile("/tree/$"))
    order(page, "identity", "identity/values", "infra", "cron")
    page.reload()
    order(page, "identity", "identity/values", "infra", "cron")
    page.goto(f"{grown.url}/tree/infra/gpu")
    order(page, *ALL)


@pytest.mark.long
def test_the_address_is_the_node_and_back_goes_back(open_page: Open, grown: World) -> None:
    page = open_page("/tree/cron")
    twig(page, "infra/gpu").click()
    expect(page.locator("#node h2.own")).to_have_text("GPU: what runs where")
    page.go_back()
    expect(page.locator("#node h2.own")).to_have_text("cron")
    expect(twig(page, "cron")).to_have_attribute("aria-current", "true")


@pytest.mark.long
def test_a_question_lights_what_it_reaches_while_it_is_typed(open_page: Open, grown: World) -> None:
    page = open_page("/tree/cron")
    twig(page, "infra").locator(".fold").click()
    page.keyboard.press("r")
    page.keyboard.type("임베딩은 어디서 돌려?")
    expect(page.locator("#reach-told")).to_contain_text("임베딩 was found inside 임베딩은.")
    expect(page.locator(".twig.reached")).to_have_count(1)
    expect(twig(page, "infra/gpu")).to_have_class(re.compile("reached"))
    expect(twig(page, "infra/gpu")).to_be_visible()
    assert "q=" in page.url
    twig(page, "infra/gpu").click()
    expect(page).to_have_url(re.compile(r"/tree/infra/gpu\?q="))
    page.reload()
    expect(twig(page, "infra/gpu")).to_have_class(re.compile("reached"))
    page.locator("#reach").fill("")
    expect(page.locator(".twig.reached")).to_have_count(0)
    expect(page).to_have_url(re.compile("/tree/infra/gpu$"))


@pytest.mark.long
def test_alt_and_an_arrow_reorder_and_undo_puts_it_back(open_page: Open, grown: World) -> None:
    page = open_page("/tree/")
    twig(page, "infra/deploy").focus()
    page.keyboard.press("Alt+ArrowUp")
    toast(page, "deploy was moved.")
    order(page, "identity", "identity/values", "infra", "infra/deploy", "infra/gpu", "infra/surrealdb", "cron")
    assert focused(page) == "infra/deploy"
    page.keyboard.press("u")
    order(page, *ALL)


def test_a_node_is_dragged_onto_another_and_between_two(open_page: Open, grown: World) -> None:
    page = open_page("/tree/infra/gpu")
    twig(page, "cron").drag_to(twig(page, "identity"))
    toast(page, "cron is now identity/cron.")
    order(page, "identity", "identity/values", "identity/cron", *ALL[2:6])
    box = twig(page, "infra/gpu").bounding_box()
    assert box is not None
    twig(page, "identity/cron").drag_to(twig(page, "infra/gpu"), target_position={"x": 60, "y": box["height"] - 2})
    order(page, "identity", "identity/values", "infra", "infra/gpu", "infra/cron", "infra/deploy", "infra/surrealdb")
    twig(page, "infra/cron").drag_to(page.locator("#branch > header"))
    order(page, *ALL)


@pytest.mark.long
def test_a_dragged_branch_takes_the_open_node_along(open_page: Open, grown: World) -> None:
    page = open_page("/tree/infra/gpu")
    twig(page, "infra").drag_to(twig(page, "identity"))
    page.wait_for_url(re.compile("/tree/identity/infra/gpu$"))
    toast(page, "infra is now identity/infra.").get_by_role("button").click()
    page.wait_for_url(re.compile("/tree/infra/gpu$"))
    order(page, *ALL)


@pytest.mark.long
def test_m_moves_what_has_the_focus(open_page: Open, grown: World) -> None:
    page = open_page("/tree/infra/gpu")
    twig(page, "cron").focus()
    page.keyboard.press("m")
    expect(page.get_by_role("heading", name="Move cron")).to_be_visible()
    page.get_by_label("Under").fill("infra")
    page.get_by_label("Name", exact=True).fill("gpu")
    page.locator("#tree-do").get_by_role("button", name="Move").click()
    expect(page.locator("#tree-do [role=alert]")).to_contain_text("already")
    page.get_by_label("Name", exact=True).fill("timers")
    page.locator("#tree-do").get_by_role("button", name="Move").click()
    toast(page, "cron is now infra/timers.")
    expect(page.locator("#tree-do")).to_be_hidden()
    order(page, *ALL[:6], "infra/timers")


@pytest.mark.long
def test_an_edit_is_seen_before_it_is_saved(open_page: Open, grown: World) -> None:
    page = open_page("/tree/infra/gpu")
    page.keyboard.press("e")
    field = page.get_by_role("textbox", name="Markdown")
    expect(field).to_be_focused()
    field.fill("- One line.\n- 다른 줄 **굵게**.\n")
    expect(page.locator("#edit-preview strong")).to_have_text("굵게")
    expect(page.locator("#edit-size")).to_have_text("37 B")
    assert violations(page) == []
    field.press("Control+Enter")
    undo = toast(page, "Saved.")
    expect(page.locator("#node .prose li")).to_have_count(2)
    expect(page.locator("#node h2.own")).to_be_visible()
    undo.get_by_role("button").click()
    expect(page.locator("#node .prose li")).to_have_count(1)


@pytest.mark.long
def test_escape_leaves_an_edit_and_nothing_is_saved(open_page: Open, grown: World) -> None:
    page = open_page("/tree/infra/gpu")
    twig(page, "cron").focus()
    page.keyboard.press("e")
    page.wait_for_url(re.compile(r"/tree/cron\?edit=1"))
    field = page.get_by_role("textbox", name="Markdown")
    field.fill("- Gone.\n")
    field.press("Escape")
    expect(page.locator("#node .prose")).to_contain_text("03:00 backup.")


def test_words_stay_when_somebody_else_was_quicker(open_page: Open, grown: World) -> None:
    page = open_page("/tree/cron")
    page.keyboard.press("e")
    field = page.get_by_role("textbox", name="Markdown")
    field.fill("- Mine.\n")
    node = grown.api.get("/tree/nodes/cron").json()
    answer = grown.api.patch(f"/memories/{node['id']}", json={"text": "- Theirs.\n"})
    assert answer.status_code == 200, answer.text
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#node [role=alert]")).to_contain_text("changed while you were editing")
    expect(page.locator("#node [role=alert] del")).to_contain_text("Theirs.")
    expect(page.get_by_role("textbox", name="Markdown")).to_have_value("- Mine.\n")
    page.get_by_role("button", name="Save").click()
    toast(page, "Saved.")
    expect(page.locator("#node .prose")).to_contain_text("Mine.")


@pytest.mark.long
def test_keywords_are_tags(open_page: Open, grown: World) -> None:
    page = open_page("/tree/infra/gpu")
    page.get_by_role("button", name="Edit the keywords").click()
    page.get_by_role("button", name="Remove gpu").click()
    field = page.get_by_label("Add one")
    field.fill("H100")
    field.press("Enter")
    field.fill("임베딩")
    field.press("Enter")
    field.fill("비용")
    assert violations(page) == []
    page.get_by_role("button", name="Save").click()
    toast(page, "3 keywords now.")
    expect(page.locator("#node .keywords .tag")).to_have_text(["임베딩", "H100", "비용"])


@pytest.mark.long
def test_a_weight_is_saved_as_it_is_moved(open_page: Open, grown: World) -> None:
    page = open_page("/tree/infra/gpu")
    page.get_by_role("slider", name="Weight").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    toast(page, "gpu now has weight 1.3.")
    expect(page.locator("#node .kv").first).to_contain_text("1.3")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#node .kv").first).to_contain_text("1.0")


@pytest.mark.long
def test_a_split_is_looked_at_left_and_made(open_page: Open, grown: World) -> None:
    page = open_page("/tree/cron")
    page.locator("#tree-large").get_by_role("link", name="Preview the split").click()
    expect(page.get_by_role("heading", name="Split infra/surrealdb")).to_be_visible()
    rows = page.locator("#split tbody tr")
    made = rows.count()
    assert made >= 2
    assert violations(page) == []
    page.locator("#split").get_by_role("button", name="Cancel").click()
    expect(rows).to_have_count(0)
    page.locator("#tree-large").get_by_role("link", name="Preview the split").click()
    page.get_by_role("button", name="Split", exact=True).click()
    toast(page, f"infra/surrealdb became {made} nodes.")
    expect(page.locator('#branch .twig[href^="/tree/infra/surrealdb/"]')).to_have_count(made)
    expect(page.locator("#tree-large .note")).to_have_count(0)
    page.keyboard.press("u")
    order(page, *ALL)


@pytest.mark.long
def test_what_waits_is_taken_in_and_left_out(open_page: Open, grown: World) -> None:
    for text in ("The gpu idles at 22 W.", "A gpu is never quiet."):
        assert grown.api.post("/memories", json={"text": text, "kind": "fact"}).status_code in (200, 201)
    page = open_page("/tree/infra/gpu")
    waiting = page.locator("#waiting")
    expect(waiting).to_contain_text("routed by keyword gpu")
    waiting.locator("li", has_text="22 W").get_by_role("button", name="Accept").click()
    toast(page, "Added to infra/gpu.")
    expect(page.locator("#node .prose li", has_text="22 W").locator("a small")).to_be_visible()
    waiting.locator("li", has_text="never quiet").get_by_role("button", name="Skip").click()
    expect(waiting).to_contain_text("Nothing pending.")


@pytest.mark.long
def test_a_new_node_is_made_where_one_is(open_page: Open, grown: World) -> None:
    page = open_page("/tree/infra")
    page.get_by_role("button", name="New node").click()
    expect(page.get_by_label("Path")).to_have_value("infra/")
    assert violations(page) == []
    page.get_by_label("Path").fill("infra/backup")
    page.locator("#new-text").fill("- Nightly.\n")
    page.locator("#tree-do").get_by_role("button", name="Create").click()
    page.wait_for_url(re.compile("/tree/infra/backup$"))
    toast(page, "infra/backup was created.")
    order(page, *ALL[:6], "infra/backup", "cron")


@pytest.mark.long
def test_a_tree_is_imported_after_it_was_looked_at(open_page: Open, world: World, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("tree-index.json", json.dumps({"nodes": {"identity/values": {"keywords": ["가치관"]}}}))
        archive.writestr("bank/identity/values.md", "- 먼저 듣고 나서 말한다.\n")
        archive.writestr("bank/cron.md", "- 03:00\n")
    (tmp_path / "tree.zip").write_bytes(packed.getvalue())
    page = open_page("/tree/")
    page.get_by_role("button", name="Import a tree").click()
    page.locator("#bring-files").set_input_files(tmp_path / "tree.zip")
    page.get_by_role("button", name="Preview import").click()
    expect(page.locator("#brought")).to_contain_text("Nothing has been imported yet.")
    assert violations(page) == []
    page.locator("#brought").get_by_role("button", name="Import").click()
    toast(page, "Imported: 3 added.")
    order(page, "cron", "identity", "identity/values")
    page.keyboard.press("u")
    expect(page.get_by_role("heading", name="No Context Tree yet.")).to_be_visible()


@pytest.mark.long
def test_a_folder_is_imported_with_its_paths(open_page: Open, world: World, tmp_path: Path) -> None:
    (tmp_path / "notes" / "bank" / "people").mkdir(parents=True)
    (tmp_path / "notes" / "bank" / "people" / "mina.md").write_text("- Mornings.\n")
    (tmp_path / "notes" / "bank" / "picture.png").write_bytes(b"\x89PNG")
    page = open_page("/tree/")
    page.get_by_role("button", name="Import", exact=True).click()
    page.locator("#bring-folder").set_input_files(tmp_path / "notes")
    expect(page.locator("[data-chosen]")).to_contain_text("mina.md, 1 KB")
    page.get_by_role("button", name="Preview import").click()
    page.locator("#brought").get_by_role("button", name="Import").click()
    order(page, "people", "people/mina")


@pytest.mark.long
def test_deeper_lines_come_when_their_branch_is_opened(open_page: Open, world: World) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for n in range(20):
            for m in range(12):
                archive.writestr(f"bank/part {n:02d}/page {m:02d}.md", f"- {n}, {m}\n")
        for n in range(130):
            archive.writestr(f"bank/wide/day {n:03d}.md", f"- {n}\n")
    sent = world.api.post("/tree/import", files={"file": ("tree.zip", packed.getvalue(), "application/zip")})
    assert sent.status_code == 200, sent.text
    page = open_page("/tree/part%2007/page%2003")
    expect(twig(page, "part%2007/page%2003")).to_have_attribute("aria-current", "true")
    expect(page.locator('#branch .twig[href^="/tree/part%2012/"]')).to_have_count(0)
    twig(page, "part%2012").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator('#branch .twig[href^="/tree/part%2012/"]')).to_have_count(12)
    page.keyboard.press("ArrowRight")
    assert focused(page) == "part 12/page 00"
    twig(page, "wide").locator(".fold").click()
    page.locator("#branch .twig[data-more]").click()
    expect(page.locator('#branch .twig[href^="/tree/wide/"]')).to_have_count(130)
    page.reload()
    expect(page.locator('#branch .twig[href^="/tree/part%2012/"]')).to_have_count(12)


@pytest.mark.long
def test_the_page_keeps_nobody_out(open_page: Open, grown: World) -> None:
    page = open_page()
    wrong = {}
    for address in (
        "/tree/",
        "/tree/infra/gpu",
        "/tree/infra/surrealdb?split=1",
        "/tree/none",
        "/tree/cron?q=임베딩은",
    ):
        page.goto(grown.url + address)
        page.wait_for_load_state("networkidle")
        if found := violations(page):
            wrong[address] = found
    assert wrong == {}


@pytest.mark.long
def test_the_empty_page_keeps_nobody_out(open_page: Open, world: World) -> None:
    page = open_page("/tree/")
    page.wait_for_load_state("networkidle")
    assert violations(page) == []


@pytest.mark.parametrize("width", sample([360, 390, 1024, 1600], 390))
def test_no_width_is_too_narrow(open_page: Open, grown: World, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 800}, has_touch=width < 400)
    for address in ("/tree/", "/tree/infra/gpu", "/tree/infra/gpu?edit=1", "/tree/infra/surrealdb?split=1"):
        page.goto(grown.url + address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


@pytest.mark.long
def test_g_and_t_go_to_the_tree(open_page: Open, grown: World) -> None:
    page = open_page()
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url("**/tree/")
    expect(page.locator(".rail [aria-current=page]")).to_contain_text("Context Tree")


@pytest.mark.long
def test_on_a_phone_the_tree_is_folded_away_and_a_node_comes_into_sight(open_page: Open, grown: World) -> None:
    page = open_page("/tree/", viewport={"width": 390, "height": 844}, has_touch=True)
    twig(page, "cron").tap()
    expect(page.locator("#node h2.own")).to_have_text("cron")
    expect(page.locator("#node h2.own")).to_be_in_viewport()
    page.get_by_role("button", name="The tree").tap()
    expect(page.locator("#twigs")).to_be_hidden()
    page.reload()
    expect(page.locator("#twigs")).to_be_hidden()
    page.get_by_role("button", name="The tree").tap()
    expect(page.locator("#twigs")).to_be_visible()


@pytest.mark.long
def test_another_day_is_read_only_for_the_keyboard_too(open_page: Open, grown: World) -> None:

    now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    page = open_page(f"/tree/infra/gpu?as_of={now}")
    expect(page.locator(".asof")).to_contain_text("You are looking at")
    assert page.locator("#tree [hx-post], [data-edit]").count() == 0
    twig(page, "infra/gpu").focus()
    page.keyboard.press("m")
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("e")
    expect(page.locator("#tree-do")).to_be_hidden()
    order(page, *ALL)
    twig(page, "cron").click()
    expect(page).to_have_url(re.compile(r"/tree/cron\?as_of=20"))
