"""The audit in plain words: a run a line, who did what and why, and the first of the changes it made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from django.urls import reverse
from django.utils import timezone

from memoryapp.domain.change import Revision, Run
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.relation import Relation
from memoryapp.interfaces.audit.revisions import ACTS, actor_name, fields_of
from memoryapp.interfaces.entities.list_presenter import names_of, sentence
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.wording import Piece, shorten_pieces, word_diff
from memoryapp.review.redaction import without_deleted_words
from memoryapp.spaces import Space
from memoryapp.store import conflicts, entities, memories, relations
from memoryapp.store.audit import COUNTED, Act
from memoryapp.store.revisions import relation_fields

# What a run did, by its verb: (one, many). Other verbs stand as they are.
_VERBS = {
    "remember": "remembered",
    "ingest": "read files",
    "extract": "learned from what was said",
    "edit": "edited",
    "archive": "archived",
    "delete": "deleted",
    "restore": "restored",
    "exclude": "excluded from learning",
    "allow": "allowed to learn again",
    "see": "marked the inbox as seen",
    "confirm": "confirmed",
    "pin": "pinned",
    "unpin": "unpinned",
    "tag": "tagged",
    "categorise": "categorised",
    "resolve": "decided",
    "propose": "proposed",
    "snooze": "snoozed",
    "undo": "undid",
    "purge": "purged",
    "expire": "archived faded facts",
    "narrate": "wrote an episode",
    "summarise": "wrote summaries",
    "embed": "re-embedded",
    "take in": "accepted",
    "refuse": "rejected",
    "add entity": "added by hand",
    "edit entity": "corrected",
    "merge": "merged",
    "part": "parted",
    "relate": "extracted",
    "relate by hand": "created",
    "change relation": "corrected",
    "refuse relation": "rejected",
    "hold relation": "accepted",
    "put under": "set the parent of",
    "take from under": "removed the parent of",
    "retain": "added to the tree",
    "freshen": "updated",
    "leave out": "skipped for the tree",
    "let in": "returned to pending for the tree",
}
_ONE_WAY = {"purge", "embed"}  # nothing that an undo could take back


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One revision: `words` of the record, how they changed, the other fields as (name, before, after)."""

    id: str
    record: str
    key: str
    href: str
    words: str
    lang: str
    told: str
    pieces: list[Piece]
    fields: list[tuple[str, str, str]]
    undoable: bool


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run. `undo` is its id where it can be taken back; `undone` the run that took it back already."""

    run: Run
    who: str
    verb: str
    count: str
    changes: list[ChangeLine]
    more: int
    more_told: str
    undo: str
    undone: str


@dataclass(frozen=True, slots=True)
class Day:
    name: str
    runs: list[RunLine]


def days_of(lines: Iterable[RunLine]) -> list[Day]:
    """Lines in their order, under the day they were done, as the reader's clock has it."""
    grouped = groupby(lines, key=lambda line: timezone.localtime(line.run.started_at).date())
    return [Day(_day_told(day), list(runs)) for day, runs in grouped]


def _day_told(day: date) -> str:
    apart = (timezone.localdate() - day).days
    told = human.day(day)
    return f"{('Today', 'Yesterday')[apart]}, {told}" if apart in (0, 1) else f"{day:%A}, {told}"


def run_lines(
    space: Space, acts: Sequence[Act], *, you: str, undone: dict[str, str], may_decide: bool = True
) -> list[RunLine]:
    """One line an act. Words of the changed records are fetched for all of them together. Without `may_decide` those of
    what is deleted stay out."""
    acts = [
        replace(act, revisions=tuple(without_deleted_words(space.db, act.revisions, may_decide=may_decide)))
        for act in acts
    ]
    known = _CurrentRecords.of(space, [revision for act in acts for revision in act.revisions], may_decide=may_decide)
    lines = []
    for act in acts:
        undoable = bool(act.changes) and act.run.act not in _ONE_WAY and act.run.id not in undone
        more = act.changes - len(act.revisions)
        lines.append(
            RunLine(
                run=act.run,
                who=actor_name(act.run.actor, you=you),
                verb=_VERBS.get(act.run.act, act.run.act),
                count=_changes_text(act),
                changes=[known.line(revision, undoable=undoable) for revision in sorted(act.revisions, key=_place)],
                more=more,
                more_told=f"all {'1,000 and more' if act.changes >= COUNTED else human.number(act.changes)} changes",
                undo=act.run.id if undoable else "",
                undone=undone.get(act.run.id, ""),
            )
        )
    return lines


