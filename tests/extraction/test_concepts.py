"""Which names are seen in a text, by what, and which words are no names."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.entity import EntityType
from memoryapp.extraction.entities.candidates import Candidate, NameClue, candidates, inline_tags


def seen(text: str, **options: object) -> dict[str, Candidate]:
    return {candidate.normal: candidate for candidate in candidates(text, **options)}  # type: ignore[arg-type]


def by(text: str, how: NameClue, **options: object) -> list[str]:
    return [c.surface for c in candidates(text, **options) if how in c.how]  # type: ignore[arg-type]


def test_wiki_links_name_their_target_and_not_their_label() -> None:
    text = "See [[SurrealDB]], [[people/Mina Park|her]], [[Rollback#part]] and [[x.md]]."
    assert by(text, NameClue.WIKI_LINK) == ["SurrealDB", "Mina Park", "Rollback"]


def test_an_embedded_picture_and_a_dated_note_are_no_names() -> None:
    assert by("![[shot.png]] [[2026-02-13]] [[2026-02-13-standup]]", NameClue.WIKI_LINK) == []


def test_tags_are_found_in_prose_and_colours_headings_and_anchors_are_not() -> None:
    text = "# Head\n#ops and #배포 (#deploy/prod) a#b [x](#part) #fff #a1b2c3 #2026 #1st &#39; https://x.io/#frag"
    assert inline_tags(text) == ("ops", "배포", "deploy/prod", "1st")


def test_tags_sort_notes_and_name_nothing() -> None:
    assert seen("words #infra and #배포") == {}


def test_code_names_are_names_and_calls_flags_paths_and_keywords_are_not() -> None:
    text = "Use `surrealdb` with `vim-fugitive`, not `get()`, `--force`, `a/b.py`, `user_id`, `SELECT`, `true`, `x y`."
    assert by(text, NameClue.CODE) == ["surrealdb", "vim-fugitive"]


def test_nothing_is_seen_inside_a_code_block() -> None:
    assert seen("```\n[[A]] #tag `code` Berlin Berlin\n```\n\n    indented [[B]]\n") == {}


def test_link_texts_that_are_names_count_and_words_like_docs_do_not() -> None:
    text = "[Brian Dunn](http://x.y/z), [docs](http://a.b), [the source code](http://a.b), [read more about it](http://a.b)"
    assert by(text, NameClue.LINK) == ["Brian Dunn"]


def test_a_link_to_a_page_beside_gives_its_title_and_no_name() -> None:
    text = "- [Resume Specific Session](claude/resume.md)\n- [Simon Willison](people/simon.md)"
    assert list(seen(text)) == ["simon willison"]
    assert by("[Hacker News Daily](https://x.io/a)", NameClue.LINK) == ["Hacker News Daily"]


def test_a_repository_is_known_by_its_address() -> None:
    found = seen("see https://github.com/surrealdb/surrealdb.git and https://github.com/sponsors/x")
    assert list(found) == ["surrealdb"]
    assert found["surrealdb"].type is EntityType.TOOL


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We met Mina Park in Seoul.", ["Mina Park", "Seoul"]),
        ("Yesterday we moved PostgreSQL. This was hard.", ["PostgreSQL"]),
        ("Furthermore it works. Quickly done.", []),
        ("Redis is down. We like Redis.", ["Redis"]),
        ("Bread is good. Bread is fine, and more bread too.", []),
        ("The Lord of the Rings is long.", ["Lord of the Rings"]),
        ("We asked Alice and Bob.", ["Alice", "Bob"]),
        ("On Monday in May at 10 AM", []),
        ("## How To Jump To The End Of The PostgreSQL File", ["PostgreSQL"]),
        ("- Fixed the build\n- Shipped it", []),
        ("It is Alice's turn.", ["Alice"]),
        ("I'm here. I'll go. It's OK.", []),
        ("we use C++ and Node.js", ["C++", "Node.js"]),
        ("It has 16 GB of VRAM, and GB says little.", ["VRAM"]),
        ("VRAM on the RTX 5070 Ti crept up. ## X", ["VRAM", "RTX 5070 Ti"]),
        ("## RTX 5070 Ti VRAM Issue\nIt was full.", ["RTX 5070 Ti", "VRAM"]),
        ("In Winter 2024 Olympics were held.", ["Winter", "Olympics"]),
        ("The network. Speaks Portuguese.", ["Portuguese"]),
        ("## Cost\nRented H100 for anything over an hour.", ["H100"]),
        ("## Embedding model\nCompared it.", []),
        ("- Argument Requirements For A Function", []),
        ("- Using The PostgreSQL File In A Test", ["PostgreSQL"]),
        ("## Use Built-In Functions Of PostgreSQL", ["PostgreSQL"]),
    ],
)
def test_capitalised_terms(text: str, names: list[str]) -> None:
    assert by(text, NameClue.CAPITALS) == names


def test_a_run_of_capitals_ends_at_the_full_stop_and_at_the_end_of_a_list_item() -> None:
    assert by("we use the Redis. Postgres too, and the Postgres", NameClue.CAPITALS) == ["Redis", "Postgres"]
    assert by("- we like Redis\n- we like Postgres", NameClue.CAPITALS) == ["Redis", "Postgres"]


def test_the_whole_document_tells_names_from_words() -> None:
    section = "Apple is a fruit we like."
    assert by("we like Apple", NameClue.CAPITALS, context="we like Apple") == ["Apple"]
    assert by(section, NameClue.CAPITALS, context=section + " An apple, the apple.") == []


def test_every_way_a_name_was_seen_is_kept() -> None:
    found = seen("[[Redis]] is `redis`.")["redis"]
    assert found.how == (NameClue.WIKI_LINK, NameClue.CODE)


def test_names_are_not_dates_numbers_or_single_letters() -> None:
    assert seen("[[2026]] [[x]] [[42]] #x `v1`") == {}


def test_an_organization_is_told_by_its_name() -> None:
    assert seen("[[Hanbit Labs]]")["hanbit labs"].type is EntityType.ORGANIZATION


def test_a_type_is_guessed_by_what_the_name_itself_tells() -> None:
    found = seen("We moved to SurrealDB. We asked Priya in Busan about the Harvest.")
    assert {name: one.type.value for name, one in found.items()} == {
        "surrealdb": "tool", "priya": "person", "busan": "place", "harvest": "unknown",
    }  # fmt: skip


@given(st.text(max_size=300))
def test_any_text_gives_candidates_with_a_usable_name(text: str) -> None:
    for candidate in candidates(text):
        assert 2 <= len(candidate.normal) <= 60
        assert candidate.how


HOSTILE = ["[[", "`", "[a](", "#", "A ", "A-", "![", "https://", "a'"]


@pytest.mark.parametrize("hostile", [piece * 50_000 for piece in HOSTILE], ids=HOSTILE)
def test_hostile_text_takes_linear_time(hostile: str) -> None:
    began = time.perf_counter()
    candidates(hostile)
    assert time.perf_counter() - began < 60


def test_a_heading_does_not_run_into_the_name_that_opens_the_line_below_it() -> None:
    found = [one.surface for one in candidates("## Architecture\nSurrealDB runs embedded.")]
    assert "SurrealDB" in found and "Architecture SurrealDB" not in found


def test_a_korean_particle_is_no_part_of_a_latin_name() -> None:
    assert by("배포 서버는 Tantivy를 쓰고 Tantivy는 빠르다.", NameClue.CAPITALS) == ["Tantivy"]


def test_a_word_of_the_language_in_a_code_span_is_no_name() -> None:
    text = "States are `printed`, `pending` and `shelf`; put it on the shelf. `psql`, `redis` and `x-ray` are names."
    assert by(text, NameClue.CODE) == ["psql", "redis", "x-ray"]


def test_a_file_is_no_name_and_what_only_looks_like_one_is() -> None:
    assert by("[GUIDE.md](GUIDE.md) and [Next.js](https://x.io)", NameClue.LINK) == ["Next.js"]
