"""MEMORY_JUDGE: whether facts are read together by the network that comes with the app."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memoryapp.contradictions import pair_judge
from memoryapp.inference.embedding import EncoderSlot, load_encoder
from memoryapp.jobs.reading import judges_for
from memoryapp.spaces import Space


def test_who_chose_an_encoder_without_a_model_gets_no_network_unless_it_is_asked_for(
    space: Space, settings: Any
) -> None:
    settings.JUDGE = ""
    assert space.encoder.name.startswith("hashing") and judges_for(space, chat=False).reads is None
    settings.JUDGE = "on"
    assert judges_for(space, chat=False).reads is pair_judge.later


def test_every_other_space_has_it_unless_it_is_switched_off(space: Space, settings: Any) -> None:
    other = replace(space, encoder=EncoderSlot("all-MiniLM-L6-v2", load_encoder))
    settings.JUDGE = ""
    assert judges_for(other, chat=False).reads is pair_judge.later
    settings.JUDGE = "off"
    assert judges_for(other, chat=False).reads is None
