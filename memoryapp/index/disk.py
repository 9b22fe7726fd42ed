"""A published index in one file, and back. The file is derived: whatever is wrong with it, it is made again.

Its header names the format, the database, the model and the versionstamp. Written beside and renamed, checked by the
archive's own checksums, never unpickled.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import Entity, EntityState, EntityType
from memoryapp.index import tokens
from memoryapp.index.columns import Columns, Names
from memoryapp.index.draft import FULL_SPEC, Draft, GraphDraft
from memoryapp.index.lineage import Lineage
from memoryapp.index.links import EDGE, LINK, RELATION, Chain, Edges, Links, Seats
from memoryapp.index.namings import Namings
from memoryapp.index.phrases import Phrases
from memoryapp.index.postings import Segment, Vocabulary, sorted_segment
from memoryapp.index.register import Register
from memoryapp.index.roster import NAMED
from memoryapp.index.vectors import Vectors, rows
from memoryapp.index.view import LocalView, Resting

_TYPES = {kind.value: kind for kind in EntityType}  # a space's own types are plain strings
FORMAT = 7
NAME = "index.npz"
Snapshot = dict[str, NDArray[Any]]


def graph_header(draft: GraphDraft) -> dict[str, Any]:
    """All that is no array."""
    entities = zip(draft.register.codes.names, draft.register.entities, strict=True)
    return {
        "linked": list(draft.seats.memories.names),
        "roles": list(draft.links.roles.names),
        "entities": [_entity_out(key, one) for key, one in entities],
        "relations": list(draft.edges.ids),
        "types": list(draft.edges.types.names),
        "labels": list(draft.edges.labels.names),
    }


def graph_arrays(draft: GraphDraft) -> dict[str, NDArray[Any]]:
    """Never changed afterwards."""
    codes, vectors = draft.namings.everything()
    found: dict[str, NDArray[Any]] = {"seats": draft.seats.publish(), "named": codes, "names": vectors}
    found |= {f"edge.{name}": column for name, column in draft.links.edges.publish().items()}
    found |= {f"relation.{name}": column for name, column in draft.edges.columns.publish().items()}
    found |= {f"follow.{name}": column for name, column in draft.chain.columns.publish().items()}
    return found


def restore_graph(draft: GraphDraft, header: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bool:
    """Fills a new draft; False where the parts contradict each other. Raises KeyError or ValueError where some are
    missing or are something else."""
    if len(header["linked"]) != len(arrays["seats"]) or len(header["relations"]) != len(arrays["relation.alive"]):
        return False
    draft.register = register = Register.of([_entity_in(row) for row in header["entities"]])
    draft.seats = seats = Seats(header["linked"], arrays["seats"])
    references = {name: arrays[f"edge.{name}"] for name in EDGE}
    draft.links = Links(register, seats, edges=references, roles=header["roles"])
    columns = {name: arrays[f"relation.{name}"] for name in RELATION}
    kept: dict[str, list[str]] = {"ids": header["relations"], "types": header["types"], "labels": header["labels"]}
    draft.edges = Edges(register, seats, columns=columns, **kept)
    draft.chain = Chain(seats, columns={name: arrays[f"follow.{name}"] for name in LINK})
    draft.namings = Namings(register, (arrays["named"], arrays["names"]))
    return True


def _entity_out(key: str, entity: Entity | None) -> list[Any]:
    if entity is None:
        return [key]
    rest = [list(entity.aliases), entity.sightings, entity.version, entity.merged_into]
    return [key, entity.name, entity.normal, entity.type, entity.state, entity.created_at.isoformat(), *rest]


def _entity_in(row: list[Any]) -> tuple[str, Entity | None]:
    if len(row) == 1:
        return row[0], None
    key, name, normal, kind, state, created, aliases, sightings, version, merged = row
    learned = datetime.fromisoformat(created)
    return key, Entity(
        key,
        name,
        normal,
        _TYPES.get(kind, kind),
        EntityState(state),
        learned,
        tuple(aliases),
        sightings,
        version,
        merged,
    )


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a file must have been made for, to be read."""

    database: str
    model: str
    format: int = FORMAT
    tokens: int = tokens.FORMAT


class Unusable(Exception):
    """The file cannot be used; the message says why, in words for the health page."""


def snapshot(draft: Draft, view: LocalView, stamp: Stamp) -> Snapshot:
    """Everything to be written, taken between two changes; nothing of it changes afterwards."""
    has = np.flatnonzero(view.roster.has)
    resting = [(key, kept) for key, kept in draft.resting.items()]
    header = {
        "stamp": [stamp.database, stamp.model, stamp.format, stamp.tokens],
        "version": view.version,
        "last": draft.last,
        "ids": view.roster.ids[: view.n],
        "names": {name: list(names.names) for name, names in draft.names.items()},
        "terms": list(draft.vocabulary.numbers),
        "phrases": list(draft.phrases.keys),
        "graph": graph_header(draft),
        "lineage": sorted(draft.lineage.edges),
        "away": [[key, *standing] for key, standing in draft.lineage.away.items()],
        "resting": [[key, kept.usage, kept.vector is not None] for key, kept in resting],
    }
    arrays: Snapshot = {f"column.{name}": column for name, column in view.roster.columns.items()}
    arrays |= graph_arrays(draft)
    arrays |= {f"phrase.{name}": array for name, array in draft.phrases.arrays().items()}
    arrays["keys"] = _join_arrays([segment.keys() for segment in view.segments], np.int32)
    arrays["slots"] = _join_arrays([segment.slots for segment in view.segments], np.int32)
    arrays["counts"] = _join_arrays([segment.counts for segment in view.segments], np.uint16)
    arrays["vectors"] = rows(view.blocks, has) if view.blocks else np.zeros((0, 0), dtype=np.float32)
    rested = [kept.vector for _, kept in resting if kept.vector is not None]
    arrays["rested"] = np.stack(rested) if rested else np.zeros((0, 0), dtype=np.float32)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    return arrays


