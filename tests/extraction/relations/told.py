"""Relations as short lines, for tests: “Adam uses Terraform”."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.domain.relation import StatedRelation
from memoryapp.extraction.relations.pipeline import relations_in
from memoryapp.extraction.relations.sentences import Text


def line(one: StatedRelation) -> str:
    return f"{one.subject.name} {one.type} {one.object.name}" + (" (planned)" if one.planned else "")


def lines_of(stated: Sequence[StatedRelation]) -> set[str]:
    return {line(one) for one in stated}


def told(text: str, *, speaker: str | None = None, known: Sequence[str] = (), **types: str) -> set[str]:
    (stated,) = relations_in([Text(text, speaker, tuple(known), types)])
    return lines_of(stated)
