"""Agents on this machine that speak the Model Context Protocol over stdio: their key, and the app that answers them."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from django.conf import settings

from memoryapp.accounts.first_steps import ON_THIS_MACHINE
from memoryapp.accounts.keys import MARK, create_key, valid_key
from memoryapp.accounts.models import ApiKey
from memoryapp.accounts.roles import Role
from memoryapp.accounts.secret import write_private
from memoryapp.accounts.spaces import space_named
from memoryapp.domain.errors import NotAllowed, StoreLocked
from memoryapp.interfaces.mcp.stdio import AppAddress
from memoryapp.management.prepare import prepare_people
from memoryapp.management.running import running_in

STARTS_WITHIN = 60.0  # seconds until an app that is being started answers


def key_for_agents(role: Role, space: str | None) -> str:
    """The key by which they speak: made once for each role and space (None: for every space) and kept in the data
    folder, mode 0600. It is listed under Settings, and shuts them out when it is revoked there.

    Raises NotAllowed then, and NotFound where there is no such space.
    """
    file = settings.DATA_DIR / f"mcp-{role.value}-{space or '_every_space'}.key"
    person = prepare_people()
    row = space_named(space) if space is not None else None
    text = file.read_text(encoding="utf-8").strip() if file.exists() else ""
    if text and valid_key(text):
        return text
    if ApiKey.objects.filter(prefix=text.removeprefix(f"{MARK}_").partition("_")[0]).exists():
        raise NotAllowed(f"The key of the agents on this machine was revoked. Remove {file} to have another one made.")
    name = f"Agents on this machine ({role.value} of {space or 'every space'})"
    _, text = create_key(name[:100], role=role, space=row, created_by=person, agent=ON_THIS_MACHINE)
    write_private(file, text + "\n")
    return text


def keys_of_earlier_versions() -> list[str]:
    """Files of keys that were once made for every agent here, of every space, whatever the agent needs, and that are
    still good."""
    old = [file for file in settings.DATA_DIR.glob("mcp-*.key") if file.stem.count("-") == 1]
    return [str(file) for file in old if valid_key(file.read_text(encoding="utf-8").strip())]


def finder(key: str, *, patience: float) -> Callable[[], AppAddress | None]:
    """What looks for the app on the data folder, for at most `patience` seconds."""

    def find() -> AppAddress | None:
        until = time.monotonic() + patience
        while True:
            running = running_in(settings.DATA_DIR)
            if running is not None or time.monotonic() >= until:
                return AppAddress(running.url, key) if running else None
            time.sleep(0.1)

    return find


def talk_beside_an_app(talk: Callable[[], None]) -> None:
    """Talks, and runs the app for as long as that takes, on a port that is free: the folder has one owner, and other
    commands, other agents and a browser find it there. Where it begins to run elsewhere, that one answers."""
    thread = threading.Thread(target=_talk, args=(talk,), name="agent", daemon=True)
    thread.start()
    from memoryapp.management.start import Wishes, up  # the whole app: meanwhile the agent is greeted

    try:
        up(Wishes(host="127.0.0.1", port=0, browser=False, demo=False, say=lambda line: None))
    except StoreLocked:
        thread.join()


def _talk(talk: Callable[[], None]) -> None:
    try:
        talk()
    except Exception as error:  # noqa: BLE001 - on a thread, where nobody else would tell it
        print(f"The talk with the agent failed: {error}.", file=sys.stderr)
    finally:
        os.kill(os.getpid(), signal.SIGTERM)  # as Ctrl-C ends `up`: jobs and the store are put away
