"""Acts that change what is held: decisions, merges, digests, the tree, a purge, an undo."""

from __future__ import annotations

from memoryapp import graph, review, tree
from memoryapp.consolidate import consolidate
from memoryapp.consolidate import write as consolidating
from memoryapp.domain.conflict import ConflictStatus, Outcome
from memoryapp.domain.errors import Clash, NotFound
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember import remember
from memoryapp.review import undo as undoing
from memoryapp.spaces import Space
from memoryapp.store import conflicts, entities, memories
from tests.faults.acts.act import MACHINE, Act, Place
from tests.faults.acts.taking_in import read_folder
from tests.samples import AGENT, PERSON, runs_of
from tests.tree.gardens import a_large_page

_SAID = (
    "Mara lives in Seoul.", "Mara lives in Busan.", "The build takes 12 minutes.", "The build takes 40 minutes.",
    "The limit is 40 users.", "The limit is 60 users.", "Mara likes tea.", "Mara does not like tea.",
)  # fmt: skip
_DAYS = tuple(
    (topic, f"Decided: {topic} {what} in week {n}.")
    for n in range(3)
    for topic, what in (("H100", "is rented"), ("Hangang", "is frozen"), ("Nordwind", "was shipped"))
)
SECRET = "The word that nobody may read again is kingfisher."
WORDS = "H100 is rented in week 1"


def _disputed(place: Place) -> None:
    with place.opened() as space:
        for n, text in enumerate(_SAID):
            remember(space, [NewMemory(text, kind=Kind.FACT, ref=str(n))], actor=AGENT)
        assert len(conflicts.page(space.db, status=ConflictStatus.WAITING)) >= 3


def _decide(place: Place, space: Space) -> None:
    """Each by the outcome that its number gives, so that several forms of a decision are under fault."""
    forms = (Outcome.REPLACE, Outcome.MERGE, Outcome.KEEP, Outcome.BOTH)
    for n, (existing, _) in enumerate(zip(_SAID[::2], _SAID[1::2], strict=True)):
        key = memories.by_refs(space.db, [str(2 * n)])[str(2 * n)].id
        for conflict in conflicts.with_any(space.db, [key]):
            if conflict.status is ConflictStatus.WAITING:
                text = f"Once it was said: {existing}" if forms[n] is Outcome.MERGE else None
                review.decide(space, conflict.id, forms[n], actor=PERSON, text=text)
                place.tell(f"conflict:{conflict.id}")


def _named(place: Place) -> None:
    with place.opened() as space:
        texts = ("[[Neovim]] opens [[Hangang]].", "[[nvim]] opens [[Hangang]].", "[[NeoVim 2]] is [[Neovim]].")
        remember(space, [NewMemory(text, ref=str(n)) for n, text in enumerate(texts * 2)], actor=AGENT)
        graph.relate(space, actor=MACHINE)
        graph.embed_names(space, space.encoder.get(30))
        graph.find_alike(space)


def _merge(place: Place, space: Space) -> None:
    known = entities.by_normals(space.db, ["neovim", "nvim", "neovim 2", "hangang"])
    for other in ("nvim", "neovim 2"):
        try:
            graph.merge(space, known["neovim"].id, [known[other].id], actor=PERSON)
        except Clash:
            assert graph_root(space, known[other].id) == known["neovim"].id  # it was done before the kill


def graph_root(space: Space, key: str) -> str:
    return entities.get(space.db, key).merged_into or key


def _logs(place: Place) -> None:
    """Daily notes on two things, old enough to be folded."""
    place.notes.mkdir(parents=True)
    for n, (topic, text) in enumerate(_DAYS):
        path = place.notes / f"2026-02-{n + 1:02}.md"
        path.write_text(f"# Day {n}\n\n## Standup\n\n{text} [[{topic}]].\n\n## Lunch\n\nSoup on day {n}.\n")
    with place.opened() as space:
        read_folder(place, space)


def _consolidate(place: Place, space: Space) -> None:
    """A digest a write, as with dozens of them."""
    consolidating._AT_ONCE = 1
    consolidate(space, actor=MACHINE)


def _page(place: Place) -> None:
    with place.opened() as space:
        tree.grow(space, "infra", text="See [storage](infra/surrealdb.md#storage).", actor=PERSON)
        tree.grow(space, "infra/surrealdb", text=a_large_page(), keywords=["surrealdb"], actor=PERSON)


def _split(place: Place, space: Space) -> None:
    for one in tree.overfull(space):
        tree.split(space, one.path, actor=PERSON)


def _secret(place: Place) -> None:
    """Said in a note, repeated by a digest and on a page: all that a purge goes after."""
    _logs(place)
    with place.opened() as space:
        remember(space, [NewMemory(SECRET, ref="secret"), NewMemory("The heron stands.", ref="other")], actor=AGENT)
        tree.grow(space, "words", text="- The heron stands.\n", actor=PERSON)
        tree.retain(space, [memories.by_refs(space.db, ["secret"])["secret"].id], path="words", actor=PERSON)
        tree.grow(space, "birds", text="- The heron stands.\n", actor=PERSON)
        consolidate(space, actor=MACHINE)
        review.edit(space, memories.by_refs(space.db, ["other"])["other"].id, {"tags": ["bird"]}, actor=PERSON)


def _purge(place: Place, space: Space) -> None:
    found = memories.by_refs(space.db, ["secret"])
    gone = [found["secret"].id] if "secret" in found else []
    gone += [one.id for one in memories.scan(space.db) if one.kind is Kind.SECTION and WORDS in one.text]
    for key in gone:
        try:
            assert review.purge(space, key, actor=PERSON).complete
        except NotFound:
            continue  # it went along with what it was made from


def _archived(place: Place) -> None:
    with place.opened() as space:
        done = remember(space, [NewMemory(f"Note {n} of the reeds.", ref=str(n)) for n in range(9)], actor=AGENT)
        review.archive(space, [one.id for one in done], actor=PERSON)


def _undo(place: Place, space: Space) -> None:
    """In small pieces, as a run of thousands is undone."""
    undoing._CHUNK = 2
    (run,) = (one for one in runs_of(space.db) if one.act == "archive")
    try:
        review.undo_run(space, run.id, actor=PERSON)
    except Clash:
        assert all(one.state is State.HELD for one in memories.scan(space.db))  # it was done already


CHANGING = (
    Act("decide", _disputed, _decide),
    # That a pair was merged is noted beside the merge, in a write of its own. Without the note it waits, unseen for as
    # long as the two are one.
    Act("merge", _named, _merge, leaves_out=frozenset({"alike"})),
    Act("consolidate", _logs, _consolidate),
    Act("split", _page, _split),
    Act("purge", _secret, _purge),
    Act("undo", _archived, _undo),
)
