"""Duplicate entities: names that may be one thing. What is certain is merged in one run that can be undone, the rest is
proposed and waits for a person.

Names are not compared each with each, but only pairs that share a key, or that lie near each other as
vectors, so that the work grows with the names and not with their square. `name_similarity` holds the rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.change import Actor, ActorKind, Run
from memoryapp.domain.entity import Alike, AlikeStatus, Entity, EntityState, alike_id
from memoryapp.domain.errors import Cancelled, Clash
from memoryapp.domain.progress import Progress
from memoryapp.graph.canonical import groups_by_canonical, write_lock
from memoryapp.graph.hierarchy import way_up
from memoryapp.graph.known_names import FULL_NAMES, loose
from memoryapp.graph.merge import merge_changes
from memoryapp.graph.name_similarity import (
    CERTAIN,
    Likeness,
    Spelling,
    consonants,
    fold,
    is_plural,
    likeness_of,
    one_goes_on,
    one_word_differs,
    spelling_of,
    types_fit,
)
from memoryapp.inference.embedding import Encoder, encode_in_batches
from memoryapp.spaces import Space
from memoryapp.store import embeddings, entities
from memoryapp.store import entity_pairs as pairs
from memoryapp.store.embeddings import NameEmbedding
from memoryapp.store.write import Batch, commit, new_run

_CROWD = 12  # names with one key: of more of them it says nothing about any two
_LONGEST = 40  # letters of a name in which a slip is looked for
_ROWS_AT_ONCE = 512  # rows of a product of vectors
_NEAREST = 5  # names a vector is compared with further
Pair = tuple[int, int]
MACHINE = Actor(ActorKind.MACHINE, "graph")
COSINE = 0.85  # least, of two names of one type
_AT_ONCE = 200  # merges of one write
_NAMES_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class Candidate:
    """`one` would stay. Both stand for themselves."""

    one: Entity
    other: Entity
    likeness: Likeness

    @property
    def key(self) -> str:
        return alike_id(self.one.id, self.other.id)


def find_alike(space: Space, *, actor: Actor = MACHINE) -> int:
    """Merges what is certainly one name and proposes what may be. Returns how many proposals are new.

    A pair that was ever proposed, merged, parted or refused is left as it was decided. Of two names seen once each
    nothing is proposed.
    """
    known = {entity.id: entity for entity in entities.scan(space.db)}
    groups = {
        root: some for root, some in groups_by_canonical(known).items() if known[root].state is not EntityState.REFUSED
    }
    found = _undecided_pairs(space, groups, _look(space, groups))
    merged = _merge(space, groups, [one for one in found if _is_certain(one)], actor)
    done = {pair.key for cluster in merged for pair in cluster.pairs}
    gone = {entity.id for cluster in merged for entity in cluster.entities[1:]}
    now = space.clock()
    proposed = [
        Alike(one.key, one.one.id, one.other.id, one.likeness.reason, one.likeness.score, AlikeStatus.WAITING, now)
        for one in found
        if one.key not in done
        and gone.isdisjoint((one.one.id, one.other.id))  # what stands for them now is looked at the next time
        and EntityState.KNOWN in (one.one.state, one.other.state)
    ]
    for start in range(0, len(proposed), _AT_ONCE):
        pairs.propose(space.db, proposed[start : start + _AT_ONCE])
    return len(proposed)


def _look(space: Space, groups: Mapping[str, Sequence[Entity]]) -> list[Candidate]:
    """The best likeness of each two that stand, by every name that either bears."""
    told: list[tuple[str, Spelling]] = [
        (root, spelling_of(name))
        for root, some in groups.items()
        for name in dict.fromkeys(name for one in some for name in (one.name, *one.aliases))
    ]
    best: dict[tuple[str, str], Likeness] = {}

    def keep(one: str, other: str, likeness: Likeness | None) -> None:
        pair = (min(one, other), max(one, other))
        if likeness and one != other and (pair not in best or best[pair].score < likeness.score):
            best[pair] = likeness

    for at, to in worth_comparing([name for _, name in told]):
        (one, first), (other, second) = told[at], told[to]
        if one != other:
            keep(one, other, likeness_of(first, second, types=(groups[one][0].type, groups[other][0].type)))
    for one, other, cosine in _near_names(space, {root: some[0] for root, some in groups.items()}):
        keep(one, other, Likeness(round(0.9 * cosine, 3), "their names mean nearly the same"))
    found = []
    for (one, other), likeness in best.items():
        stays, goes = _by_rank((groups[one][0], groups[other][0]))
        found.append(Candidate(stays, goes, likeness))
    return sorted(found, key=lambda one: (-one.likeness.score, one.key))


def _near_names(space: Space, standing: Mapping[str, Entity]) -> Iterable[tuple[str, str, float]]:
    """Entities of one type whose names lie near each other, and are not two on purpose."""
    made = embeddings.scan_names(space.db, space.encoder.name)
    vectors = {one.entity: one.vector for one in made if one.entity in standing}
    for kind in sorted({standing[key].type for key in vectors}):
        keys = [key for key in vectors if standing[key].type == kind]
        for at, to, cosine in near_pairs(np.stack([vectors[key] for key in keys]), least=COSINE):
            one, other = spelling_of(standing[keys[at]].name), spelling_of(standing[keys[to]].name)
            two = one_word_differs(one, other) or one_goes_on(one, other)
            if sorted(one.numbers) == sorted(other.numbers) and not two:
                yield keys[at], keys[to], cosine


def _by_rank(some: Iterable[Entity]) -> list[Entity]:
    """The one that would stay first: the name everybody knows, else no plural, else the entity that is better known,
    else the longer name, else the older one."""

    def rank(entity: Entity) -> tuple[object, ...]:
        form = spelling_of(entity.name)
        plain = bool(form.sign) and form.loose == loose(form.sign)
        proposed = entity.state is not EntityState.KNOWN
        return (
            not plain,
            proposed,
            is_plural(entity.name),
            -entity.sightings,
            -len(entity.name),
            entity.created_at,
            entity.id,
        )

    return sorted(some, key=rank)


def _undecided_pairs(
    space: Space, groups: Mapping[str, Sequence[Entity]], found: Sequence[Candidate]
) -> list[Candidate]:
    """Those that nobody and nothing decided before, on the two or on any two that were merged into them."""
    across = {one.key: _member_pair_ids(groups, one) for one in found}
    asked = {key for keys in across.values() for key in keys}
    known = pairs.existing_pairs(space.db, asked)
    refused = _refused_keys(space, known - across.keys())
    return [one for one in found if one.key not in known and not refused & across[one.key]]


def _member_pair_ids(groups: Mapping[str, Sequence[Entity]], pair: Candidate) -> set[str]:
    return {alike_id(one.id, other.id) for one in groups[pair.one.id] for other in groups[pair.other.id]}


def _is_certain(found: Candidate) -> bool:
    return found.likeness.score >= CERTAIN and types_fit(found.one.type, found.other.type)


def _merge(
    space: Space, groups: Mapping[str, Sequence[Entity]], found: Sequence[Candidate], actor: Actor
) -> list[Cluster]:
    """Merges pairs into what stands of them, all in one run, and returns what it merged."""
    clusters = _clusters(space, groups, found)
    run = new_run("merge", actor, now=space.clock(), reason="the same name, spelled in another way")
    done: list[Cluster] = []
    for start in range(0, len(clusters), _AT_ONCE):
        with write_lock(space.db):
            done += _write(space, run, clusters[start : start + _AT_ONCE])
    return done


@dataclass(frozen=True, slots=True)
class Cluster:
    """Entities that stand and are one, the one that stays first; and the pairs that say so."""

    entities: tuple[Entity, ...]
    pairs: tuple[Candidate, ...]


def _clusters(space: Space, groups: Mapping[str, Sequence[Entity]], found: Sequence[Candidate]) -> list[Cluster]:
    """Pair after pair joined, unless two that come together by it were parted, or one stands above the other."""
    cluster_of: dict[str, list[Entity]] = {}
    taken: dict[int, list[Candidate]] = {}
    for pair in found:
        one = cluster_of.setdefault(pair.one.id, [pair.one])
        other = cluster_of.setdefault(pair.other.id, [pair.other])
        if one is not other:
            if not _may_join(space, groups, one, other):
                continue
            taken[id(one)] = taken.pop(id(one), []) + taken.pop(id(other), [])
            one.extend(other)
            cluster_of.update({entity.id: one for entity in other})
        taken.setdefault(id(one), []).append(pair)
    some = {id(cluster): cluster for cluster in cluster_of.values() if len(cluster) > 1}
    return [Cluster(tuple(_by_rank(cluster)), tuple(taken[key])) for key, cluster in some.items()]


def _may_join(
    space: Space, groups: Mapping[str, Sequence[Entity]], one: Sequence[Entity], other: Sequence[Entity]
) -> bool:
    if len(one) > 1 or len(other) > 1:
        two = [(a, b) for a in one for b in other]
        if not all(types_fit(a.type, b.type) for a, b in two):
            return False
        asked = {alike_id(a.id, b.id) for x, y in two for a in groups[x.id] for b in groups[y.id]}
        if _refused_keys(space, pairs.existing_pairs(space.db, asked)):
            return False
    ones, others = {a.id for a in one}, {b.id for b in other}
    return not any(way_up(space.db, a, others) for a in one) and not any(way_up(space.db, b, ones) for b in other)


def _refused_keys(space: Space, keys: Iterable[str]) -> set[str]:
    return {key for key in keys if (pair := pairs.find(space.db, key)) and pair.status is AlikeStatus.REFUSED}


def _write(space: Space, run: Run, clusters: Sequence[Cluster]) -> list[Cluster]:
    """Those whose entities stand as they did when they were looked at, which it returns. First as proposals: killed in
    between, they ask a person, and are not merged again after an undo."""
    present = entities.get_many(space.db, [one.id for cluster in clusters for one in cluster.entities])
    clusters = [one for one in clusters if all(_is_unmoved(entity, present) for entity in one.entities)]
    now = space.clock()
    told = [
        Alike(one.key, one.one.id, one.other.id, one.likeness.reason, CERTAIN, AlikeStatus.WAITING, now)
        for cluster in clusters
        for one in cluster.pairs
    ]
    pairs.propose(space.db, told)
    changes = [change for cluster in clusters for change in _cluster_changes(space, cluster, present)]
    some = [entity.id for cluster in clusters for entity in cluster.entities]
    try:
        commit(space.db, run, Batch(entities=changes, standing=some), now=now)
    except Clash:
        return []  # a person merged one of them just now, and sees what is proposed of the others
    for pair in told:
        pairs.decide(space.db, replace(pair, status=AlikeStatus.MERGED))
    return clusters


def _is_unmoved(entity: Entity, present: Mapping[str, Entity]) -> bool:
    now = present.get(entity.id)
    return now is not None and (now.normal, now.merged_into, now.state) == (entity.normal, None, entity.state)


def _cluster_changes(
    space: Space, cluster: Cluster, present: Mapping[str, Entity]
) -> list[tuple[Entity | None, Entity]]:
    keep, *gone = (present[one.id] for one in cluster.entities)
    known = any(one.state is EntityState.KNOWN for one in cluster.entities)
    seen = sum(one.sightings for one in cluster.entities)
    return merge_changes(keep, gone, known=known or seen >= space.tuning.sightings_to_know)


# ── candidate pairs


def worth_comparing(names: Sequence[Spelling]) -> set[Pair]:
    """Places (lower, higher) of names that one of the rules of `likeness` may hold of."""
    keys: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        for key in set(_keys(name)):
            keys[key].append(place)
    found: set[Pair] = set()
    for (kind, _), places in keys.items():
        # What is certainly one name is found however many spellings there are: each with the first is enough.
        if kind in ("sign", "loose"):
            found.update((places[0], other) for other in places[1:])
        elif len(places) <= _CROWD:
            found.update(combinations(places, 2))
    found.update(_short_forms(names))
    return found


def _first_name_keys(name: Spelling) -> Iterator[tuple[str, str]]:
    """By each full form of the first name: with the rest of the name, and alone."""
    for full in {name.words[0]} | FULL_NAMES.get(name.words[0], frozenset()):
        yield "first", " ".join((full, *name.words[1:]))
        if not name.single:
            yield "first alone", full
    for full in FULL_NAMES.get(name.single, ()) if name.single else ():
        yield "first alone", full


def _keys(name: Spelling) -> Iterator[tuple[str, str]]:
    """Two names that share one of these may be one."""
    if name.sign:
        yield "sign", name.sign
    if name.loose:
        yield "loose", f"{name.loose} {' '.join(name.numbers)}"
    if name.words:
        yield "words", " ".join(sorted(name.words))
        yield "bare", " ".join(sorted(name.bare))
        yield "place", " ".join(name.words)
        yield from _first_name_keys(name)
    if name.place:
        yield "place", name.place
    if len(name.loose) <= _LONGEST:
        slip = fold(name.loose)
        yield "slip", slip
        for at in range(len(slip)):
            yield "slip", slip[:at] + slip[at + 1 :]


def _short_forms(names: Sequence[Spelling]) -> Iterator[Pair]:
    """Single words with the names they are the initials, the beginning, a part or the consonants of."""
    singles: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        if name.single:
            singles[name.single].append(place)
    holding: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        for short in _may_be_short_for(name, singles):
            holding[short].append(place)
    for short, places in holding.items():
        if len(places) <= _CROWD:
            yield from (_ordered_pair(one, other) for one in singles[short] for other in places if one != other)


def _may_be_short_for(name: Spelling, singles: dict[str, list[int]]) -> set[str]:
    """The words of `singles` that `name` may be the long form of."""
    if not name.single:
        asked = {name.initials, name.words[0], name.words[-1]} if name.words else set()
        return asked & singles.keys()
    word = name.single[:_LONGEST]
    asked = {word[:end] for end in range(3, len(word))} | {name.initials, consonants(word)}
    return (asked & singles.keys()) - {name.single}


def _ordered_pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def near_pairs(vectors: NDArray[np.float32], *, least: float) -> Iterator[tuple[int, int, float]]:
    """Pairs of rows (lower, higher, cosine) of unit vectors (n, d) with a cosine of `least` or more: of each row its
    nearest few."""
    for start in range(0, len(vectors), _ROWS_AT_ONCE):
        cosines = vectors[start : start + _ROWS_AT_ONCE] @ vectors.T
        cosines[np.arange(len(cosines)), start + np.arange(len(cosines))] = -1.0
        for row in np.flatnonzero((cosines >= least).any(axis=1)):
            nearest = np.flatnonzero(cosines[row] >= least)
            nearest = nearest[np.argsort(-cosines[row, nearest], kind="stable")][:_NEAREST]
            one = start + int(row)
            yield from ((one, int(other), float(cosines[row, other])) for other in nearest if one < other)


# ── embeddings of names


def embed_names(space: Space, encoder: Encoder, *, progress: Progress | None = None) -> int:
    """Embeds the names that have no vector by `encoder` and returns how many it made. Each batch is written as it is
    done, so it can be killed and begun again. A name that the model does not take is passed over. Raises Cancelled."""
    model = _model(space, encoder)
    made, passed = 0, set[str]()
    # Asked again at the end alone: for names that came or changed meanwhile.
    while wanted := [one for one in embeddings.missing_names(space.db, model) if one[0] not in passed]:
        total = made + len(wanted)
        for batch in _batches(wanted):
            if progress is not None and progress.cancelled():
                raise Cancelled("Stopped. The names embedded so far stay; begin it again to go on.")
            encoded = encode_in_batches(encoder, [name for _, name in batch])
            failed = {row for row, _ in encoded.failed}
            good = [(*one, encoded.vectors[row]) for row, one in enumerate(batch) if row not in failed]
            embeddings.put_names(space.db, [NameEmbedding(key, model, name, vector) for key, name, vector in good])
            made += len(good)
            passed.update(batch[row][0] for row in failed)
            if progress is not None:
                progress.advance(made, total, {"names": made})
    return made


def _batches(wanted: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    rest = iter(wanted)
    while batch := list(islice(rest, _NAMES_AT_ONCE)):
        yield batch


def _model(space: Space, encoder: Encoder) -> str:
    """The name under which a space records what this encoder makes."""
    own = space.encoder.ready and space.encoder.get() is encoder
    return space.encoder.name if own else encoder.name
