"""What all tests share: a live server in a process of its own, and the browser that drives it."""

from __future__ import annotations

import gc
import os
import shutil
import ssl
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from memoryapp.spaces import Space
from tests.chat_server import chat_server  # noqa: F401 - a fixture for every room that asks a chat model
from tests.live import Live, live_app
from tests.migrated import template
from tests.samples import HandClock, a_space

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MAC_BROWSER = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
IN_CI = bool(os.environ.get("CI"))
REAL = {"live", "page", "browser"}  # fixtures that are processes of their own …
PROCESSES = {"acceptance", "concurrency", "faults", "management", "server"}  # … and folders of tests that start some
LONGEST = ["markup_browser", "tree", "shell", "clock", "graph", "unsaved", "accessibility", "settings", "entities"]

# The same examples every time, so that a run tells of the change and not of luck; MEMORY_TEST_RANDOM=1 draws new ones.
# How long an example takes is the machine's affair: tests run beside others on shared cores.
_ALWAYS = settings(deadline=None, derandomize=not os.environ.get("MEMORY_TEST_RANDOM"))
settings.register_profile("quick", _ALWAYS, max_examples=20)
settings.register_profile("long", _ALWAYS)
# Each client of HTTP would read the certificates of all authorities anew, which takes it longer than most requests to
# an app on this machine.
ssl.create_default_context = cache(ssl.create_default_context)
LEFT_OUT = pytest.StashKey[Counter[str]]()  # how many long tests are not run, by folder


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the tests marked long as well")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()
    config.stash[LEFT_OUT] = Counter()
    # Before any module of tests is imported: each takes over the examples of the profile as it is read.
    settings.load_profile("long" if config.getoption("--long") else "quick")


def missing(what: str) -> None:
    """Skips on a developer's machine; in CI a missing program is a failure, or nobody would notice."""
    if IN_CI:
        pytest.fail(f"{what} is not installed; ./test says how")
    pytest.skip(f"{what} is not installed; ./test says how")


def pytest_collection_finish() -> None:
    """Modules and thousands of tests stay until the end. To look for garbage among them, while they are collected and
    while they run, takes longer than collecting them."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def roots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one folder that the running app may read."""
    return tmp_path_factory.mktemp("may-be-read")


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory, roots: Path) -> Iterator[Live]:
    """The whole app in its own process and data folder, started once for all tests of a worker. Tests that need an
    empty one make a space of their own; those that need other settings start another with live_app()."""
    data = tmp_path_factory.mktemp("live")
    with live_app(data, from_nothing=True, MEMORY_INGEST_ROOTS=str(roots), MEMORY_RATE_LIMIT="0") as running:
        yield running


@pytest.fixture(scope="module")
def app(live: Live) -> Iterator[Live]:
    """The running app, which lives through the tests of the module and does not stumble."""
    before = len(live.output)
    yield live
    assert live.process.poll() is None, "the app died under these tests"
    assert not [line for line in live.output[before:] if "Traceback" in line]


@pytest.fixture(scope="session", autouse=True)
def _template() -> None:
    """What every empty space of these tests is a copy of."""
    template()


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def space(clock: HandClock) -> Iterator[Space]:
    """An empty space of the real engine, with the encoder that needs no model. Rooms that need another one make it in
    their own conftest."""
    with a_space(clock=clock) as opened:
        yield opened


@pytest.fixture(scope="session")
def base_url(live: Live) -> str:
    """Where pytest-playwright's pages go."""
    return live.url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found and Path(MAC_BROWSER).exists():
        found = MAC_BROWSER
    if not found:
        missing("Chromium")
    arguments = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    arguments += ["--disable-component-update", "--disable-sync"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium refuses its sandbox to root
    return {**browser_type_launch_args, "executable_path": found, "args": arguments}


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Bytes are named after their argument: an archive made while tests are collected holds the time, and workers
    that collect a moment apart would not agree on the names of the tests."""
    return argname if isinstance(val, bytes) and len(val) > 24 else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests are left out unless all are asked for, or this one by its name. Browser tests come last: their driver
    leaves an event loop in the thread of the tests, in which Django's own client refuses to work. They use the app over
    HTTP alone. Of them the longest files first, so that at the end no worker has a long one to itself."""
    if not config.getoption("--long"):
        _leave_out_long_ones(config, items)
    items.sort(key=lambda item: (item.get_closest_marker("browser") is not None, _turn(item)))
    for item in items:
        if REAL & set(getattr(item, "fixturenames", ())) or PROCESSES & set(item.path.parts):
            # Several processes and their clocks meet here, on machines that are shared: such a test may try again. A
            # second try is told at the end of the run, so that nobody misses that there was one.
            item.add_marker(pytest.mark.flaky(reruns=1))
    _are_named_apart(items)


def _leave_out_long_ones(config: pytest.Config, items: list[pytest.Item]) -> None:
    named = tuple(one for one in config.args if "::" in one)
    left_out = [one for one in items if one.get_closest_marker("long") and not one.nodeid.startswith(named)]
    if left_out:
        leaves = set(left_out)
        config.stash[LEFT_OUT].update(one.path.relative_to(config.rootpath).parts[1] for one in left_out)
        config.hook.pytest_deselected(items=left_out)
        items[:] = [one for one in items if one not in leaves]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # of a worker of pytest-xdist, which tells the process that reports
        session.config.workeroutput["left_out"] = dict(session.config.stash[LEFT_OUT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every worker collects all tests, so each tells the same."""
    node.config.stash[LEFT_OUT] |= Counter(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = config.stash[LEFT_OUT]
    if left_out:
        folders = ", ".join(f"{folder} {count:,}" for folder, count in left_out.most_common())
        terminalreporter.write_line(f"Left out: {left_out.total():,} long tests ({folders}). ./test --long runs them.")


@pytest.fixture(scope="session")
def in_full(pytestconfig: pytest.Config) -> bool:
    """Whether a test that goes through many cases by itself takes all of them, and not a sample."""
    return bool(pytestconfig.getoption("--long"))


def _turn(item: pytest.Item) -> int:
    """Among the browser tests; the others stay as they are."""
    if item.get_closest_marker("browser") is None:
        return 0
    name = item.path.stem.removeprefix("test_")
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


def _are_named_apart(items: list[pytest.Item]) -> None:
    """Of tests that share one id only one is run where several workers share the work. Raises UsageError."""
    shared = [key for key, times in Counter(item.nodeid for item in items).items() if times > 1]
    if shared:
        raise pytest.UsageError(f"Tests share an id, so that only one of each would run: {', '.join(shared[:5])}")
