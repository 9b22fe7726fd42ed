from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


@pytest.mark.long
def test_a_hit_shows_its_words_marked_and_the_sum_of_its_rank(open_page: Open) -> None:
    page = open_page("/search/?q=staging+bucket")
    first = page.locator(".hit").first
    expect(first.locator(".words mark").first).to_have_text("staging")
    printed = first.locator(".formula").inner_text()
    parts, _, score = printed.rpartition("=")
    shares = [float(word) for word in parts.split("=")[0].split() if word.replace(".", "").isdigit()]
    if "×" not in parts:
        assert f"{sum(shares):.5f}" == score.strip()


@pytest.mark.long
def test_a_strategy_is_chosen_beside_the_question(open_page: Open) -> None:
    page = open_page("/search/?q=staging+bucket")
    page.get_by_label("Strategy").select_option("keyword")
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url("**strategy=keyword**")
    expect(page.locator(".hit .formula").first).to_contain_text("BM25")


@pytest.mark.long
def test_korean_is_found_inside_a_longer_word(open_page: Open) -> None:
    page = open_page("/search/?q=배포&strategy=keyword")
    expect(page.locator(".hit").first).to_contain_text("배포는 금요일")


def test_results_are_walked_by_keys(open_page: Open) -> None:
    page = open_page("/search/?q=staging+bucket&strategy=keyword")
    page.locator("h1").click()
    page.keyboard.press("j")
    expect(page.locator(".hit.at .rank")).to_have_text("1")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/memories/[0-9a-f]{16}/$"))


@pytest.mark.long
def test_nothing_found_says_what_to_do(open_page: Open) -> None:
    page = open_page("/search/?q=zzzqqq&strategy=keyword&kind=fact")
    expect(page.locator(".empty")).to_contain_text("Nothing matches zzzqqq with kind fact.")
    page.get_by_role("link", name="Clear filters").click()
    expect(page.locator(".empty")).to_contain_text("Nothing matches zzzqqq.")
