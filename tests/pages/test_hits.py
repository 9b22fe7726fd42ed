from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.results import ArmScore, Hit
from memoryapp.domain.strategies import HYBRID, RRF, TREE, VECTOR
from memoryapp.interfaces.search.presenter import bars, evidence, formula

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def hit(
    shares: dict[str, float], *, factors: dict[str, float] | None = None, ranks: dict[str, int] | None = None
) -> Hit:
    arms = {name: ArmScore((ranks or {}).get(name), share, share) for name, share in shares.items()}
    score = sum(shares.values())
    for value in (factors or {}).values():
        score *= value
    memory = Memory("0" * 16, Kind.NOTE, "text", NOW, NOW)
    return Hit(memory, score, 0.9, 0.9, arms, factors or {"feedback": 1.0}, {})


@settings(deadline=None)  # a busy machine is no failure
@given(st.floats(0, 2), st.floats(0, 2), st.floats(0, 2))
def test_the_sum_on_the_page_is_the_score_on_the_page(a: float, b: float, c: float) -> None:
    found = hit({"keyword": a, "vector": b, "graph": c})
    told = formula(found, HYBRID)
    numbers = [float(n) for n in re.findall(r"\d+\.\d{5}", told)]
    assert told.endswith("=")
    assert f"{sum(numbers):.5f}" == f"{found.score:.5f}"


def test_reciprocal_ranks_are_printed_as_the_fractions_they_are() -> None:
    found = hit({"vector": 1 / 61, "keyword": 1 / 64, "graph": 0.5 / 63}, ranks={"vector": 1, "keyword": 4, "graph": 3})
    assert formula(found, RRF) == "1/61 + 1/64 + 0.5/63 ="


def test_a_factor_is_shown_only_where_it_changes_something() -> None:
    assert "×" not in formula(hit({"vector": 0.7}), VECTOR)
    assert "× feedback 1.05000" in formula(hit({"vector": 0.7}, factors={"feedback": 1.05}), VECTOR)


def test_the_greatest_sum_fills_the_bar_and_nothing_runs_out_of_it() -> None:
    segments = bars(hit({"vector": 1.0, "keyword": 1.0, "tree": 0.0}), 2.0)
    assert len(segments) == 2
    assert float(segments[-1].x) + float(segments[-1].width) <= 96


def test_the_keywords_that_lead_to_a_node_are_told_with_the_words_they_answer_to() -> None:
    matches = [
        {"word": "가치관이", "keyword": "가치관", "how": "equal"},
        {"word": "surreal", "keyword": "<SurrealDB>", "how": "within"},
        {"word": "신가치관론", "keyword": "가치관", "how": "within"},
    ]
    found = hit({"tree": 0.4})
    own = replace(found, evidence={"reached": {"own": True, "via": "a/b", "matches": matches}})
    assert evidence(own)[0] == (
        "keyword <mark>가치관</mark>, <mark>&lt;SurrealDB&gt;</mark> around surreal, <mark>가치관</mark> in 신가치관론"
    )
    above = replace(found, evidence={"reached": {"own": False, "via": "a", "matches": matches[:1]}})
    assert evidence(above)[0] == "keyword <mark>가치관</mark> of a above it"
    assert formula(found, TREE) == "keywords ="


def test_evidence_is_told_in_words_and_escaped() -> None:
    found = Hit(
        hit({"vector": 1.0}).memory, 1.0, 0.9, 0.9, {}, {},
        {"terms": [{"term": "<b>", "idf": 2.5, "fields": ["own"]}], "cosine": 0.71,
         "entities": [{"id": None, "name": "H100", "degree": 2}], "speaker": "Mina"},
    )  # fmt: skip
    assert [str(line) for line in evidence(found)] == [
        "matched <mark>&lt;b&gt;</mark> 2.50",
        "cosine 0.71",
        "shares H100",
        "said by Mina",
    ]


def test_entities_are_links_and_a_path_is_told_step_by_step() -> None:
    adam, terraform, memory = "a" * 16, "b" * 16, "c" * 16
    path = [
        {"memory": memory, "text": "Adam <said> so.", "by": "nearest"},
        {"entity": adam, "name": "Adam", "by": "mentions"},
        {"entity": terraform, "name": "Terraform", "by": "uses"},
        {"entity": "", "name": "gone", "by": "part_of", "back": True},
        {"memory": "d" * 16, "text": "", "by": "mentions"},
    ]
    seeds = [{"id": adam, "name": "Adam", "by": "word", "mass": 0.25, "here": True}]
    shared = [{"id": terraform, "name": "Terraform", "degree": 2}, {"id": None, "name": "rare", "degree": 1}]
    found = replace(hit({"recall": 1.0}), evidence={"entities": shared, "seeds": seeds, "path": path})
    told = [str(one) for one in evidence(found)]
    assert told == [
        f'shares <a href="/entities/{terraform}/">Terraform</a>, rare',
        f'from <a href="/entities/{adam}/">Adam</a> 0.250',
        f'via <a href="/memories/{memory}/">“Adam &lt;said&gt; so.”</a> names → '
        f'<a href="/entities/{adam}/">Adam</a> uses → <a href="/entities/{terraform}/">Terraform</a> ← part of gone '
        "named in → this",
    ]
    inherited = [str(one) for one in evidence(replace(found, inherited_from="team"))]
    assert f'href="/entities/{adam}/?space=team"' in inherited[1]