def _changes_text(act: Act) -> str:
    """What it changed: by kind where all of it is known, else how many records."""
    if act.changes > len(act.revisions):
        return human.count_text(min(act.changes, COUNTED), "record") + (" or more" if act.changes >= COUNTED else "")
    kinds = Counter(revision.record for revision in act.revisions)
    told = [human.count_text(kinds[kind], *names) for kind, names in _NAMES.items() if kinds[kind]]
    return ", ".join(told)


def _place(revision: Revision) -> int:
    return _ORDER.index(revision.record) if revision.record in _ORDER else len(_ORDER)


_NAMES = {
    "memory": ("memory", "memories"),
    "conflict": ("conflict", "conflicts"),
    "entity": ("entity", "entities"),
    "relation": ("relation", "relations"),
    "reference": ("memory’s links", "memories’ links"),
}
_ORDER = list(_NAMES)
_STORIES = (Kind.EPISODE, Kind.SUMMARY, Kind.DIGEST)


def _words(memory: Memory) -> str:
    """What names it in a line: of a story its title and how it begins; “Fridays” alone says little."""
    begins = memory.text.strip().partition("\n")[0].strip()
    if memory.kind not in _STORIES or not memory.title or begins.startswith(memory.title):
        return memory.title or memory.text
    return f"{memory.title}: {begins}"


@dataclass(frozen=True, slots=True)
class _CurrentRecords:
    """The records that the shown revisions speak of, as they stand now: (words, address)."""

    found: dict[str, tuple[str, str]]

    @classmethod
    def of(cls, space: Space, revisions: Sequence[Revision], *, may_decide: bool) -> _CurrentRecords:
        ids: dict[str, list[str]] = {}
        for revision in revisions:
            ids.setdefault("memory" if revision.record == "reference" else revision.record, []).append(
                revision.record_id
            )
            into = (revision.before.get("merged_into"), revision.after.get("merged_into"))
            ids.setdefault("entity", []).extend(key for key in into if key)
        found = {
            key: (_words(memory), reverse("memory", args=[key]))
            if may_decide or memory.state is not State.DELETED
            else ("A deleted memory.", "")
            for key, memory in memories.get_many(space.db, ids.get("memory", [])).items()
        }
        for key, entity in entities.get_many(space.db, ids.get("entity", [])).items():
            found[key] = (entity.name, reverse("entity", args=[key]))
        about = [revision for revision in revisions if revision.record == "relation"]
        joined = relations.get_many(space.db, [revision.record_id for revision in about])
        # What went is told whole by its removal.
        joined |= {one.record_id: Relation(**relation_fields(one.before)) for one in about if one.act == "remove"}
        names = names_of(space, joined.values())
        for key, relation in joined.items():
            found[key] = (sentence(relation, names), reverse("entity", args=[relation.subject]))
        for key, conflict in conflicts.get_many(space.db, ids.get("conflict", [])).items():
            found[key] = (conflict.reason, reverse("conflict", args=[key]))
        return cls(found)

    def line(self, revision: Revision, *, undoable: bool) -> ChangeLine:
        words, href = self.found.get(revision.record_id, ("", ""))
        before, after = revision.before.get("text"), revision.after.get("text")
        changed = isinstance(before, str) and isinstance(after, str)
        return ChangeLine(
            id=revision.id,
            record=revision.record,
            key=revision.record_id,
            href=href,
            words=wording.excerpt(words, limit=160)
            if words
            else f"{revision.record} {revision.record_id}, purged since",
            lang=wording.language(words),
            told="" if revision.act == "create" else ACTS.get(revision.act, revision.act),
            pieces=shorten_pieces(word_diff(str(before), str(after)), keep=60) if changed else [],
            fields=self._fields(revision)[:6] if revision.act != "create" else [],
            undoable=undoable and revision.record == "memory" and revision.act != "create" and bool(words),
        )

    def _fields(self, revision: Revision) -> list[tuple[str, str, str]]:
        """What an entity was merged into is told by its name."""

        def named(value: str) -> str:
            return self.found.get(value, (value, ""))[0]

        return [(name, named(before), named(after)) for name, before, after in fields_of(revision)]
