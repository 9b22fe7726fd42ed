from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from memoryapp.inference.embedding import load_encoder
from memoryapp.inference.embedding.threads import single_core_threads


def test_a_query_is_computed_on_one_core_and_every_other_thread_keeps_its_cores() -> None:
    import torch

    before = torch.get_num_threads()
    assert single_core_threads().submit(torch.get_num_threads).result() == 1
    assert torch.get_num_threads() == before
    with ThreadPoolExecutor(1) as fresh:
        assert fresh.submit(torch.get_num_threads).result() == before
    assert single_core_threads().submit(torch.get_num_threads).result() == 1


def test_a_query_has_the_vector_that_all_cores_together_give_it() -> None:
    encoder = load_encoder("all-MiniLM-L6-v2")
    for text in ("Why did we leave RabbitMQ?", "redis", "A longer question about what was said on Monday."):
        assert np.array_equal(encoder.encode_query(text), encoder.encode_documents([text])[0])
