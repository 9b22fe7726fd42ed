"""A digest's id, its sums, and what is left of its text without one of its sections."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.digest import Ranker, digest_id, without_section
from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Kind, Memory
from tests.samples import a_memory

TEXT = "9 May\n- One of a.\n- One of b.\n\n10 May\n- Two of b."


def a_digest(text: str = TEXT, sections: str = "abb") -> Memory:
    told = [{"id": str(n), "section": section, "score": 0.5} for n, section in enumerate(sections)]
    detail = {"sentences": told, "originals": dict.fromkeys("ab", "0"), "words": content_hash(text)}
    return a_memory(text, kind=Kind.DIGEST, title="Birds, 9 to 10 May", detail=detail)


@given(st.lists(st.text("0123456789abcdef", min_size=16, max_size=16), min_size=2, unique=True))
def test_an_id_hangs_on_the_sections_and_the_ranker_in_whatever_order(keys: list[str]) -> None:
    turned = sorted(keys, reverse=True)
    for ranker in Ranker:
        assert digest_id(keys, ranker) == digest_id(turned, ranker)
    assert digest_id(keys, Ranker.MARKS) != digest_id(keys, Ranker.CENTRAL)
    assert digest_id(keys, Ranker.MARKS) != digest_id(keys[1:], Ranker.MARKS)


def test_a_section_takes_its_lines_along_and_days_on_which_nothing_else_was_said() -> None:
    without = without_section(a_digest(), "b", ())
    assert without is not None and without.text == "9 May\n- One of a."
    assert [told["section"] for told in without.detail["sentences"]] == ["a"]
    assert set(without.detail["originals"]) == {"a"} and without.detail["words"] == content_hash(without.text)


def test_nothing_is_left_of_a_digest_of_one_section_alone() -> None:
    assert without_section(a_digest(sections="bbb"), "b", ()) is None


def test_of_an_edited_digest_only_what_repeats_the_words_goes() -> None:
    edited = a_digest()
    edited.detail["words"] = "0" * 64
    without = without_section(edited, "b", ("Two of b",))
    assert without is not None and without.text == TEXT.replace("Two of b", "[purged]")
    assert without.detail["words"] == "0" * 64
