from __future__ import annotations

from memoryapp.extraction.facts.names import entities, names_in, subject_name
from memoryapp.extraction.facts.parse import parse_sentences


def test_capitalised_and_quoted_names_are_found() -> None:
    found = names_in('We moved the app to Kubernetes and read "The Long Night" in Busan.')
    assert {"Kubernetes", "The Long Night", "Busan"} <= set(found)


def test_a_saying_in_quotes_is_no_title() -> None:
    assert "Well done!" not in names_in('She said "Well done!" to me.')


def test_a_particle_is_no_part_of_a_name() -> None:
    assert "Postgres" in names_in("우리는 Postgres를 사용합니다.")


def test_a_name_that_opens_the_sentence_is_its_subject() -> None:
    (sentence,) = parse_sentences(["Redis crashed on the old machine."])
    assert subject_name(sentence) == "Redis"


def test_of_nested_names_the_longer_stays_and_the_order_is_that_of_the_text() -> None:
    names = ("Nicole", "Becoming Nicole", "Busan")
    assert entities("In Busan Ann read Becoming Nicole.", names, people=("Ann",)) == ("Busan", "Ann", "Becoming Nicole")


def test_a_name_is_a_whole_word() -> None:
    assert entities("Annexes were built.", ("Ann",), people=()) == ()
