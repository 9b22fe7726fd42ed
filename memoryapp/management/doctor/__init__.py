"""What usually goes wrong, looked for one by one: each finding in plain words, with what to do about it."""

from __future__ import annotations

from collections.abc import Iterator

from memoryapp.management.doctor import app, machine, setup
from memoryapp.management.doctor.finding import Finding, looked

__all__ = ["Finding", "examine"]

_LOOKS = (
    machine.python,
    machine.packages,
    machine.clock,
    machine.data_folder,
    machine.disk,
    setup.people_database,
    setup.broker,
    setup.browser_files,
    setup.ingest_folders,
    setup.reader_model,
    setup.judge_model,
    setup.pair_model,
    app.process,
)


def examine(*, host: str = "127.0.0.1", port: int = 8000, whole: bool = False) -> Iterator[Finding]:
    """Every finding, as it is made: the quick looks first, what opens the store last. `whole`: also each invariant."""
    for look in _LOOKS:
        yield from looked(look)

    def chat_model() -> Iterator[Finding]:
        return setup.chat_model(whole=whole)

    def the_port() -> Iterator[Finding]:
        return setup.port(host, port)

    def the_app() -> Iterator[Finding]:
        return app.store_and_model(whole=whole)

    yield from looked(chat_model)
    yield from looked(the_port)
    yield from looked(the_app)
