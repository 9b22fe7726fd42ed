"""What verbs state: who does it, to what, and which type that is. With the real parser."""

from __future__ import annotations

import pytest

from memoryapp.extraction.relations.pipeline import relations_in
from memoryapp.extraction.relations.sentences import Text
from memoryapp.inference.embedding import load_encoder
from tests.extraction.relations.told import lines_of, told


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        ("Adam uses Terraform.", {"Adam uses Terraform"}),
        ("The billing service depends on Redis.", {"billing service depends_on Redis"}),
        ("The billing service is written in Kotlin.", {"billing service uses Kotlin"}),
        ("Priya leads the platform team.", {"Priya manages platform team"}),
        ("Kim Minsu founded Hangang Labs in 2015.", {"Kim Minsu created Hangang Labs"}),
        ("Context7 implements the MCP protocol.", {"Context7 implements MCP protocol"}),
        ("Adam and Priya maintain the release scripts.",
         {"Adam works_on release scripts", "Priya works_on release scripts"}),
        ("Mina uses databases such as Postgres.", {"Mina uses Postgres", "Postgres is_a database"}),
        ("Leah wrote the ingestion worker in Go.", {"Leah created ingestion worker", "Leah uses Go"}),
        ("Hangang Labs is based in Seoul.", {"Hangang Labs located_in Seoul"}),
    ],
)  # fmt: skip
def test_a_verb_with_its_preposition_gives_the_type(text: str, relations: set[str]) -> None:
    assert told(text) == relations


def test_several_are_used_where_and_joins_them() -> None:
    assert told("I use Neovim and tmux every day.", speaker="Mina") == {"Mina uses Neovim", "Mina uses tmux"}


def test_a_passive_is_turned_round() -> None:
    assert told("Palimpsest was created by Jiwon.") == {"Jiwon created Palimpsest"}
    assert told("The staging cluster is managed with Terraform and hosted on AWS.") == {
        "staging cluster uses Terraform", "staging cluster runs_on AWS",
    }  # fmt: skip


def test_verbs_that_look_from_the_other_side_are_turned_round() -> None:
    assert told("Mina reports to Priya.") == {"Priya manages Mina"}
    assert told("Hangang Labs employs Adam Kim.") == {"Adam Kim works_at Hangang Labs"}


def test_a_tool_beside_a_creation_is_used_and_what_was_made_is_created() -> None:
    text = "Adam set up the deployment pipeline with Terraform."
    expected = {"Adam created deployment pipeline", "Adam uses Terraform"}
    assert told(text) == told(text, known=("Adam", "deployment pipeline", "Terraform")) == expected


def test_what_is_built_on_something_depends_on_it() -> None:
    expected = {"deployment pipeline depends_on Terraform"}
    assert told("The deployment pipeline is built on Terraform.") == expected
    assert (
        told("The deployment pipeline is built on terraform.", known=("deployment pipeline", "Terraform")) == expected
    )


def test_with_a_person_is_together_and_with_a_tool_is_use() -> None:
    assert told("Worked on Terraform with Adam.", speaker="Mina") == {
        "Mina works_on Terraform", "Mina collaborates_with Adam",
    }  # fmt: skip
    assert told("Adam works with Kubernetes.") == {"Adam uses Kubernetes"}
    assert told("Adam works with Borealis.", known=("Borealis",), Borealis="tool") == {"Adam uses Borealis"}
    assert told("Adam works with Borealis.", known=("Borealis",), Borealis="person") == {
        "Adam collaborates_with Borealis"
    }


def test_the_object_runs_where_somebody_deployed_it() -> None:
    assert "API gateway runs_on Kubernetes" in told("Adam deployed the API gateway to Kubernetes.")


def test_building_is_work_and_having_built_is_creation() -> None:
    assert told("Adam is building Palimpsest.", known=("Palimpsest",)) == {"Adam works_on Palimpsest"}
    assert told("Adam built Palimpsest.") == {"Adam created Palimpsest"}


def test_known_names_are_found_in_small_letters_and_with_hyphens() -> None:
    known = ("nvim", "scikit-learn")
    assert told("i use nvim and scikit-learn for everything", speaker="Mina", known=known) == {
        "Mina uses nvim", "Mina uses scikit-learn",
    }  # fmt: skip


def test_an_everyday_word_in_small_letters_is_not_the_thing_of_that_name() -> None:
    assert told("I make coffee and use make.", speaker="Mina", known=("Make",)) == set()


def test_a_known_name_is_spelled_as_it_is_known() -> None:
    assert told("we use TERRAFORM", speaker="Mina", known=("Terraform",)) == {"Mina uses Terraform"}


