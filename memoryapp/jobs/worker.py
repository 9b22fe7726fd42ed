"""Celery's worker and beat in threads of this process: the embedded way to run, where one process owns the store.

A thread pool, never processes: the store's handle does not survive a fork."""

from __future__ import annotations

import threading
import time
from typing import Any

from celery.beat import EmbeddedService
from celery.worker import WorkController

from memoryapp.jobs.queue import app, turns_app
from memoryapp.jobs.run import STOPPING


class InProcessWorker:
    """start() returns at once; stop() lets running jobs reach their next step, then ends the threads. So many jobs run
    at a time as `concurrency` says, and beside them one more that reads turns: long work never keeps those waiting."""

    def __init__(self, *, concurrency: int = 3, beat: bool = True) -> None:
        self._concurrency = concurrency
        self._with_beat = beat
        self._workers: list[Any] = []
        self._beat: Any = None
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        STOPPING.clear()
        for takes, at_once, name in ((app, self._concurrency, "worker"), (turns_app, 1, "worker of turns")):
            takes.finalize()
            worker = WorkController(
                app=takes,
                hostname=f"{name.replace(' ', '-')}@palimpsest",
                pool_cls="threads",
                concurrency=at_once,
                without_heartbeat=True,
                without_mingle=True,
                without_gossip=True,
            )
            thread = threading.Thread(target=worker.start, name=name, daemon=True)
            thread.start()
            self._workers.append(worker)
            self._threads.append(thread)
        if self._with_beat:
            # The plain scheduler keeps its times in memory: a schedule file would be one more thing to corrupt.
            self._beat = EmbeddedService(app, thread=True, scheduler_cls="celery.beat:Scheduler")
            self._beat.start()

    def stop(self, *, within: float = 10.0) -> bool:
        """True if the running jobs came to their next step, and so to an end, within so many seconds.

        The thread that listens to the queue notices within two seconds more; an ending process need not wait for it.
        """
        STOPPING.set()
        if self._beat is not None:
            self._beat.service.stop()
        # Off this thread: stopping waits for the pool without a limit, and the process must end all the same.
        stoppers = [threading.Thread(target=worker.stop, name="worker stop", daemon=True) for worker in self._workers]
        for stopper in stoppers:
            stopper.start()
        until = time.monotonic() + within
        for stopper in stoppers:
            stopper.join(max(0.0, until - time.monotonic()))
        return not any(stopper.is_alive() for stopper in stoppers)

    def join(self) -> None:
        """Waits until nothing listens any more: before another worker is started in the same process."""
        for thread in self._threads:
            thread.join()
