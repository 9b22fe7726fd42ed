"""The models that come along, computed by numpy, against what torch and the general library make of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtr
from threadpoolctl import threadpool_info

from memoryapp.contradictions.pair_judge import JUDGE
from memoryapp.domain.errors import ModelMissing
from memoryapp.extraction.facts.select import SELECTOR
from memoryapp.inference.embedding import engine, engine_numpy
from memoryapp.inference.embedding.agreement import top_agreement
from memoryapp.inference.embedding.bert_numpy import build, gelu
from memoryapp.inference.embedding.load import load_encoder
from memoryapp.inference.embedding.minilm import MiniLM, load_minilm
from memoryapp.inference.embedding.sentence import SentenceEncoder
from memoryapp.inference.reranking.cross_encoder import PackedCrossEncoder, load_cross_encoder
from memoryapp.inference.reranking.pairs import load_pair_judge
from memoryapp.inference.reranking.reranker import load_reranker
from tests.inference.texts import NOTES, ODD, QUESTIONS

TEXTS = (*NOTES, *ODD, *QUESTIONS)
PAIRS = [
    *((question, note) for question in QUESTIONS[:6] for note in NOTES[::5]),
    *((text, QUESTIONS[0]) for text in ODD),
    ("Ana is a vegetarian.", "Ana: my steak was too well done."),
    ("The office is open.", "The office is closed."),
    ("word " * 400, "other " * 400),
]
OTHERS = ("torch", "sentence_transformers", "transformers")


@pytest.fixture(scope="module")
def by_numpy() -> Iterator[MiniLM]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "has_torch", lambda: False)
        loaded = load_minilm()
    yield loaded


def read_by_numpy(folder: Path, patch: pytest.MonkeyPatch) -> PackedCrossEncoder:
    with patch.context() as inner:
        inner.setattr(engine, "has_torch", lambda: False)
        return load_cross_encoder(folder)


def test_its_vectors_are_those_of_plain_sentence_transformers(by_numpy: MiniLM, plain: SentenceEncoder) -> None:
    assert by_numpy.precision == engine_numpy.PRECISION
    assert (by_numpy.dimension, by_numpy.max_tokens) == (plain.dimension, plain.max_tokens)
    assert np.abs(by_numpy.encode_documents(TEXTS) - plain.encode_documents(TEXTS)).max() < 1e-5
    assert np.abs(by_numpy.encode_query(QUESTIONS[0]) - plain.encode_query(QUESTIONS[0])).max() < 1e-5


def test_a_space_that_torch_embedded_goes_on_with_numpy(by_numpy: MiniLM, minilm: MiniLM) -> None:
    assert (by_numpy.encode_documents(TEXTS) * minilm.encode_documents(TEXTS)).sum(axis=1).min() >= 0.999


def test_it_finds_the_ten_that_the_general_library_finds(by_numpy: MiniLM, plain: SentenceEncoder) -> None:
    found, wanted = (
        np.stack([each.encode_query(question) for question in QUESTIONS]) @ each.encode_documents(NOTES).T
        for each in (by_numpy, plain)
    )
    assert top_agreement(found, wanted, top=10) == 1


@pytest.mark.parametrize("folder", [JUDGE, SELECTOR], ids=lambda folder: folder.name)
def test_what_was_taught_reads_as_it_does_by_torch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = likely(load_cross_encoder(folder).logits(PAIRS))
    monkeypatch.setattr("memoryapp.inference.embedding.precision._faster_forms", lambda: iter(()))
    in_fp32 = likely(load_cross_encoder(folder).logits(PAIRS))
    found = likely(read_by_numpy(folder, monkeypatch).logits(PAIRS))
    assert found.shape == in_fp32.shape
    assert np.abs(found - in_fp32).max() < 1e-4
    assert np.abs(found - here).max() < 3e-2  # bf16, where the CPU has it


def likely(logits: np.ndarray) -> np.ndarray:
    """As probabilities: of one label by the logistic function, of several by the softmax."""
    raised = np.exp(logits.astype(np.float64))
    return np.asarray(raised / (1 + raised) if logits.shape[1] == 1 else raised / raised.sum(axis=1, keepdims=True))


def test_a_text_is_read_the_same_alone_and_among_others_and_by_threads(
    by_numpy: MiniLM, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = by_numpy.encode_documents(TEXTS)
    with ThreadPoolExecutor(4) as pool, ThreadPoolExecutor(3) as cores:
        alone = np.concatenate(list(pool.map(lambda text: by_numpy.encode_documents([text]), TEXTS)))
        monkeypatch.setattr(engine_numpy, "_threads", lambda: cores)  # tests run on one core each, people do not
        shared = list(pool.map(lambda _: by_numpy.encode_documents(TEXTS), range(3)))
    assert np.abs(together - alone).max() < 1e-5
    assert all(np.abs(together - each).max() < 1e-6 for each in shared)
    assert by_numpy.encode_documents([]).shape == (0, 384)


def test_blas_has_its_threads_again_when_the_last_has_left() -> None:
    def threads() -> list[int]:
        return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]

    before = threads()
    with engine_numpy._blas_on_one_thread():
        with engine_numpy._blas_on_one_thread():
            assert set(threads()) == {1}
        assert set(threads()) == {1}
    assert threads() == before


def test_the_gelu_is_the_exact_one() -> None:
    x = np.linspace(-9, 9, 3001, dtype=np.float32).reshape(-1, 1)
    wanted = x * ndtr(x.astype(np.float64))
    gelu(x)
    assert np.abs(x - wanted).max() < 1e-6


def test_weights_of_something_else_are_refused(by_numpy: MiniLM) -> None:
    with pytest.raises(KeyError):
        build({"linear.weight": np.zeros((3, 3), dtype=np.float32)}, shape=by_numpy._embedding._bert.shape)  # type: ignore[attr-defined]


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in OTHERS:
        monkeypatch.setitem(sys.modules, name, None)  # importing it raises ImportError


@pytest.mark.usefixtures("without_torch")
def test_without_torch_any_other_model_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "bge-small").mkdir()
    assert engine.has_torch() is False
    for load in (
        lambda: load_encoder("bge-small", models_dir=tmp_path),
        lambda: load_encoder("intfloat/multilingual-e5-small"),
        lambda: load_pair_judge(tmp_path),
        lambda: load_reranker(tmp_path),
    ):
        with pytest.raises(ModelMissing, match=r"pip install 'palimpsest-memory\[torch\]'"):
            load()
    with pytest.raises(ModelMissing, match="is not on this machine"):
        load_encoder("/no/such/folder")


# Refused as where they were never installed, before anything of the app is imported.
REFUSE = f"""
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {OTHERS!r}:
            raise ImportError(f"{{name}} is not installed")
sys.meta_path.insert(0, Refuse())
"""
SEARCH = """
from memoryapp.inference.embedding import load_encoder
from memoryapp.contradictions.pair_judge import JUDGE, LABELS
from memoryapp.inference.reranking.cross_encoder import load_cross_encoder
encoder = load_encoder("all-MiniLM-L6-v2")
texts = ["Ana takes the morning train.", "The starter needs feeding twice a day.", "민수는 수원에서 서울로 이사했다."]
best = encoder.encode_documents(texts) @ encoder.encode_query("When is the sourdough fed?")
read = load_cross_encoder(JUDGE).logits([("Ana lives in Porto.", "Ana lives in Porto.")])
libraries = sorted(set(sys.modules) & {"torch", "transformers"})
print(encoder.precision, best.argmax(), LABELS[read.argmax()], *libraries, sep="|")
"""


def test_where_torch_was_never_installed_the_models_that_come_along_work() -> None:
    words = [sys.executable, "-c", REFUSE + SEARCH]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"{engine_numpy.PRECISION}|1|same"
