"""Atoms as sentences: by them a memory is searched and recalled."""

from __future__ import annotations

import pytest
from hypothesis import given

from memoryapp.domain.atom import Atom
from memoryapp.extraction.atoms.parse import parse
from memoryapp.extraction.atoms.read_aloud import read_aloud
from tests.extraction.atoms.made import atoms


def heard(text: str) -> str:
    (atom,) = parse(text)
    return read_aloud(atom)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(prefers :subject Alice :object Python)", "Alice prefers Python."),
        ("(prefer-01 :object Python :subject 민수)", "민수 prefers Python."),
        ("(works_at :subject Alice :object Hangang)", "Alice works at Hangang."),
        ("(visit :subject Alice :subject Bob :subject Carol :object Busan)", "Alice, Bob and Carol visit Busan."),
        ("(visit :subject I :object Busan)", "I visit Busan."),
        ("(visit :object Busan :object Seoul)", "Visit Busan and Seoul."),
        ("(carries :subject Alice :object book)", "Alice carries book."),
        ("(built :subject Alice :object parser)", "Alice built parser."),
        ("(tries :subject alice :object nvim)", "alice tries nvim."),
        ("(is_a :subject SurrealDB :object database)", "SurrealDB is a database."),
        ("(be :subject Alice :attribute tall)", "Alice is tall."),
        ("(located_in :subject Lab :locus Busan)", "Lab is located in Busan."),
        ("(part_of :subject A :subject B :object C)", "A and B are part of C."),
        ("(member_of :subject Alice :object Team)", "Alice is a member of Team."),
        ('(works :subject Bob :locus "Acme Inc.")', "Bob works in Acme Inc."),
    ],
)
def test_the_predicate_stands_between_subject_and_object(text: str, sentence: str) -> None:
    assert heard(text) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(sends :locus Seoul :recipient Bob :instrument scp :source a.py :object file :subject Alice)",
         "Alice sends file to Bob with scp from a.py in Seoul."),
        ("(comes :subject Alice :origin Busan)", "Alice comes from Busan."),
        ("(comes_from :subject Alice :origin Busan :locus 10:30)", "Alice comes from Busan at 10:30."),
        ("(lives_in :subject Alice :instrument Bob :locus Seoul)", "Alice lives in Seoul with Bob."),
        ("(works_at :subject Alice :object Acme :locus Seoul)", "Alice works at Acme in Seoul."),
        ("(ships :subject Team :object v2 :locus 2026-03-01)", "Team ships v2 on 2026-03-01."),
        ("(owns :subject Alice :object car :attribute red)", "Alice owns car (red)."),
        ("(sets :subject Bob :object Python :attribute version :value 3.11)", "Bob sets Python (version 3.11)."),
        ("(has :subject Alice :attribute age :value 30)", "Alice has age 30."),
        ("(costs :subject Server :value 40)", "Server costs 40."),
        ("(rates :subject Bob :object A :attribute fast :attribute small :value 5)", "Bob rates A (fast, small, 5)."),
    ],
)  # fmt: skip
def test_every_role_has_its_place_and_preposition_once(text: str, sentence: str) -> None:
    assert heard(text) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(plans :subject Alice :object (visit :subject Alice :object Busan))", "Alice plans: Alice visits Busan."),
        ("(tells :subject Alice :recipient Bob :object (x :subject A) :object (y :subject B))",
         "Alice tells to Bob: A x; B y."),
        ("(causes :subject (rains :locus Seoul) :object flood)", "“rains in Seoul” causes flood."),
        ("(says :subject A :object (thinks :subject B :object (knows :subject C :object D)))",
         "A says: B thinks: C knows D."),
    ],
)  # fmt: skip
def test_nested_atoms_are_told_after_a_colon_or_in_quotes(text: str, sentence: str) -> None:
    assert heard(text) == sentence


@pytest.mark.parametrize(
    ("attributes", "aside"),
    [
        (":mood planned", " (planned)"),
        (":mood uncertain :tense past", " (not certain, past)"),
        (":mood normative", " (as it should be)"),
        (":mood conditional :tense future", " (on a condition, future)"),
        (":mood actual :tense present :memory_type semantic", ""),
    ],
)
def test_what_is_not_so_now_is_told_as_such(attributes: str, aside: str) -> None:
    assert heard(f"(visits :subject Alice :object Busan {attributes})") == f"Alice visits Busan{aside}."


def test_the_mood_of_what_is_told_does_not_mingle_with_that_of_telling() -> None:
    text = "(plans :subject Alice :mood uncertain :object (visits :subject Alice :object Busan :mood planned))"
    assert heard(text) == "Alice plans (not certain): Alice visits Busan (planned)."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(좋아하다 :object 파이썬 :subject 민수)", "민수는 파이썬을 좋아하다."),
        ("(주다 :subject 지훈 :object 사과 :recipient 민수)", "지훈은 민수에게 사과를 주다."),
        ("(가다 :subject 지훈 :instrument 지하철 :locus 서울)", "지훈은 서울에서 지하철로 가다."),
        ("(쓰다 :instrument 연필 :instrument 붓 :object 글 :mood planned :tense past)",
         "연필, 붓으로 글을 쓰다 (계획, 과거)."),
        ("(원하다 :subject 민수 :object (visits :subject 민수 :object Busan))", "민수는 “민수 visits Busan”을 원하다."),
    ],
)  # fmt: skip
def test_a_korean_predicate_is_told_in_the_order_of_korean(text: str, sentence: str) -> None:
    assert heard(text) == sentence


def test_spaces_and_line_breaks_within_names_become_single_spaces() -> None:
    assert heard('("works\n at" :subject " Alice\n Kim ")') == "Alice Kim works at."


@given(atoms)
def test_any_atom_is_told_on_one_line_with_all_its_names(atom: Atom) -> None:
    sentence = read_aloud(atom)
    assert sentence.strip() and sentence == " ".join(sentence.split()).strip()
    for _, value in atom.participants:
        if isinstance(value, str):
            name = " ".join(value.split())
            assert name[1:] in sentence
