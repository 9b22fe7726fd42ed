"""How names become entities and memories refer to them, as sections come in."""

from __future__ import annotations

from memoryapp.domain.entity import EntityState
from memoryapp.graph import decide_entity
from tests.ingest.conftest import ACTOR, Notes


def test_a_name_is_proposed_at_its_first_sighting_and_known_at_the_second(notes: Notes) -> None:
    notes.write(a="## A\n\nWe use [[tantivy]] for words.")
    notes.ingest()
    assert notes.entities()["tantivy"].state is EntityState.PROPOSED
    notes.write(b="## B\n\nThe index is [[Tantivy]].")
    notes.ingest()
    known = notes.entities()["tantivy"]
    assert (known.state, known.sightings, known.name) == (EntityState.KNOWN, 2, "tantivy")
    assert notes.named("A") == notes.named("B") == {"tantivy"}


def test_the_same_section_read_twice_is_one_sighting(notes: Notes) -> None:
    for words in ("one", "two", "three"):
        notes.write(a=f"## A\n\n[[tantivy]] {words}")
        notes.ingest()
    assert (notes.entities()["tantivy"].state, notes.entities()["tantivy"].sightings) == (EntityState.PROPOSED, 1)


def test_a_sighting_that_went_away_does_not_count_towards_the_second(notes: Notes) -> None:
    for words in ("[[tantivy]]", "nothing", "[[tantivy]]"):
        notes.write(a=f"## A\n\n{words}")
        notes.ingest()
    assert notes.entities()["tantivy"].state is EntityState.PROPOSED


def test_a_known_name_is_found_in_plain_words_and_inside_korean_ones(notes: Notes) -> None:
    notes.write(a="## A\n\n[[Redis]] and [[가치관]]", b="## B\n\n[[Redis]] with [[가치관]]")
    notes.ingest()
    notes.write(c="## C\n\nnow redis is down", d="## D\n\n가치관이 바뀌었다. Redis는 그대로.")
    notes.ingest()
    assert notes.named("C") == {"redis"}
    assert notes.named("D") == {"redis", "가치관"}


def test_memories_that_named_it_before_it_was_known_are_linked_back(notes: Notes) -> None:
    notes.write(a="## A\n\nplain tantivy here", b="## B\n\n[[tantivy]]")
    notes.ingest()
    assert notes.named("A") == set()
    notes.write(c="## C\n\n[[tantivy]]", d="## D\n\nalso tantivy")
    notes.ingest()
    assert notes.named("A") == notes.named("D") == {"tantivy"}


def test_new_words_drop_the_references_they_no_longer_bear_out(notes: Notes) -> None:
    notes.write(a="## A\n\n[[Redis]] [[Postgres]]", b="## B\n\n[[Redis]] [[Postgres]]")
    notes.ingest()
    notes.write(a="## A\n\n[[Redis]]")
    notes.ingest()
    assert notes.named("A") == {"redis"}
    assert notes.named("B") == {"redis", "postgres"}


def test_a_refused_name_is_never_proposed_or_linked_again(notes: Notes) -> None:
    notes.write(a="## A\n\n[[tantivy]]")
    notes.ingest()
    decide_entity(notes.space, notes.entities()["tantivy"].id, EntityState.REFUSED, actor=ACTOR)
    notes.write(b="## B\n\n[[tantivy]]", c="## C\n\n[[tantivy]]")
    notes.ingest()
    assert notes.entities()["tantivy"].state is EntityState.REFUSED
    assert notes.named("B") == notes.named("C") == set()


def test_a_name_that_a_person_took_in_is_linked_from_then_on(notes: Notes) -> None:
    notes.write(a="## A\n\n[[tantivy]]")
    notes.ingest()
    decide_entity(notes.space, notes.entities()["tantivy"].id, EntityState.KNOWN, actor=ACTOR)
    notes.write(b="## B\n\nplain tantivy")
    notes.ingest()
    assert notes.named("B") == {"tantivy"}


def test_folders_and_tags_make_no_entities(notes: Notes) -> None:
    notes.put("postgres/a.md", "## A\n\nx #tuning")
    notes.put("postgres/b.md", "---\ntags: [work, project/active]\n---\n## B\n\ny #tuning")
    notes.ingest()
    assert notes.entities() == {}


def test_a_tag_links_what_is_known_by_that_name(notes: Notes) -> None:
    notes.write(a="## A\n\n[[Tuning]]", b="## B\n\n[[Tuning]]", c="## C\n\ny #tuning")
    notes.ingest()
    assert notes.named("C") == {"tuning"}


def test_the_aliases_of_a_note_are_names_of_what_it_is_about(notes: Notes) -> None:
    notes.put("call.md", "## Call\n\nYesterday 선아 asked about the lease.")
    notes.ingest()
    notes.put("Sun-ah Oh.md", "---\naliases: [선아, S. Oh]\ntags: [person]\n---\n## Flat\n\nShe looks for two rooms.")
    notes.ingest()
    sunah = notes.entities()["sun-ah oh"]
    assert (sunah.type, sunah.state, sunah.aliases) == ("person", EntityState.KNOWN, ("선아", "S. Oh"))
    assert notes.named("Call") == notes.named("Flat") == {"sun-ah oh"}


def test_the_tag_of_a_note_says_what_kind_of_thing_it_is_about(notes: Notes) -> None:
    notes.write(a="## A\n\nWith [[Ada Bridge]].", b="## B\n\n[[Ada Bridge]] again.")
    notes.ingest()
    assert notes.entities()["ada bridge"].type == "place"  # by its form
    notes.put("Ada Bridge.md", "---\ntags: people\n---\nShe runs the shop.")
    notes.ingest()
    assert notes.entities()["ada bridge"].type == "person"


def test_an_alias_that_is_another_entitys_name_stays_with_that_one(notes: Notes) -> None:
    notes.write(a="## A\n\n[[Redis]]", b="## B\n\n[[Redis]]")
    notes.ingest()
    notes.put("Cache.md", "---\naliases: Redis, the fast store\n---\n## Layout\n\nBy key.")
    notes.ingest()
    assert notes.entities()["cache"].aliases == ("the fast store",)


def test_what_a_person_refused_no_note_brings_back(notes: Notes) -> None:
    notes.write(a="## A\n\n[[Batching]]")
    notes.ingest()
    decide_entity(notes.space, notes.entities()["batching"].id, EntityState.REFUSED, actor=ACTOR)
    notes.put("Batching.md", "---\naliases: [batches]\n---\n## How\n\nIn eights.")
    notes.ingest()
    assert notes.entities()["batching"].state is EntityState.REFUSED
    assert notes.named("How") == set()


def test_a_document_is_one_sighting_however_many_of_its_sections_show_the_name(notes: Notes) -> None:
    notes.write(a="## A\n\nWith [[Quillwork]].\n\n## B\n\n[[Quillwork]] again.")
    notes.ingest()
    assert notes.entities()["quillwork"].state is EntityState.PROPOSED
    notes.write(b="## C\n\n[[Quillwork]]")
    notes.ingest()
    assert notes.entities()["quillwork"].state is EntityState.KNOWN