def write(folder: Path, arrays: Snapshot) -> None:
    """Replaces the file as a whole. The folder is made private, for its words are the memories' words."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _clear(folder)
    beside = folder / f"{NAME}.{os.getpid()}.new"
    try:
        with open(beside, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        os.replace(beside, folder / NAME)
    finally:
        beside.unlink(missing_ok=True)


def read(folder: Path, stamp: Stamp) -> tuple[Draft, int]:
    """The index and the versionstamp it stands at. Raises Unusable, with the reason, whatever the file holds."""
    path = folder / NAME
    if not path.exists():
        raise Unusable("there was none on disk")
    try:
        with np.load(path, allow_pickle=False) as archive:
            header = header_of(archive)
            _check(header, stamp)
            return restore_draft(header, {name: archive[name] for name in archive.files if name != "header"}), header[
                "version"
            ]
    except Unusable:
        raise
    # One changed byte makes an encrypted archive of it, or one of a later kind: anything may be raised.
    except Exception as error:
        raise Unusable(f"the file on disk could not be read ({type(error).__name__})") from error


def remove(folder: Path) -> None:
    """Delete the index kept in `folder`; one that is not there is no error."""
    _clear(folder)
    (folder / NAME).unlink(missing_ok=True)


def _clear(folder: Path) -> None:
    """Takes away what processes left that were killed while they wrote: it may hold words that were purged since."""
    for left in folder.glob(f"{NAME}.*.new"):
        try:
            os.kill(int(left.name.removeprefix(f"{NAME}.").removesuffix(".new")), 0)
        except (ProcessLookupError, ValueError):
            left.unlink(missing_ok=True)
        except PermissionError:
            continue  # it lives, and is another's


def _check(header: dict[str, Any], stamp: Stamp) -> None:
    database, model, form, words = header["stamp"]
    if (form, words) != (stamp.format, stamp.tokens):
        raise Unusable("the file on disk was made by another version")
    if database != stamp.database:
        raise Unusable("the file on disk belongs to another database")
    if model != stamp.model:
        raise Unusable(f"the file on disk was made for the model {model}")


def header_of(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """All that is no array. Raises ValueError or KeyError for what is no header."""
    header: dict[str, Any] = json.loads(arrays["header"].tobytes())
    return header


def restore_draft(header: dict[str, Any], arrays: Snapshot) -> Draft:
    """The draft that a snapshot was taken of. Raises Unusable, KeyError or ValueError where the parts do not fit."""
    draft = Draft()
    columns = {name: arrays[f"column.{name}"] for name in FULL_SPEC}
    draft.columns = Columns(FULL_SPEC, arrays=columns)
    draft.ids = header["ids"]
    draft.last = int(header.get("last", 0))
    if not len(draft.ids) == draft.columns.n == len(columns["alive"]):
        raise Unusable("the file on disk contradicts itself")
    alive = columns["alive"].tolist()
    draft.slot_of = {key: slot for slot, (key, lives) in enumerate(zip(draft.ids, alive, strict=True)) if lives}
    for name in NAMED:
        known = header["names"][name]
        draft.names[name] = Names([tuple(one) if isinstance(one, list) else one for one in known])
    draft.vocabulary = Vocabulary(header["terms"])
    draft.segments = _segments(arrays)
    draft.phrases = Phrases.of(arrays["phrase.codes"], arrays["phrase.sizes"], header["phrases"], columns["alive"])
    draft.vectors = _vectors(columns["has"], arrays["vectors"])
    if not restore_graph(draft, header["graph"], arrays):
        raise Unusable("the file on disk contradicts itself")
    away = {key: (level, confirmed) for key, level, confirmed in header["away"]}
    draft.lineage = Lineage([(made, source) for made, source in header["lineage"]], away)
    vectors = iter(arrays["rested"])
    for key, usage, has in header["resting"]:
        draft.resting[key] = Resting(next(vectors) if has else None, usage)
    return draft


def _segments(arrays: Snapshot) -> tuple[Segment, ...]:
    return (sorted_segment(arrays["keys"], arrays["slots"], arrays["counts"]),) if len(arrays["keys"]) else ()


def _vectors(has: NDArray[np.bool_], kept: NDArray[np.float32]) -> Vectors:
    if not len(kept):
        return Vectors()
    dense = np.zeros((len(has), kept.shape[1]), dtype=np.float32)
    dense[has] = kept
    return Vectors.of(dense)


def _join_arrays(parts: list[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=kind)
