"""Which sections belong together, and which stay alone."""

from __future__ import annotations

from itertools import pairwise

import pytest

from memoryapp.consolidate import Preview, preview
from memoryapp.consolidate.group import MOST, SPAN
from memoryapp.domain.memory import Memory
from memoryapp.spaces import Space
from tests.consolidate.logs import a_section, kept, two_topics

# Words so different that no two sections resemble each other.
ODD = (
    *("quartz", "lemon", "velvet", "sonar", "walnut", "copper"),
    *("fjord", "marble", "tulip", "harbour", "ladder", "onion"),
)


def odd(n: int, *, days: int | None = None) -> Memory:
    word = ODD[n % len(ODD)] + "abcdefgh"[n // len(ODD)]
    return a_section(f"{word.title()} {word}ish {word}ly.", days=40 - n if days is None else days, title=f"{word}s")


def topics(found: Preview) -> dict[str, int]:
    return {one.topic.name: len(one.originals) for one in found.digests}


def test_sections_that_share_a_name_are_one_digest_and_what_shares_none_stays(space: Space) -> None:
    one, two, three, four, other = two_topics(space)
    found = preview(space)
    groups = {tuple(original.id for original in digest.originals) for digest in found.digests}
    assert groups == {(one.id, two.id), (three.id, four.id)}
    assert [(stays.id, stays.why) for stays in found.staying] == [
        (other.id, "it shares no name with another, and resembles none")
    ]
    assert {digest.topic.by for digest in found.digests} == {"entity"}


def test_a_name_that_stands_everywhere_gathers_only_what_is_left_week_by_week(space: Space) -> None:
    sections = tuple(odd(n) for n in range(14))
    kept(space, *sections, names={"Seoul": sections, "H100": sections[:3], "Hangang": sections[5:9]})
    found = preview(space)
    assert {one.topic.name: len(one.originals) for one in found.digests if one.topic.name != "Seoul"} == {
        "H100": 3,
        "Hangang": 4,
    }
    of_seoul = [one for one in found.digests if one.topic.name == "Seoul"]
    assert sum(len(one.originals) for one in of_seoul) + len(found.staying) == 7
    for digest in of_seoul:
        assert len({original.at.isocalendar()[:2] for original in digest.originals}) == 1


def test_of_two_names_the_one_that_tells_more_apart_gathers(space: Space) -> None:
    sections = tuple(odd(n) for n in range(8))
    kept(space, *sections, names={"Mina": sections[:7], "H100": sections[:4], "Hangang": sections[4:]})
    assert topics(preview(space)) == {"H100": 4, "Hangang": 4}


def test_sections_without_names_are_gathered_by_their_words(space: Space) -> None:
    alike = [a_section(f"The lease of the river office in Mapo ends {when}.", days=9 - n, title="Lease")
             for n, when in enumerate(("soon", "in May"))]  # fmt: skip
    kept(space, *alike, odd(1, days=6))
    found = preview(space)
    assert topics(found) == {"Lease": 2}
    assert found.digests[0].topic.by == "likeness" and found.digests[0].topic.entity is None
    assert len(found.staying) == 1


@pytest.mark.parametrize("knows_korean", [True, False], ids=["korean", "english-only"])
def test_korean_is_gathered_by_its_words_only_where_the_model_knows_it(
    space: Space, monkeypatch: pytest.MonkeyPatch, knows_korean: bool
) -> None:
    texts = ("강가 사무실 계약은 금요일에 끝난다.", "강가 사무실 계약은 오월에 끝난다.")
    kept(space, *(a_section(text, days=9 - n, title="계약") for n, text in enumerate(texts)))
    if not knows_korean:
        monkeypatch.setattr(type(space.encoder.get(0)), "languages", frozenset({"en"}))
    assert topics(preview(space)) == ({"계약": 2} if knows_korean else {})


def test_one_digest_spans_no_more_than_a_month_and_holds_no_more_than_it_can_tell(space: Space) -> None:
    long_ago, lately = odd(0, days=90), odd(1, days=10)
    many = tuple(odd(n, days=200 - n) for n in range(2, 2 + MOST + 4))
    beside = tuple(odd(n, days=200 - n + 21) for n in range(24, 24 + MOST + 6))
    kept(space, long_ago, lately, *many, *beside, names={"H100": (long_ago, lately), "Hangang": many})
    found = preview(space)
    hangang = [one for one in found.digests if one.topic.name == "Hangang"]
    assert [len(one.originals) for one in hangang] == [10, 10]  # in halves, and not sixteen and four
    assert {long_ago.id, lately.id} <= {stays.id for stays in found.staying}
    for digest in found.digests:
        assert digest.ended - digest.began <= SPAN
    first, second = sorted(hangang, key=lambda one: one.began)
    assert first.ended < second.began


def test_merged_names_gather_together(space: Space) -> None:
    from dataclasses import replace

    from memoryapp.store import entities
    from memoryapp.store.write import Batch, commit, new_run
    from tests.consolidate.logs import an_entity
    from tests.samples import NOON, PERSON

    one, other = odd(0), odd(1)
    kept(space, one, other, names={"Neovim": (one,), "nvim": (other,)})
    assert topics(preview(space)) == {}
    keys = [an_entity(name).id for name in ("Neovim", "nvim")]
    found = entities.get_many(space.db, keys)
    merged = replace(found[keys[1]], merged_into=keys[0], version=found[keys[1]].version + 1)
    commit(space.db, new_run("merge", PERSON, now=NOON), Batch(entities=[(found[keys[1]], merged)]), now=NOON)
    assert topics(preview(space)) == {"Neovim": 2}


@pytest.mark.parametrize("turned", [False, True], ids=["as-written", "turned-round"])
def test_in_whatever_order_they_came_the_groups_are_the_same(space: Space, turned: bool) -> None:
    sections = [odd(n) for n in range(10)]
    names = {"H100": tuple(sections[:4]), "Hangang": tuple(sections[3:7]), "Atlas": tuple(sections[6:])}
    kept(space, *(reversed(sections) if turned else sections), names=dict(reversed(names.items())) if turned else names)
    found = preview(space)
    assert topics(found) == {"Atlas": 4, "H100": 4, "Hangang": 2}
    days = [[original.at for original in digest.originals] for digest in found.digests]
    assert all(earlier <= later for one in days for earlier, later in pairwise(one))
