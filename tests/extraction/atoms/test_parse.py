"""PENMAN notation read: both ways of writing it, what a name may look like, and what is told about every mistake."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.atom import ATOMS, ATOMS_CHARS, DEPTH, NAME_CHARS, PARTICIPANTS, Atom, Role, Tense
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.memory import MemoryType, Mood
from memoryapp.extraction.atoms.parse import parse
from memoryapp.extraction.atoms.write import format_atom

VISITS = Atom("visits", ((Role.SUBJECT, "Alice"), (Role.OBJECT, "Busan")))


def one(text: str) -> Atom:
    (atom,) = parse(text)
    return atom


def names(text: str) -> list[str | Atom]:
    return [value for _, value in one(text).participants]


def refusal(text: str) -> str:
    with pytest.raises(BadInput) as refused:
        parse(text)
    assert refused.value.field == "/atoms"
    return refused.value.detail


def test_an_atom_is_read_with_its_roles_and_attributes() -> None:
    assert one("(prefers :subject Alice :object Python :memory_type semantic :mood planned :tense future)") == Atom(
        "prefers",
        ((Role.SUBJECT, "Alice"), (Role.OBJECT, "Python")),
        MemoryType.SEMANTIC,
        Mood.PLANNED,
        Tense.FUTURE,
    )


@pytest.mark.parametrize("role", Role)
def test_every_role_is_known_and_may_stand_twice(role: Role) -> None:
    assert one(f"(x :{role} a :{role} b)").participants == ((role, "a"), (role, "b"))


def test_roles_and_attributes_are_read_in_capitals_with_hyphens_and_in_quotes() -> None:
    assert one('(x :SUBJECT A :memory-type "Episodic" :Mood UNCERTAIN)') == Atom(
        "x", ((Role.SUBJECT, "A"),), MemoryType.EPISODIC, Mood.UNCERTAIN
    )


def test_several_atoms_stand_one_after_the_other_among_comments() -> None:
    text = "# ::id 1 (x :subject y)\n(visits :subject Alice\n  # where\n  :object Busan) # said\n\n#\n(x :value #1)"
    assert parse(text) == (VISITS, Atom("x", ((Role.VALUE, "#1"),)))


def test_an_atom_may_stand_in_a_role_of_another() -> None:
    assert one("(plans :subject Alice :object (visits :subject Alice :object Busan :mood planned))") == Atom(
        "plans",
        (
            (Role.SUBJECT, "Alice"),
            (Role.OBJECT, Atom("visits", VISITS.participants, mood=Mood.PLANNED)),
        ),
    )


@pytest.mark.parametrize(
    "word",
    ["src/app.py", "https://x.io/a?b=c#d", "10:30", "C#", "C++", "me@x.io", "O'Brien", "-", "3.11", "가치관", "東京",
     "R&D", "https://ko.wikipedia.org/wiki/가치관", "🚀", "ﬁ", "नमस्ते"],
)  # fmt: skip
def test_a_bare_word_may_have_whatever_names_have(word: str) -> None:
    assert names(f"(x :subject {word} :object {word})") == [word, word]


def test_quoted_words_keep_spaces_line_breaks_brackets_and_what_is_escaped() -> None:
    assert names('(x :subject "Alice \\"Al\\" Kim" :object "a\\\\b\\n\\tc" :value ") :object (" :source "a\nb")') == [
        'Alice "Al" Kim',
        "a\\b\n\tc",
        ") :object (",
        "a\nb",
    ]


def test_variables_stand_for_the_names_they_are_given() -> None:
    assert one('(p / prefers :subject (a / Alice) :object (v / "VS Code") :recipient a)') == Atom(
        "prefers", ((Role.SUBJECT, "Alice"), (Role.OBJECT, "VS Code"), (Role.RECIPIENT, "Alice"))
    )


def test_a_variable_holds_before_its_definition_inside_nested_atoms_and_for_a_whole_atom() -> None:
    assert one("(w/wants :subject a :object (v /visits :subject (a/ Alice) :object Busan) :value v)") == Atom(
        "wants", ((Role.SUBJECT, "Alice"), (Role.OBJECT, VISITS), (Role.VALUE, VISITS))
    )


def test_a_variable_ends_with_its_atom_and_never_stands_in_quotes() -> None:
    first, second = parse('(x :subject (a / Alice) :object "a") (x :subject a)')
    assert first.participants == ((Role.SUBJECT, "Alice"), (Role.OBJECT, "a"))
    assert second.participants == ((Role.SUBJECT, "a"),)


def test_a_longer_word_with_a_slash_is_a_predicate_and_no_variable() -> None:
    assert one("(and/or :subject A)").predicate == "and/or"


def test_line_breaks_of_other_systems_a_byte_order_mark_and_control_characters_do_no_harm() -> None:
    assert parse("\ufeff(visits\r\n:subject Al\x00ice\r:object Bu\ud800san)") == (VISITS,)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Line 1, column 1: found no atom, expected one such as (prefers"),
        (" \n\t", "Line 1, column 1: found no atom"),
        ("# only this", "found no atom"),
        ("\n prefers", "Line 2, column 2: found “prefers”, expected an atom in brackets"),
        ("(", "Line 1, column 2: found the end of the text, expected a predicate"),
        ("(x :subject ())", "Line 1, column 14: found “)”, expected a predicate"),
        ("(:subject A)", "Line 1, column 2: found “:subject”, expected a predicate"),
        ("(x)", "Line 1, column 1: found “x” without a participant"),
        ("(x :mood planned)", "found “x” without a participant"),
        ("(x :subject (y :tense past))", "Line 1, column 13: found “y” without a participant"),
        ("(a / )", "Line 1, column 6: found “)”, expected a word after “/”"),
        ("(x\n  :subject A\n", "Line 2, column 13: found the end of the text, expected a role"),
        ("\n(x\n  :subject A\n", "The bracket opened in line 2, column 1 is not closed"),
        ("(x :subject A\n(y :object B)", "Line 2, column 1: found “(”, expected a role such as :subject, or “)”. The"),
        ("(x :subject A))", "Line 1, column 15: found “)”, expected an atom"),
        ("(x :subject A)\n  :object B", "Line 2, column 3: found “:object”, expected an atom"),
        ("(x :subject)", "Line 1, column 12: found “)”, expected a word, a quoted string or an atom in brackets after"),
        ("(x :subject :object B)", "found “:object”, expected a word"),
        ("(x :subject Alice Kim)", "Line 1, column 19: found “Kim”, expected a role such as :subject, or “)”. Words"),
        ("(x : A)", "Line 1, column 4: found “:”, expected a role (:subject, :object, :recipient"),
        ("(x :agent A)", ":instrument, :source, :origin, :attribute, :value, :locus) or :memory_type, :mood or"),
        ("(x :object-of A)", "found “:object-of”, a role turned round, expected a plain role. Write the other"),
        ("(x :object-of A)", "name this one in its :object."),
        ("(x :subject A :mood happy)", "Line 1, column 21: found “happy”, expected actual, planned, uncertain, norm"),
        ("(x :subject A :memory_type)", "found “)”, expected episodic, semantic or procedural after :memory_type."),
        ("(x :subject A :tense (y :subject B))", "found “(”, expected past, present or future after :tense."),
        ("(x :tense past :subject A\n :tense past)", "Line 2, column 2: found :tense a second time"),
        ('(x\n:subject "A)', 'Line 2, column 10: found a quote " that is never closed'),
        ('(x :subject "A\\")', 'Line 1, column 13: found a quote " that is never closed'),
        ('(x :subject "C:\\Users")', "Line 1, column 16: found “\\U” in quotes"),
        ('(x :subject " \n")', "Line 1, column 13: found empty quotes"),
        ("(x :subject Alice, :object B)", "Line 1, column 18: found “Alice,”, expected a plain word"),
        ("(x :subject “Alice”)", 'Line 1, column 13: found a quote like “, expected the straight double quote "'),
        ("(x :subject 'Alice Kim')", "Line 1, column 13: found a quote like '"),
        ("(a / x :subject (a / A))", "Line 1, column 18: found “a” a second time"),
        ("(a / x :subject a)", "Line 1, column 17: found a variable of the atom it stands in"),
        ("(x :object (b / y :value c) :value (c / z :value b))", "a variable of the atom it stands in"),
        ("(prefers :subject 가나다라마바사 아)", "Line 1, column 27: found “아”"),
        (f"({'x' * 99},)", "found “" + "x" * 39 + "…”"),
        (f"(x :subject {'가' * (NAME_CHARS + 1)})", "Line 1, column 13: found 301 characters, expected at most 300"),
        (f"({'x' * (NAME_CHARS + 1)} :subject A)", "Line 1, column 2: found 301 characters"),
        ("(x :object " * (DEPTH + 1), "Line 1, column 89: found an atom 9 deep, expected at most 8"),
        ("(x" + " :value 1" * (PARTICIPANTS + 1) + ")", "more than 100 participants"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place_what_was_found_and_what_was_expected(text: str, told: str) -> None:
    assert told in refusal(text)


def test_one_mistake_refuses_all_atoms_of_a_text() -> None:
    assert "Line 2, column 4" in refusal("(x :subject A)\n(y :agent B)")


def test_limits_are_inclusive() -> None:
    assert len(parse("(x :subject A)\n" * ATOMS)) == ATOMS
    assert len(names("(x" + " :value 1" * PARTICIPANTS + ")")) == PARTICIPANTS
    assert names(f"(x :subject {'가' * NAME_CHARS})") == ["가" * NAME_CHARS]
    deepest = "(x :object " * DEPTH + "A" + ")" * DEPTH
    assert format_atom(one(deepest)) == deepest
    assert parse("(visits :subject Alice :object Busan)".ljust(ATOMS_CHARS)) == (VISITS,)


def test_too_much_at_once_is_told_as_too_large() -> None:
    with pytest.raises(TooLarge, match=r"Line 101, column 1: found more than 100 atoms") as many:
        parse("(x :subject A)\n" * (ATOMS + 1))
    with pytest.raises(TooLarge, match=r"Line 2, column 99999: found 100,001 characters in all") as long:
        parse("#\n" + "(" * (ATOMS_CHARS - 1))
    assert many.value.field == long.value.field == "/atoms"


def test_a_few_variables_do_not_grow_into_a_huge_atom() -> None:
    doubling = "A"
    for n in range(DEPTH - 1):
        doubling = f"(v{n} / x :subject {doubling} " + f":object v{n - 1} " * (10 if n else 0) + ")"
    assert "more than 100 participants" in refusal(doubling)


def test_a_chain_of_variables_is_as_deep_as_what_it_stands_for() -> None:
    chain = " ".join(f":value (v{n} / x :object v{n + 1})" for n in range(DEPTH))
    assert f"an atom {DEPTH + 1} deep" in refusal(f"(x {chain} :value (v{DEPTH} / x :object A))")


_marks = st.lists(
    st.sampled_from(
        ["(", ")", ":subject", ":object", ":mood", "planned", ":tense", " ", "\n", '"', "\\", "/", "a / ", "(a / b)",
         "a", "#", ":", "가", "Alice", "(x :subject ", ":subject-of", "\u2028", "\x00", ","]
    ),
    max_size=60,
).map("".join)  # fmt: skip


@given(st.text() | st.text(st.characters(exclude_categories=())) | _marks)
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    try:
        found = parse(text)
    except BadInput as refused:
        assert refused.detail.startswith("Line ")
        assert refused.field == "/atoms"
        return
    assert found
    assert parse(" ".join(format_atom(atom) for atom in found)) == found


@pytest.mark.parametrize(
    "piece", ["(", ")", '"', '\\"', "(a / ", " ", "(x :subject ", ":", "# \n", "a ", "(x ", "/", "a/"]
)
def test_the_longest_texts_of_one_piece_are_refused_without_a_crash(piece: str) -> None:
    refusal((piece * ATOMS_CHARS)[:ATOMS_CHARS])
    refusal("(x :subject " + (piece * ATOMS_CHARS)[: ATOMS_CHARS - 12])
