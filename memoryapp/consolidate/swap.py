"""A digest of a preview with other sentences, without working the preview out again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from memoryapp.consolidate.choose import as_wanted
from memoryapp.consolidate.compose import is_korean, lines_of
from memoryapp.domain.digest import Digest
from memoryapp.domain.errors import BadInput


def swapped(digest: Digest, sentences: Collection[str]) -> Digest:
    """The digest with these sentences taken and no others, exactly as `preview` shows it for such a choice. `digest`:
    with the ranker's own choice. Raises BadInput where one of them is none of its sentences, or none is left."""
    strange = sorted(set(sentences) - {one.id for one in digest.sentences})
    if strange:
        raise BadInput(f"“{strange[0][:40]}” is no sentence of “{digest.title}”.", field="/sentences")
    if not sentences:
        raise BadInput("A digest takes one sentence at least. Leave the whole digest out instead.", field="/sentences")
    days = {one.id: one.at for one in digest.originals}
    told = as_wanted(digest.sentences, sentences)
    return replace(digest, sentences=told, text=lines_of(days, told, korean=is_korean(told)))
