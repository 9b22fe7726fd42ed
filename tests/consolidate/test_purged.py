"""A purged section takes its sentences out of the digest that tells it, and out of all that is kept of that."""

from __future__ import annotations

from memoryapp.consolidate import consolidate
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.review import edit, preview_purge, purge, undo_run
from memoryapp.spaces import Space
from memoryapp.store import embeddings, entities, memories
from tests.consolidate.logs import H100, a_section, kept
from tests.samples import AGENT, PERSON
from tests.store.test_purge import dumped

SECRET = "Decided that the quetzal key lies under the third stone. Quetzal no. 9."


def folded(space: Space, *more: str) -> tuple[Memory, Memory, Memory]:
    """A digest of two sections, one of which holds the secret; with the two."""
    one, other = a_section(H100, days=10), a_section(SECRET, days=9, title="Quetzal", tags=("quetzal", "gpu"))
    kept(space, one, other, names={"H100": (one, other), "Quetzal": (other,)})
    digest = consolidate(space, actor=AGENT).written[0]
    assert "third stone" in digest.text and "Quetzal no. 9." in digest.text and "quetzal" in digest.tags
    return digest, one, other


def test_its_words_its_tags_and_its_names_leave_the_digest_which_stands(space: Space) -> None:
    digest, one, other = folded(space)
    edit(space, digest.id, {"tags": ["seen", *digest.tags]}, actor=PERSON)
    told = preview_purge(space, other.id, actor=PERSON)
    assert told.removed["digests"] == 1 and told.also == ()

    receipt = purge(space, other.id, actor=PERSON)

    assert receipt.complete and receipt.removed["digests"] == 1
    left = memories.get(space.db, digest.id)
    assert left.state is State.HELD and left.kind is Kind.DIGEST
    assert left.text == "19 February\n- Talked about cost.\n- Decided: embedding moves to one rented H100." + (
        "\n- Coffee machine is back."
    )
    assert left.tags == ("seen",)
    assert {told["section"] for told in left.detail["sentences"]} == set(left.detail["originals"]) == {one.id}
    assert [edge.entity for edge in entities.references_of(space.db, [digest.id])[digest.id]] == [
        edge.entity for edge in entities.references_of(space.db, [one.id])[one.id]
    ]
    assert "quetzal" not in dumped(space.db).lower()


def test_the_digest_gets_the_vector_of_what_is_left(space: Space) -> None:
    digest, _, other = folded(space)
    model = space.encoder.name
    before = embeddings.get_many(space.db, model, [digest.id])[digest.id]
    purge(space, other.id, actor=PERSON)
    after = embeddings.get_many(space.db, model, [digest.id])[digest.id]
    assert float(before @ after) < 0.999


def test_of_an_edited_digest_what_repeats_it_is_blanked(space: Space) -> None:
    digest, _, other = folded(space)
    edit(space, digest.id, {"text": "Mind: decided that the quetzal key lies under the third stone. Ok."}, actor=PERSON)
    assert purge(space, other.id, actor=PERSON).complete
    text = memories.get(space.db, digest.id).text
    assert "third stone" not in text and text.startswith("Mind: ") and text.endswith("Ok.")
    assert "third stone" not in dumped(space.db)


def test_a_digest_that_says_nothing_else_goes_whole(space: Space) -> None:
    empty, other = a_section("Ok!", days=10, title="Ok"), a_section(SECRET, days=9)
    kept(space, empty, other, names={"H100": (empty, other)})
    digest = consolidate(space, actor=AGENT).written[0]
    purge(space, empty.id, actor=PERSON)
    assert memories.find(space.db, digest.id) is not None
    receipt = purge(space, other.id, actor=PERSON)
    assert receipt.complete and receipt.also == ((digest.id, "digest"),)
    assert memories.find(space.db, digest.id) is None


def test_the_run_can_still_be_rolled_back(space: Space) -> None:
    digest, one, other = folded(space)
    run = consolidate(space, actor=AGENT).run
    assert run is None
    purge(space, other.id, actor=PERSON)
    from memoryapp.store import revisions

    made = revisions.of_record(space.db, digest.id)[0].run
    undo_run(space, made, actor=PERSON)
    assert memories.get(space.db, one.id).state is State.HELD
    assert memories.get(space.db, digest.id).state is State.DELETED