@pytest.mark.parametrize(
    "text",
    [
        "I use a lot of tools.",
        "He uses Vim.",
        "This uses Vim.",
        "I like it.",
        "I made a big mistake.",
        "I had a great time at the beach.",
        "Do you use Vim?",
        "Use uv instead of pip.",
        "My brother uses a thing.",
        "Please don't remember this: I use Vim.",
    ],
)
def test_pronouns_light_words_questions_and_orders_give_nothing(text: str) -> None:
    assert told(text, speaker="Mina") == set()


def test_without_a_speaker_nobody_is_i() -> None:
    assert told("I use Neovim.") == set()
    assert told("Worked on Terraform.") == set()


def test_the_user_is_the_speaker_where_one_is_given() -> None:
    assert told("The user prefers Python.", speaker="Mina") == {"Mina prefers Python"}
    assert told("The user prefers Python.") == {"user prefers Python"}


def test_who_told_it_is_the_speaker_where_nobody_else_is() -> None:
    assert told("Mina: I use Neovim.", known=("Mina",)) == {"Mina uses Neovim"}


def test_whom_somebody_is_asked_to_is_not_who_asked() -> None:
    assert told("Mina asked Adam to use Nix.") == {"Adam uses Nix (planned)"}


def test_who_is_joined_to_the_place_before_does_what_comes_next() -> None:
    assert told("Mina lives in Seoul and Mina works at Hangang Labs as the operations lead.") == {
        "Mina lives_in Seoul", "Mina works_at Hangang Labs",
    }  # fmt: skip
    assert told("Mina uses Rust and Go.") == {"Mina uses Rust", "Mina uses Go"}


def test_what_is_chosen_over_another_is_preferred() -> None:
    assert told("Jiwon chose SurrealDB over PostgreSQL because edges live in it.") == {"Jiwon prefers SurrealDB"}
    assert told("Mina picked Rust over Go.") == {"Mina prefers Rust"}
    assert told("Jiwon chose SurrealDB.") == told("Mina chose tea over coffee.") == set()


def test_what_is_described_in_a_tool_uses_it_and_in_a_book_does_not() -> None:
    assert told("The deployment pipeline is described in Terraform.") == {"deployment pipeline uses Terraform"}
    assert told("The deployment pipeline is described in Chapter Three.") == set()


def test_tools_in_small_letters_are_names() -> None:
    assert told("Mina prefers pytest over unittest.") == {"Mina prefers pytest"}
    assert told("Mina uses nvim.") == {"Mina uses nvim"}
    assert "Mina uses vim" not in told("Mina uses vim-rails.")


def test_what_is_called_by_a_name_may_be_owned() -> None:
    assert told("Adam owns the Terraform modules.") == {"Adam owns Terraform modules"}
    assert told("Adam owns the red car.") == set()


def test_a_place_likes_nothing() -> None:
    assert "Seoul prefers Busan" not in told("Mina likes Seoul and Jiwon likes Busan.")


def test_confidence_is_highest_between_names_and_least_for_plans() -> None:
    texts = ["Adam uses Nix.", "Adam uses the metrics dashboard.", "Adam wants to use Nix."]
    found = relations_in([Text(text) for text in texts])
    assert [one[0].confidence for one in found] == [0.7, 0.6, 0.5]


def test_the_words_between_the_two_are_the_label() -> None:
    (stated,) = relations_in([Text("Adam works on Terraform. Grafana was broken by Adam.")])
    assert stated[0].label == "works on"
    (stated,) = relations_in([Text("Palimpsest was created by Jiwon.")])
    assert stated[0].label == "created"


def test_a_verb_that_no_synonym_covers_is_related_to_or_what_an_encoder_finds_near() -> None:
    text = Text("Jiwon constructed Palimpsest.", None, ("Jiwon", "Palimpsest"))
    (plain,) = relations_in([text])
    assert lines_of(plain) == {"Jiwon related_to Palimpsest"} and plain[0].label == "constructed"
    (near,) = relations_in([text], encode=load_encoder("all-MiniLM-L6-v2").encode_documents)
    assert lines_of(near) == {"Jiwon created Palimpsest"} and near[0].confidence == 0.5


def test_types_come_with_the_names() -> None:
    ((stated, *_),) = relations_in([Text("Jane works at Hangang in Seoul.", None, ("Hangang",))])
    assert (stated.subject.type, stated.object.type) == ("person", "organization")


def test_texts_keep_their_order_and_each_relation_comes_once() -> None:
    found = relations_in([Text(""), Text("Adam uses Nix. Really, Adam uses Nix."), Text("Priya uses Vim.")])
    assert [lines_of(one) for one in found] == [set(), {"Adam uses Nix"}, {"Priya uses Vim"}]
    assert len(found[1]) == 1
    assert relations_in([]) == []
