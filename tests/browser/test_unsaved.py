"""Unsaved words: nothing that somebody does beside them takes them away unasked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Dialog, Page, Route, expect

from memoryapp.domain.identity import new_id
from tests.browser.conftest import World
from tests.live import Live

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def answers(page: Page, *, leave: bool) -> list[str]:
    """What the browser asks from now on; it is answered the same each time."""
    asked: list[str] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.message or dialog.type)
        dialog.accept() if leave else dialog.dismiss()

    page.on("dialog", answer)
    return asked


def test_another_node_of_the_tree_asks_before_an_edit_is_lost(open_page: Open, world: World) -> None:
    for path in ("one", "two"):
        assert world.api.post("/tree", json={"path": path, "title": path, "text": f"- {path}\n"}).status_code == 201
    page = open_page("/tree/one?edit=1")
    page.locator("#edit-text").fill("- words of half an hour\n")
    asked = answers(page, leave=False)
    other = page.locator('#branch .twig[href="/tree/two"]')
    other.click()
    expect(page.locator("#edit-text")).to_have_value("- words of half an hour\n")
    assert len(asked) == 1 and "unsaved changes" in asked[0]
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-edit-node]")).to_have_count(0)
    expect(page.locator("#node")).to_contain_text("words of half an hour")
    other.click()
    expect(page.locator("#node h2")).to_contain_text("two")
    assert len(asked) == 1, "what was saved is not asked for"


@pytest.mark.long
def test_an_edit_of_a_memory_holds_the_page(open_page: Open, world: World) -> None:
    page = open_page(f"/memories/{world.ids[0]}/")
    page.keyboard.press("e")
    field = page.locator("[data-edit-memory] textarea")
    field.fill("Deploys stop on Friday at 16:00. And on Thursdays.")
    asked = answers(page, leave=False)
    page.locator("#rail").get_by_role("link", name="Facts").click()
    expect(field).to_have_value("Deploys stop on Friday at 16:00. And on Thursdays.")
    assert asked == ["beforeunload"]


@pytest.mark.long
def test_what_is_typed_while_a_turn_is_sent_stays(open_page: Open, world: World) -> None:
    session = world.api.post("/sessions", json={"name": "standup"}).json()["id"]
    page = open_page(f"/sessions/{session}/")
    held: list[Route] = []
    page.route("**/say/", lambda route: held.append(route))
    field = page.locator("#say-text")
    field.fill("Backups run at two.")
    with page.expect_request("**/say/"):
        field.press("Control+Enter")
    field.press_sequentially(" And the next")
    held[0].continue_()
    expect(field).to_have_value("And the next")
    expect(page.locator(".turns")).to_contain_text("Backups run at two.")
    expect(page.locator(".turns")).not_to_contain_text("And the next")


@pytest.mark.long
def test_a_part_that_renews_itself_waits_while_somebody_types_in_it(open_page: Open) -> None:
    page = open_page("/settings/heartbeat/")
    page.evaluate(
        """() => {
            const acts = document.querySelector("#acts > section");
            acts.setAttribute("hx-get", location.pathname);
            acts.setAttribute("hx-trigger", "every 100ms");
            acts.setAttribute("hx-target", "#acts");
            acts.dataset.old = "yes";
            acts.querySelector("select").focus();
            htmx.process(acts);
        }"""
    )
    page.wait_for_timeout(600)
    expect(page.locator("#acts > section[data-old]")).to_have_count(1)
    page.evaluate("document.activeElement.blur()")
    expect(page.locator("#acts > section[data-old]")).to_have_count(0)


def test_a_session_that_ends_takes_no_words_along(open_page: Open, world: World, live: Live) -> None:
    page = open_page(f"/memories/{world.ids[0]}/")
    page.keyboard.press("e")
    field = page.locator("[data-edit-memory] textarea")
    field.fill("Deploys stop on Friday at 16:00, and on Thursdays.")
    page.context.clear_cookies()
    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog", name="Your session ended")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("link", name="Sign in")).to_have_attribute(
        "href", f"/login/?next=%2Fmemories%2F{world.ids[0]}%2F"
    )
    expect(field).to_have_value("Deploys stop on Friday at 16:00, and on Thursdays.")
    beside = page.context.new_page()
    live.sign_in_page(beside)
    beside.goto(f"{world.url}/search/?space={world.space}")
    beside.close()
    page.bring_to_front()
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(dialog).to_have_count(0)
    expect(page.locator(".toast")).to_contain_text("Save again")
    field.press("Control+Enter")
    expect(page.locator("[data-edit-memory]")).to_have_count(0)
    assert world.api.get(f"/memories/{world.ids[0]}").json()["text"].endswith("and on Thursdays.")


def test_an_edit_outlives_a_reload_and_is_open_again(open_page: Open, world: World) -> None:
    page = open_page(f"/memories/{world.ids[0]}/")
    answers(page, leave=True)
    page.keyboard.press("e")
    field = page.locator("[data-edit-memory] textarea")
    field.fill("Deploys stop on Friday at 15:00.")
    page.reload()
    expect(field).to_have_value("Deploys stop on Friday at 15:00.")
    expect(page.locator("[data-edit-memory] .draft")).to_contain_text("What you typed here was restored.")
    field.press("Control+Enter")
    expect(page.locator("[data-edit-memory]")).to_have_count(0)
    assert world.api.get(f"/memories/{world.ids[0]}").json()["text"] == "Deploys stop on Friday at 15:00."
    page.reload()
    expect(page.locator("#words")).to_contain_text("15:00")
    expect(page.locator("[data-edit-memory]")).to_have_count(0)


@pytest.mark.long
def test_a_draft_over_words_that_changed_meanwhile_does_not_overwrite_them(open_page: Open, world: World) -> None:
    page = open_page(f"/memories/{world.ids[0]}/")
    answers(page, leave=True)
    page.keyboard.press("e")
    field = page.locator("[data-edit-memory] textarea")
    field.fill("Deploys stop on Friday at 15:00.")
    other = {"text": "Deploys stop on Thursday."}
    assert world.api.patch(f"/memories/{world.ids[0]}", json=other).status_code == 200
    page.reload()
    expect(field).to_have_value("Deploys stop on Friday at 15:00.")
    field.press("Control+Enter")
    expect(page.locator("#words [role=alert]")).to_be_visible()
    assert world.api.get(f"/memories/{world.ids[0]}").json()["text"] == "Deploys stop on Thursday."


@pytest.mark.long
def test_what_is_cancelled_or_discarded_does_not_come_back(open_page: Open, world: World) -> None:
    page = open_page(f"/memories/{world.ids[0]}/")
    answers(page, leave=True)
    form, field = page.locator("[data-edit-memory]"), page.locator("[data-edit-memory] textarea")
    page.keyboard.press("e")
    field.fill("Never mind.")
    field.press("Escape")
    expect(form).to_have_count(0)
    page.keyboard.press("e")
    expect(field).to_have_value("Deploys stop on Friday at 16:00.")
    field.fill("Never mind.")
    page.reload()
    page.get_by_role("button", name="Discard").click()
    expect(form).to_have_count(0)
    page.reload()
    expect(page.locator("#words")).to_contain_text("16:00")
    expect(form).to_have_count(0)


@pytest.mark.long
def test_a_turn_and_a_line_outlive_a_sign_in(open_page: Open, world: World, live: Live) -> None:
    session = world.api.post("/sessions", json={"name": "standup"}).json()["id"]
    page = open_page(f"/sessions/{session}/")
    answers(page, leave=True)
    page.locator("#say-text").fill("Backups run at two.")
    page.goto(f"{world.url}/memories/")
    page.locator(f"#m-{world.ids[1]} [data-edit]").click()
    page.locator("form[data-line] textarea").fill("The staging bucket lives in Busan.")
    page.context.clear_cookies()
    page.goto(f"{world.url}/login/")
    live.sign_in_page(page)
    page.goto(f"{world.url}/sessions/{session}/?space={world.space}")
    expect(page.locator("#say-text")).to_have_value("Backups run at two.")
    page.goto(f"{world.url}/memories/")
    expect(page.locator("form[data-line] textarea")).to_have_value("The staging bucket lives in Busan.")


@pytest.mark.long
def test_words_are_left_behind_for_nobody(open_page: Open, world: World, live: Live) -> None:
    session = world.api.post("/sessions", json={"name": "standup"}).json()["id"]
    page = open_page("/")
    page.context.clear_cookies()  # signing out ends the session for good, and this one all tests share
    page.goto(f"{world.url}/login/")
    live.sign_in_page(page)
    page.goto(f"{world.url}/sessions/{session}/?space={world.space}")
    answers(page, leave=True)
    kept = "() => Object.keys(sessionStorage).filter(one => one.startsWith('draft:')).length"
    page.locator("#say-text").fill("Something of mine.")
    assert page.evaluate(kept) == 1
    page.locator(".who").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/login/**")
    assert page.evaluate(kept) == 0
    live.sign_in_page(page)
    page.goto(f"{world.url}/sessions/{session}/?space={world.space}")
    expect(page.locator("#say-text")).to_have_value("")
    # Whoever comes after somebody who went without signing out is shown nothing, and nothing stays.
    page.locator("#say-text").fill("Something of mine.")
    name = f"ada-{new_id()}"
    assert world.api.post("/people", json={"name": name, "role": "writer"}).status_code == 201
    link = world.api.post(f"/people/{name}/login-link").json()["url"]
    page.context.clear_cookies()
    page.goto(link)
    page.get_by_role("button", name="Sign in as").click()
    page.wait_for_url(f"{world.url}/")
    assert page.evaluate(kept) == 0
    page.goto(f"{world.url}/sessions/{session}/?space={world.space}")
    expect(page.locator("#say-text")).to_have_value("")


@pytest.mark.long
def test_a_refusal_stays_until_it_is_dismissed(open_page: Open) -> None:
    page = open_page("/memories/")
    page.evaluate("() => { const real = setTimeout; window.setTimeout = (act, ms) => real(act, Math.min(ms, 100)); }")
    page.locator("#list input[name=ids]").first.check()
    page.get_by_role("button", name="Tag", exact=True).click()
    page.get_by_label("Tag for the selected memories").fill(" ")
    page.get_by_role("button", name="Add tag").click()
    failed = page.locator(".toast.failed[role=alert]")
    expect(failed).to_be_visible()
    page.wait_for_timeout(1_000)
    expect(failed).to_be_visible()
    failed.get_by_role("button", name="Dismiss").click()
    expect(failed).to_have_count(0)
