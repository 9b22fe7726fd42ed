"""When two names are one, may be one, and are two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.entity import EntityType
from memoryapp.graph.duplicates import worth_comparing
from memoryapp.graph.known_names import KNOWN_AS, SPELLINGS, loose
from memoryapp.graph.name_similarity import CERTAIN, jaro_winkler, likeness_of, one_goes_on, spelling_of, types_fit

PERSON, TOOL, CONCEPT = EntityType.PERSON, EntityType.TOOL, EntityType.CONCEPT


def like(one: str, other: str, type: str = CONCEPT) -> float:
    found = likeness_of(spelling_of(one), spelling_of(other), types=(type, type))
    return found.score if found else 0.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("nvim", "Neovim"), ("k8s", "Kubernetes"), ("psql", "Postgres"), ("JS", "JavaScript"), ("gh", "GitHub"),
        ("NYC", "New York City"), ("Neo-vim", "neovim"), ("Visual Studio Code", "VSCode"), ("서울", "Seoul"),
        ("한국", "South Korea"), ("서울 시청", "서울시청"), ("Node.js", "nodejs"), ("ＡＷＳ", "Amazon Web Services"),
    ],
)  # fmt: skip
def test_other_spellings_of_one_name_are_certain(one: str, other: str) -> None:
    assert like(one, other) == like(other, one) == CERTAIN


@pytest.mark.parametrize(
    ("one", "other", "type"),
    [
        ("Café Müller", "Cafe Muller", CONCEPT), ("Mt. Fuji", "Mount Fuji", CONCEPT),
        ("St. Moritz", "Saint Moritz", CONCEPT), ("Dr. Mina Kim", "Mina Kim", PERSON),
        ("Hangang Labs, Inc.", "Hangang Labs", CONCEPT), ("the Beatles", "Beatles", CONCEPT),
        ("Kim Mina", "Mina Kim", PERSON), ("Seoul, Korea", "Seoul", CONCEPT), ("Bob Smith", "Robert Smith", PERSON),
        ("Bob", "Robert", PERSON), ("Liz", "Elizabeth Bennet", PERSON), ("Caro", "Caroline", PERSON),
        ("RFC", "Request For Comments", CONCEPT), ("QA", "Quality Assurance", CONCEPT), ("Mina", "Mina Kim", PERSON),
        ("pstgrs", "postgresio", TOOL), ("Terrafrm", "Terraform", TOOL), ("API", "APIs", CONCEPT),
        ("A100", "A100s", TOOL), ("dlv", "delve", TOOL), ("PropType", "PropTypes", TOOL),
    ],
)  # fmt: skip
def test_what_may_be_one_is_proposed_and_never_certain(one: str, other: str, type: str) -> None:
    score = like(one, other, type)
    assert 0.5 < score < CERTAIN and like(other, one, type) == score


@pytest.mark.parametrize(
    ("one", "other", "type"),
    [
        ("Minsu Kim", "Minji Kim", PERSON), ("staging server", "production server", TOOL),
        ("Python 2", "Python 3", TOOL),
        ("Python 3.11", "Python 311", TOOL), ("Room 12", "Room 21", CONCEPT), ("C", "C++", TOOL), ("C#", "C", TOOL),
        ("React", "React Native", TOOL), ("Grafana Tmepo", "Grafana Tempo", TOOL), ("Redis", "Valkey", TOOL),
        ("한국어", "한국외국어대학교", CONCEPT), ("data", "Data Science", CONCEPT), ("IPv4", "IPv6", CONCEPT),
        ("Vim", "Vimium", TOOL), ("Java", "Javadoc", TOOL), ("MDN", "median", CONCEPT), ("Rail", "Rails", TOOL),
        ("TypeError", "ArgumentError", TOOL),
    ],
)  # fmt: skip
def test_look_alikes_are_two(one: str, other: str, type: str) -> None:
    assert like(one, other, type) == like(other, one, type) == 0.0


@pytest.mark.parametrize(
    ("one", "other", "goes_on"),
    [
        ("Ruby", "Ruby Gem", True), ("git-diff-tree", "git-diff", True), ("Webpack", "webpacker", True),
        ("Unix", "Unix-based", True), ("tailwind", "tailwindcss", False), ("PropType", "PropTypes", False),
        ("Chrome", "Google Chrome", False), ("Redis", "Redis", False), ("", "Redis", False),
    ],
)  # fmt: skip
def test_a_name_that_goes_on_is_another_thing(one: str, other: str, goes_on: bool) -> None:
    assert (
        one_goes_on(spelling_of(one), spelling_of(other))
        is one_goes_on(spelling_of(other), spelling_of(one))
        is goes_on
    )


def test_a_person_is_no_place_and_a_guess_of_concept_is_none() -> None:
    assert not types_fit(PERSON, EntityType.PLACE) and not types_fit(TOOL, PERSON)
    assert types_fit(CONCEPT, PERSON) and types_fit(TOOL, EntityType.PROJECT)


def test_the_known_names_do_not_contradict_each_other() -> None:
    for stays, names in SPELLINGS.items():
        assert {KNOWN_AS[loose(name)] for name in names} == {stays}
    assert len(KNOWN_AS) > 100


@pytest.mark.parametrize(
    ("one", "other", "expected"), [("MARTHA", "MARHTA", 0.9611), ("DIXON", "DICKSONX", 0.8133), ("", "A", 0.0)]
)
def test_jaro_winkler_is_as_published(one: str, other: str, expected: float) -> None:
    assert jaro_winkler(one, other) == pytest.approx(expected, abs=1e-4)


WORDS = st.sampled_from(["mina", "Kim", "Bob", "Robert", "Mt", "Fuji", "nvim", "Neovim", "JS", "J", "2", "é", "서울"])
NAMES = st.one_of(st.text(max_size=30), st.lists(WORDS, min_size=1, max_size=4).map(" ".join))


@given(NAMES, NAMES, st.sampled_from([PERSON, TOOL, CONCEPT]))
def test_likeness_is_the_same_either_way_round_and_any_two_that_are_alike_are_compared(
    one: str, other: str, type: str
) -> None:
    score = like(one, other, type)
    assert score == like(other, one, type) and 0.0 <= score <= CERTAIN
    if score:
        assert worth_comparing([spelling_of(one), spelling_of(other)]) == {(0, 1)}
