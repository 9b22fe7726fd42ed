"""Feedback: what rose and what fell, why it was said, when; taken back, and that undone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memoryapp import review, spaces
from memoryapp.domain.feedback import FeedbackEntry, feedback_factor
from memoryapp.domain.memory import Kind, Memory
from memoryapp.interfaces.feedback.pages import WEEKS, spark
from memoryapp.store import usage
from tests.markup import PageClient
from tests.pages.talking import ATLAS, HTMX

URL = "/feedback/"
Write = Callable[..., Memory]


@pytest.fixture
def said(space: spaces.Space, write: Write) -> dict[str, Memory]:
    """`best` rose by three words, `good` by one, `bad` fell by two, `even` stands, of `silent` nothing was said."""
    texts = {
        "best": "The queue moved to Redis.",
        "good": "배포는 금요일 16시부터 멈춘다.",
        "bad": "Lunch is at noon.",
        "even": "The door is green.",
        "silent": "The staging server listens on port 8080.",
    }
    made = {name: write(text) for name, text in texts.items()}
    for name, used, useless in (("best", 3, 0), ("good", 1, 0), ("bad", 0, 2), ("even", 1, 1)):
        for n in range(used):
            review.feedback(space, used=[made[name].id], query=f"why {name} {n}?", actor=ATLAS)
        for _ in range(useless):
            review.feedback(space, not_useful=[made[name].id], actor=ATLAS)
    return made


def shown(page: str) -> list[str]:
    return re.findall(r'id="f-([0-9a-f]{16})"', page)


def ids(said: dict[str, Memory], *names: str) -> list[str]:
    return [said[name].id for name in names]


def test_before_anybody_said_anything_the_page_says_how_it_is_said(reader: Client, space: spaces.Space) -> None:
    page = reader.get(URL).content.decode()
    assert "No feedback yet." in page and "by 20 % at most" in page


def test_what_moved_farthest_stands_first_with_its_counts_and_its_question(
    reader: Client, said: dict[str, Memory]
) -> None:
    page = reader.get(URL).content.decode()
    assert shown(page) == ids(said, "best", "bad", "good", "even")
    row = re.search(rf'id="f-{said["best"].id}".*?</tr>', page, re.DOTALL)[0]  # type: ignore[index]
    assert f">{feedback_factor(used=3, not_useful=0):.2f}<" in row and "why best 2?" in row
    assert "3 times used, 0 times not useful" in row and 'class="fill"' in row
    assert said["silent"].id not in page
    assert "no query given" in page and 'lang="ko"' in page


@pytest.mark.parametrize(("side", "names"), [("rose", ("best", "good")), ("fell", ("bad",))])
def test_it_is_narrowed_to_what_rose_or_fell(
    reader: Client, said: dict[str, Memory], side: str, names: tuple[str, ...]
) -> None:
    page = reader.get(f"{URL}?side={side}").content.decode()
    assert shown(page) == ids(said, *names)
    assert f">{len(names)}</span>" in page


def test_it_is_narrowed_to_a_kind_and_a_wrong_address_is_refused(
    reader: Client, space: spaces.Space, said: dict[str, Memory], write: Write
) -> None:
    fact = write("Mina likes tea.", kind=Kind.FACT)
    review.feedback(space, used=[fact.id], actor=ATLAS)
    assert shown(reader.get(f"{URL}?kind=fact").content.decode()) == [fact.id]
    assert "Nothing here." in reader.get(f"{URL}?kind=episode").content.decode()
    for wrong in ("side=up", "kind=gossip", "after=x"):
        assert reader.get(f"{URL}?{wrong}").status_code == 422


def test_what_was_said_is_taken_back_and_given_back(
    curator: Client, space: spaces.Space, said: dict[str, Memory]
) -> None:
    answer = curator.post(f"{URL}reset/", {"ids": ids(said, "best", "bad")}, headers=HTMX)
    assert shown(answer.content.decode()) == ids(said, "good", "even")
    assert usage.get_many(space.db, [said["best"].id])[said["best"].id].used == 0
    review.feedback(space, used=[said["best"].id], actor=ATLAS)  # said in between: it counts beside
    undo = json.loads(answer["HX-Trigger"])["toast"]["undo"]
    assert curator.post(undo, headers=HTMX).status_code == 204
    back = usage.get_many(space.db, ids(said, "best", "bad"))
    assert (back[said["best"].id].used, back[said["bad"].id].not_useful) == (4, 2)
    assert curator.post(undo, headers=HTMX).status_code == 404  # once
    one = curator.post(f"{URL}reset/", {"only": said["good"].id, "ids": ids(said, "bad")}, headers=HTMX)
    assert said["good"].id not in shown(one.content.decode()) and said["bad"].id in shown(one.content.decode())
    assert curator.post(f"{URL}reset/", headers=HTMX).status_code == 422


def test_a_reader_sees_it_and_takes_nothing_back(reader: Client, said: dict[str, Memory]) -> None:
    page = reader.get(URL).content.decode()
    assert "Reset" not in page and 'name="ids"' not in page
    assert reader.post(f"{URL}reset/", {"ids": ids(said, "best")}).status_code == 403


def test_many_are_paged_each_once(curator: PageClient, space: spaces.Space, write: Write) -> None:
    made = [write(f"Engine {n} was painted {'very ' * 40} blue.").id for n in range(95)]
    for n, key in enumerate(made):
        review.feedback(space, used=[key], query=f"engine {n} " + "why " * 60, actor=ATLAS)
    met: list[str] = []
    address = URL
    while address:
        answer = curator.get(address)
        assert curator.weight < 25_000
        page = answer.content.decode()
        met += shown(page)
        older = re.search(r'rel="next" href="([^"]+)"', page)
        address = URL + older[1].replace("&amp;", "&") if older else ""
    assert sorted(met) == sorted(made)


def test_a_spark_counts_by_week_and_forgets_what_is_older() -> None:
    now = timezone.now()

    def word(weeks: float, up: int = 1, down: int = 0) -> FeedbackEntry:
        return FeedbackEntry("m", up, down, "", "", now - timedelta(weeks=weeks))

    bars = spark([word(0.1), word(0.2), word(0.3, 0, 1), word(WEEKS + 3)], now=now)
    assert len(bars) == WEEKS
    assert [(n, bar.up > 0, bar.down > 0) for n, bar in enumerate(bars) if bar.up or bar.down] == [(11, True, True)]
    assert bars[11].up == pytest.approx(2 * bars[11].down, abs=0.2)
    assert spark([word(WEEKS + 1)], now=now) == [] == spark([], now=now)
