"""Sentences swapped in a preview that is there already: exactly what a preview for that choice would show."""

from __future__ import annotations

import pytest

from memoryapp.consolidate import Choice, Ranker, preview, with_sentences
from memoryapp.domain.errors import BadInput
from memoryapp.spaces import Space
from tests.consolidate.logs import two_topics


@pytest.mark.parametrize("ranker", list(Ranker))
def test_a_swap_shows_what_a_preview_for_that_choice_shows(space: Space, ranker: Ranker) -> None:
    two_topics(space)
    for digest in preview(space, ranker=ranker).digests:
        every = [one.id for one in digest.sentences]
        for wanted in (every[:1], every[1:], every, every[::2]):
            choice = Choice(digest.id, digest.print, tuple(wanted))
            shown = next(one for one in preview(space, ranker=ranker, choices=[choice]).digests if one.id == digest.id)
            assert with_sentences(digest, wanted) == shown


def test_no_sentence_and_a_strange_one_are_refused(space: Space) -> None:
    two_topics(space)
    digest = preview(space).digests[0]
    for wanted in ([], ["0" * 16]):
        with pytest.raises(BadInput):
            with_sentences(digest, wanted)
