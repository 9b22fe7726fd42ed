"""What a consolidation would write: due → cut → group → rank → choose → compose. Changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memoryapp.consolidate.draft import DigestDraft, draft_digest
from memoryapp.consolidate.due import due, stays, told_again
from memoryapp.consolidate.group import Group, SectionEntities, group_sections, section_entities
from memoryapp.consolidate.ranking import ByCentrality, ByMarks, Floats, Ranking, beside_whole, rarity, vectors_of
from memoryapp.consolidate.sentences import Piece, sentences
from memoryapp.domain.digest import Choice, Preview, Ranker, Staying, digest_id
from memoryapp.domain.entity import Reference
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Memory
from memoryapp.domain.sentences import markers_in
from memoryapp.spaces import Space
from memoryapp.store import entities, memories

_AT_ONCE = 2_000  # rows of one question
_LONGEST_AGE = 36_500  # days

Cut = dict[str, tuple[Piece, ...]]


@dataclass(frozen=True, slots=True)
class Plan:
    """`planned` stands in the order of the preview's digests."""

    preview: Preview
    planned: tuple[DigestDraft, ...]


def plan(
    space: Space, *, ranker: Ranker | None = None, older_than_days: int | None = None, choices: Sequence[Choice] = ()
) -> Plan:
    """`choices`: digests with the sentences that a person picked for them. Raises BadInput."""
    by = ranker or Ranker(space.tuning.digest_ranker)
    days = space.tuning.consolidate_after_days if older_than_days is None else older_than_days
    if not 0 <= days <= _LONGEST_AGE:
        raise BadInput(f"Sections are folded after 0 to {_LONGEST_AGE:,} days, not {days}.", field="/older_than_days")
    at = space.clock()
    found = due(space, older_than_days=days)
    again, rest = told_again(space, found.sections, found.standing)
    cut: Cut = {memory.id: sentences(memory) for one in again for memory in one.group.sections}
    cut |= {memory.id: sentences(memory) for memory in rest}
    names = section_entities(space, [*rest, *(memory for one in again for memory in one.group.sections)])
    groups, alone = group_sections(space, [memory for memory in rest if cut[memory.id]], names)
    drafts = [(one.digest, one.group) for one in again]
    drafts += [(digest_id((memory.id for memory in group.sections), by), group) for group in groups]
    rare = rarity([{stem for piece in cut[memory.id] for stem in piece.terms} for memory in found.sections])
    made = _all_planned(space, drafts, cut, by=by, rare=rare, names=names, choices=choices)
    silent = [stays(memory, "there is no sentence in it") for memory in rest if not cut[memory.id]]
    lonely = [stays(memory, "it shares no name with another, and resembles none") for memory in alone]
    staying = tuple(sorted([*found.staying, *silent, *lonely], key=_by_day))
    return Plan(Preview(by, days, at, tuple(one.digest for one in made), staying), made)


def _all_planned(
    space: Space,
    drafts: Sequence[tuple[str, Group]],
    cut: Cut,
    *,
    by: Ranker,
    rare: Mapping[str, float],
    names: SectionEntities,
    choices: Sequence[Choice],
) -> tuple[DigestDraft, ...]:
    """The largest groups first."""
    edges = _edges(space, [memory for _, group in drafts for memory in group.sections])
    before = memories.get_many(space.db, [key for key, _ in drafts])
    pieces = {key: [piece for memory in group.sections for piece in cut[memory.id]] for key, group in drafts}
    vectors = vectors_of(space, [p for some in pieces.values() for p in some]) if by is Ranker.CENTRAL else {}
    wanted = {choice.digest: choice.sentences for choice in choices}
    made = [
        draft_digest(
            key,
            group,
            _ranking(space, pieces[key], by=by, rare=rare, vectors=vectors),
            by=by,
            by_hand=wanted.get(key),
            edges=[edge for memory in group.sections for edge in edges.get(memory.id, ())],
            entities={
                one: names.entities[one] for memory in group.sections for one in sorted(names.of[memory.id])
            }.values(),
            before=before.get(key),
        )
        for key, group in drafts
    ]
    return tuple(sorted(made, key=lambda one: (-len(one.sections), one.digest.began, one.digest.id)))


def _ranking(
    space: Space, pieces: Sequence[Piece], *, by: Ranker, rare: Mapping[str, float], vectors: Mapping[str, Floats]
) -> Ranking:
    markers = markers_in(space.tuning.marker_words)
    if by is Ranker.MARKS:
        return ByMarks(pieces, markers=markers)
    return ByCentrality(pieces, rare=rare, vectors=beside_whole(space, pieces, vectors), markers=markers)


def _edges(space: Space, sections: Sequence[Memory]) -> dict[str, tuple[Reference, ...]]:
    keys = [memory.id for memory in sections]
    edges: dict[str, tuple[Reference, ...]] = {}
    for start in range(0, len(keys), _AT_ONCE):
        edges |= entities.references_of(space.db, keys[start : start + _AT_ONCE])
    return edges


def _by_day(one: Staying) -> tuple[float, str]:
    return (one.at.timestamp() if one.at else 0.0), one.id
