"""Acts that bring words in: a folder, facts, a conversation, an export."""

from __future__ import annotations

import os
from pathlib import Path

from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.memory import Kind
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.turn import NewTurn
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.ingest import ingest
from memoryapp.remember import append_turns, read_turns, remember
from memoryapp.spaces import Space
from memoryapp.store import sessions
from memoryapp.store.sessions import Session
from memoryapp.store.write import new_run
from memoryapp.transfer.archive import open_export
from memoryapp.transfer.export import export
from memoryapp.transfer.restore import fill
from tests.faults.acts.act import MACHINE, Act, Place
from tests.samples import AGENT, NOON
from tests.transfer.worlds import lived_in

_LONG_AGO = NOON.timestamp() - 86_400
_FACTS = (
    ("Mara lives in Seoul.", "Mara likes tea.", "The build takes 12 minutes."),
    ("Mara lives in Busan.", "Buckets are emptied on Monday.", "Joon works at Hangang."),
    ("The build takes 40 minutes.", "배포는 금요일 16시부터 멈춘다.", "Mara does not like tea."),
)


class Silence:
    """A progress that nobody looks at."""

    def advance(self, *told: object) -> None: ...
    def line(self, *told: object, note: str = "") -> None: ...
    def say(self, message: str) -> None: ...
    def at(self, phase: object) -> None: ...
    def cancelled(self) -> bool:
        return False


def _note(root: Path, name: str, *parts: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# " + name + "\n\n" + "\n\n".join(f"## Part {n}\n\n{part}" for n, part in enumerate(parts)))
    os.utime(path, (_LONG_AGO, _LONG_AGO))


def _files(place: Place) -> None:
    """Read once; then one is changed, one is gone, one has moved and one is new."""
    for n in range(4):
        _note(place.notes, f"2026-02-0{n + 1}.md", f"About `tantivy` and [[Mina]], {n}.", f"Second, {n}, `SurrealDB`.")
    _note(place.notes, "gone.md", "This one will be gone. [[Mina]]")
    _note(place.notes, "old/name.md", "This one moves. `tantivy`")
    with place.opened() as space:
        read_folder(place, space)
    _note(place.notes, "2026-02-02.md", "About `tantivy` and [[Joon]], changed.", "Second, 1, `SurrealDB`.", "Third.")
    _note(place.notes, "new.md", *(f"New {n} of [[Mina]] and #boats. " + "Reeds stand. " * 40 for n in range(8)))
    (place.notes / "gone.md").unlink()
    (place.notes / "old/name.md").rename(place.notes / "moved.md")


def read_folder(place: Place, space: Space) -> None:
    source = Source("notes", SourceKind.FOLDER, str(place.notes), "notes", NOON)
    ingest(space, source, run=new_run("ingest", MACHINE, now=space.clock()))


def _nothing(place: Place) -> None:
    with place.opened():
        pass


def _remember(place: Place, space: Space) -> None:
    """By refs of the caller: said again, the same ref is the same memory."""
    for n, texts in enumerate(_FACTS):
        items = [NewMemory(text, kind=Kind.FACT, ref=f"{n}-{m}") for m, text in enumerate(texts)]
        items.append(NewMemory(f"Note {n}: " + "the heron stands in the reeds. " * 60, ref=f"note-{n}"))
        for done in remember(space, items, actor=AGENT):
            place.tell(f"memory:{done.id}")


def _talk(place: Place, space: Space) -> None:
    sessions.open_session(space.db, Session("monday", agent="heron", started_at=NOON))
    for n, texts in enumerate(_FACTS):
        turns = [NewTurn(text, speaker="Mara", ref=f"{n}-{m}", at=NOON) for m, text in enumerate(texts)]
        for turn in append_turns(space, "monday", turns, actor=AGENT):
            place.tell(f"turn:{turn.id}")
    read_turns(space, reader=reader_of("rules", model=None, worth=space.tuning.fact_worth), actor=MACHINE)


def _an_export(place: Place) -> None:
    """Of a space that is then thrown away."""
    made = Place(place.file("other"))
    made.notes.mkdir(parents=True)
    with made.opened() as space:
        export(lived_in(space, made.notes), place.file("reeds.zip"), settings={})
    _nothing(place)


def _import(place: Place, space: Space) -> None:
    """As its job does, which marks that it has begun before its first write."""
    mark = place.file("begun")
    fill(space, open_export(place.file("reeds.zip")), progress=Silence(), again=mark.exists(), begin=mark.touch)


TAKING_IN = (
    Act("ingest", _files, read_folder),
    Act("remember", _nothing, _remember),
    Act("talk", _nothing, _talk),
    Act("import", _an_export, _import, as_one=True),
)
