"""What usually goes wrong, looked for one by one: each finding in plain words, with what to do about it."""

from __future__ import annotations

from collections.abc import Iterator

from memoryapp.management.doctor import app, setup
from memoryapp.management.doctor.finding import Finding, findings_of

__all__ = ["Finding", "examine"]

_LOOKS = (
    setup.python,
    setup.packages,
    setup.clock,
    setup.data_folder,
    setup.disk,
    setup.people_database,
    setup.broker,
    setup.browser_files,
    setup.ingest_folders,
    setup.judge_model,
    setup.name_judge,
    setup.pair_model,
    app.process,
)


def examine(*, host: str = "127.0.0.1", port: int = 8000, whole: bool = False) -> Iterator[Finding]:
    """Every finding, as it is made: the quick looks first, what opens the store last. `whole`: also each invariant."""
    for look in _LOOKS:
        yield from findings_of(look)

    def chat_model() -> Iterator[Finding]:
        return setup.chat_model(whole=whole)

    def the_port() -> Iterator[Finding]:
        return setup.port(host, port)

    def the_app() -> Iterator[Finding]:
        return app.store_and_model(whole=whole)

    yield from findings_of(chat_model)
    yield from findings_of(the_port)
    yield from findings_of(the_app)
