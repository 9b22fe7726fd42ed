"""`manage.py up`, step by step: hold the folder, prepare it, start the worker, serve, and put everything away again."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.urls import get_resolver

from memoryapp.accounts.keys import create_local_key, revoke_key
from memoryapp.accounts.login import make_login_token
from memoryapp.accounts.opening import close_spaces, open_row
from memoryapp.accounts.spaces import DEFAULT, default_space
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.errors import PalimpsestError
from memoryapp.jobs.pipeline import requeue_left_over
from memoryapp.jobs.requests import submit_demo
from memoryapp.jobs.worker import InProcessWorker
from memoryapp.management.prepare import collect_static, prepare_people
from memoryapp.management.running import Running, announce, holding, withdraw
from memoryapp.management.serve import bind, serve
from memoryapp.program import program_name
from memoryapp.store.backup import is_empty

log = logging.getLogger("memoryapp")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for on the command line. `say` prints a line for the person."""

    host: str
    port: int
    browser: bool
    demo: bool
    say: Callable[[str], None]


def up(wishes: Wishes) -> None:
    """Serves until SIGINT or SIGTERM. Raises StoreLocked (the folder is in use) and Clash (the port is)."""
    _end_quietly_on_sigterm()
    with holding(settings.DATA_DIR), contextlib.closing(bind(wishes.host, wishes.port)) as listener:
        _allow_host(wishes.host)
        person = prepare_people()
        collect_static()
        url = address_of(listener)
        with _announce_app(url, person), _run_worker() as start_work:
            if wishes.demo:
                submit_demo(DEFAULT, actor=Actor(ActorKind.PERSON, person.username))
            get_resolver().url_patterns  # noqa: B018 - every view is imported now, not under the first visitor's eyes
            link = f"{url}/login/{make_login_token(person)}"
            serve(
                listener,
                behind_proxy=bool(settings.SECURE_PROXY_SSL_HEADER),
                on_ready=lambda: _announce_ready(wishes, url, link, start_work),
            )


def address_of(listener: socket.socket) -> str:
    """The URL by which this machine reaches the socket."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _announce_ready(wishes: Wishes, url: str, link: str, start_work: Callable[[], None]) -> None:
    wishes.say(f"Palimpsest is running at {url}/   (data: {settings.DATA_DIR})")
    wishes.say(f"Sign in (works once, for 15 minutes): {link}")
    wishes.say(f"Ctrl-C stops it. `{program_name()} login` prints another link.")
    # Jobs and the model only now, so that pages come first: importing the model's engine alone takes seconds.
    start_work()
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    if wishes.browser and _has_display():
        threading.Thread(target=webbrowser.open, args=(link,), name="browser", daemon=True).start()


def _warm_up() -> None:
    """Opens the default space and, where anything is in it, starts loading its model, so that the first search need
    not. An app that is not used yet does without the model's libraries, which are most of its memory."""
    try:
        space = open_row(default_space(), passing=True)
        if not is_empty(space.db):
            space = open_row(default_space())
            space.index.refresh()
        del space
        # What is loaded now stays: left out of the collector's rounds, which would stop searches for it.
        gc.collect()
        gc.freeze()
    except PalimpsestError as error:
        log.error("The default space cannot be opened: %s", error.detail)
    except Exception:
        log.exception("The default space cannot be opened")
    finally:
        connection.close()


@contextlib.contextmanager
def _announce_app(url: str, person: User) -> Iterator[None]:
    key, text = create_local_key(person)
    announce(settings.DATA_DIR, Running(url=url, key=text, pid=os.getpid()))
    try:
        yield
    finally:
        withdraw(settings.DATA_DIR)
        revoke_key(key)


@contextlib.contextmanager
def _run_worker() -> Iterator[Callable[[], None]]:
    """A function that starts the worker and beat, where they are this process's part: with a real broker they run
    elsewhere. What an earlier start left is queued again."""
    worker = InProcessWorker() if settings.CELERY_BROKER_URL.startswith("memory:") else None
    if worker is not None:
        left = requeue_left_over()
        if left:
            log.info("Queued again from the last start: %s", ", ".join(left))
    try:
        yield worker.start if worker is not None else lambda: None
    finally:
        if worker is not None and not worker.stop():
            log.warning("A job did not stop in time; it is queued again at the next start.")
        close_spaces()


def _allow_host(host: str) -> None:
    """Whoever binds a certain address means to be reached by it; for all addresses the names must be said."""
    if host in ("0.0.0.0", "::"):
        if len(settings.ALLOWED_HOSTS) == 3:
            log.warning(
                "Listening on every address, but only this machine's own names are let in. Set "
                "MEMORY_ALLOWED_HOSTS to the names or addresses others use."
            )
    elif host not in settings.ALLOWED_HOSTS:
        settings.ALLOWED_HOSTS.append(f"[{host}]" if ":" in host else host)


def _end_quietly_on_sigterm() -> None:
    """Before and after serving, a SIGTERM unwinds as an exit does, so that the lock and the worker are put away."""

    def leave(number: int, frame: FrameType | None) -> None:
        sys.exit(0)

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, leave)


def _has_display() -> bool:
    if os.environ.get("SSH_CONNECTION"):
        return False
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
