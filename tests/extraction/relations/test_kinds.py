from __future__ import annotations

import pytest

from memoryapp.extraction.relations.kinds import is_given, kind_of


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Terraform", "tool"),
        ("nvim", "tool"),
        ("Kafka Connect", "tool"),
        ("SurrealDB", "tool"),
        ("Hangang Labs", "organization"),
        ("Seoul National University", "organization"),
        ("Priya", "person"),
        ("Adam Kim", "person"),
        ("Kim Minsu", "person"),
        ("Jiwon", "person"),
        ("Haeundae Beach", "place"),
        ("Busan", "place"),
        ("Project Borealis", "project"),
        ("Grünerløkka", ""),
        ("deployment pipeline", ""),
        ("", ""),
    ],
)
def test_lists_and_form_tell_the_type(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_what_is_known_comes_before_any_guess() -> None:
    assert kind_of("Terraform", label="ORG", known="animal") == "animal"


def test_labels_count_where_nothing_else_tells() -> None:
    assert kind_of("Suwon Gyo", label="GPE") == "place"
    assert kind_of("Borealis", label="ORG") == ""  # may as well be a tool
    assert kind_of("deployment pipeline", label="ORG") == ""


def test_a_common_word_of_two_such_syllables_is_no_korean_name() -> None:
    assert is_given("Minji") and is_given("Seo-yeon") and not is_given("Java") and not is_given("minji")
