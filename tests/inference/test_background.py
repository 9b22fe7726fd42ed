"""Loading while pages are answered."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

import pytest

from memoryapp.domain.errors import ModelLoading, ModelMissing, ModelUnreadable
from memoryapp.inference.embedding import EncoderSlot, background_encoder, load_encoder
from memoryapp.inference.embedding.encoder import Encoder


def test_a_slot_fills_while_the_caller_goes_on() -> None:
    may_load = Event()

    def slowly(name: str) -> Encoder:
        may_load.wait(10)
        return load_encoder(name)

    slot = background_encoder("hashing", load=slowly)
    assert not slot.ready
    assert slot.error is None
    with pytest.raises(ModelLoading, match="still loading"):
        slot.get(timeout=0.01)
    may_load.set()
    assert slot.get(timeout=10).name == "hashing-384"
    assert slot.ready


def test_the_default_model_loads_in_the_background() -> None:
    slot = background_encoder("all-MiniLM-L6-v2")
    assert slot.get(timeout=60).dimension == 384
    assert slot.ready
    assert slot.error is None


def test_a_model_that_is_missing_says_so_to_each_who_asks() -> None:
    slot = background_encoder("http://nowhere")
    for _ in range(2):
        with pytest.raises(ModelMissing):
            slot.get(timeout=10)
    assert not slot.ready
    assert "names no embedding server" in str(slot.error)


def test_a_broken_library_leaves_nobody_waiting() -> None:
    def broken(name: str) -> Encoder:
        raise ImportError("libgomp.so.1: cannot open shared object file")

    slot = background_encoder("all-MiniLM-L6-v2", load=broken)
    with pytest.raises(ModelUnreadable, match="libgomp"):
        slot.get(timeout=10)
    assert "libgomp" in str(slot.error)


def test_the_model_that_comes_along_is_loaded_when_it_is_first_wanted() -> None:
    slot = background_encoder("all-MiniLM-L6-v2")
    assert not slot.begun and not slot.ready and slot.error is None
    slot.begin()
    assert slot.begun and slot.get(60).dimension == 384


def test_a_model_that_may_not_load_is_tried_at_once(tmp_path: Path) -> None:
    slot = background_encoder(str(tmp_path / "nope"))
    assert slot.begun
    with pytest.raises(ModelMissing):
        slot.get(60)


def test_a_model_that_many_want_at_once_is_loaded_once() -> None:
    loads: list[str] = []

    def load(name: str) -> Encoder:
        loads.append(name)
        return load_encoder("hashing")

    slot = EncoderSlot("x", load)
    threads = [Thread(target=slot.get, args=(20,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert loads == ["x"] and slot.ready
