"""How many threads torch may use: the cores this process was given, which torch does not ask about in a container;
and one alone for what is short."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Thread


def use_available_cores() -> None:
    """Lower torch's thread count to the cores this process may run on. OMP_NUM_THREADS, where set, is left alone."""
    import torch

    if "OMP_NUM_THREADS" in os.environ:
        return
    if available_cores() < torch.get_num_threads():
        torch.set_num_threads(available_cores())


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def single_core_threads() -> ThreadPoolExecutor:
    """As many threads as there are cores, in each of which torch computes on one: for single short texts.

    Cores that share a query wait for each other at every one of its dozens of products, and they spin while they wait:
    where others want the cores too, 4 ms of work become 100. The vectors are the same, bit for bit.
    """
    import torch

    most = torch.get_num_threads()
    return ThreadPoolExecutor(
        available_cores(), thread_name_prefix="query", initializer=_keep_to_one_core, initargs=(most,)
    )


def _keep_to_one_core(others: int) -> None:
    """Torch keeps the number for each thread, and the last one that was set for threads to come: so another thread
    sets that one back to `others`."""
    import torch

    torch.get_num_threads()  # a thread's first question takes the number over from all; after it, its own stays
    torch.set_num_threads(1)
    other = Thread(target=torch.set_num_threads, args=(others,))
    other.start()
    other.join()
