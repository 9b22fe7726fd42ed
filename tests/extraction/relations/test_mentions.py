"""Names in short texts, with a guess of their type."""

from __future__ import annotations

from memoryapp.extraction.relations.pipeline import MOST, mentions_in
from memoryapp.extraction.relations.sentences import Text


def mentions(text: str, *known: str, **types: str) -> dict[str, str]:
    (found,) = mentions_in([Text(text, "Mina", known, types)])
    assert len({one.name.lower() for one in found}) == len(found)
    return {one.name: one.type for one in found}


def test_names_come_with_a_guess_of_their_type() -> None:
    assert mentions("Jane works at Hangang Labs in Seoul and uses Terraform.") == {
        "Jane": "person", "Hangang Labs": "organization", "Seoul": "place", "Terraform": "tool",
    }  # fmt: skip


def test_a_chunk_of_two_words_is_a_concept_and_a_single_common_noun_is_nothing() -> None:
    assert mentions("The deployment pipeline needs the server.") == {"deployment pipeline": "concept"}


def test_pronouns_days_judgements_and_openers_are_no_names() -> None:
    assert mentions("However, I had a great time on Monday and it was a big thing.") == {}
    assert mentions("") == mentions("!!! ???") == {}


def test_a_known_name_is_found_in_small_letters_and_keeps_its_type() -> None:
    assert mentions("we moved to borealis", "Borealis", Borealis="project") == {"Borealis": "project"}


def test_a_longer_name_swallows_the_shorter_one_in_it() -> None:
    assert list(mentions("Adam joined Fjord Analytics.")) == ["Fjord Analytics", "Adam"]
    assert set(mentions("Adam and Hangang Labs use Figma.")) == {"Adam", "Hangang Labs", "Figma"}


def test_what_is_written_as_code_is_a_tool() -> None:
    assert mentions("I like `nushell` a lot.") == {"nushell": "tool"}


def test_korean_texts_give_their_latin_names() -> None:
    assert mentions("저는 서울에서 Postgres를 사용합니다.", "서울", "부산") == {"서울": "place", "Postgres": "tool"}


def test_a_text_gives_no_more_than_so_many_and_survives_a_very_long_word() -> None:
    (found,) = mentions_in([Text(" ".join(f"Then Project{n}X met Adam{n}Y." for n in range(100)))])
    assert len(found) == MOST
    assert mentions("x" * 5_000 + " uses " + "Y" * 5_000) == {}


def test_each_text_has_its_own() -> None:
    found = mentions_in([Text("Adam uses Nix."), Text(""), Text("Priya uses Vim.")])
    assert [[one.name for one in names] for names in found][1:] == [[], ["Vim", "Priya"]]
