"""Where an expected memory stands, as the page shows it: rows of stages, their numbers, and what would bring it in."""

from __future__ import annotations

from django.template.loader import render_to_string

from memoryapp.domain.results import ArmScore, Hit
from memoryapp.interfaces.lab.explanation import ShownWhy, why_shown
from memoryapp.search import Explanation
from memoryapp.search.lifts import Lift
from memoryapp.search.stages import Step
from tests.markup import collapse
from tests.search.conftest import memory

HIT = Hit(
    memory=memory("The queue moved to Redis."),
    score=0.7,
    trust=0.9,
    strength=1.0,
    arms={"vector": ArmScore(12, 0.41, 0.4), "keyword": ArmScore(3, 7.1, 0.3)},
    factors={"feedback": 1.0},
    evidence={},
)
LATE = Explanation(
    memory=HIT.memory.id,
    found=False,
    stage="cut",
    reason="It came 13th; the first 10 were asked for.",
    rank=13,
    score=0.7,
    hit=HIT,
    steps=(
        Step("state", True, "It is held."),
        Step("index", True, "Its words and its vector are indexed."),
        Step("question", None, "It looks for queue."),
        Step("arm", True, "Rank 12 of 40 by cosine, 0.41.", {"arm": "vector"}),
        Step("arm", True, "Rank 3 of 9 by BM25, 7.1.", {"arm": "keyword"}),
        Step("arm", False, "It refers to no <entity>.", {"arm": "graph"}),
        Step("fusion", True, "vector 0.40000 + keyword 0.30000 = 0.70000.", {"score": 0.7}),
        Step("cut", False, "It came 13th; the first 10 were asked for.", {"rank": 13}),
    ),
    lifts=(Lift("vector", "With vector 1.62 instead of 1.1 it would be 10th.", 10, "hybrid;vector=1.62", 1.1, 1.62),),
)
OUT = Explanation(
    memory=HIT.memory.id,
    found=False,
    stage="filter",
    reason="A filter takes it out before anything is ranked: categories.",
    detail={"filters": ["categories"], "inherited_from": "team"},
    steps=(
        Step("state", True, "It is held."),
        Step("filter", True, "It carries work.", {"filter": "tags"}),
        Step("filter", False, "Its category is work, not preferences.", {"filter": "categories"}),
        Step("fusion", None, "Not reached."),
        Step("cut", None, "Not reached."),
    ),
)


def rows(why: ShownWhy) -> list[tuple[str, str, str]]:
    return [(step.name, step.mark, step.number) for step in why.steps]


def test_what_was_passed_before_the_ranking_is_one_row_and_the_rest_a_row_each() -> None:
    assert rows(why_shown([LATE])[0]) == [
        ("Eligible", "", ""),
        ("Question", "read", ""),
        ("Vector", "", "0.40000"),
        ("Keyword", "", "0.30000"),
        ("Graph", "out", ""),
        ("Fusion", "", "0.70000"),
        ("Cut", "out", "13th"),
    ]
    assert why_shown([LATE])[0].steps[0].told == "It is held. Its words and its vector are indexed."


def test_the_filter_that_takes_it_out_stands_by_itself_and_what_was_not_reached_together() -> None:
    shown = why_shown([OUT], heads=[("B", "hybrid")])[0]
    assert rows(shown) == [
        ("Eligible", "", ""), ("Filter category", "out", ""), ("Fusion, cut", "past", ""),
    ]  # fmt: skip
    assert (shown.letter, shown.name, shown.home) == ("B", "hybrid", "team")


def test_the_part_says_each_stage_in_words_and_names_the_plan_that_would_bring_it_in() -> None:
    heads = [("A", "hybrid"), ("B", "rrf")]
    html = collapse(render_to_string("lab/why.html", {"whys": why_shown([LATE, OUT], heads=heads)}))
    assert html.count('<section class="expects">') == 2
    assert '<li class="out">' in html and '<span class="sr">dropped out:</span>' in html
    assert "It refers to no &lt;entity&gt;." in html
    assert "With vector 1.62 instead of 1.1 it would be 10th. <code>hybrid;vector=1.62</code>" in html
    assert "It is in the parent space team" in html
    assert html.count("What would raise it") == 1
    assert "<h3>" not in render_to_string("lab/why.html", {"whys": why_shown([OUT])})
