from __future__ import annotations

import os
from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings

from memoryapp.accounts.roles import Role
from memoryapp.connect.places import place_of
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.mcp.stdio import AppAddress, serve_stdio
from memoryapp.management.agents import (
    STARTS_WITHIN,
    finder,
    key_for_agents,
    keys_of_earlier_versions,
    talk_beside_an_app,
)
from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.running import running_in
from memoryapp.program import program_name


class Command(PalimpsestCommand):
    help = (
        "Serve an agent over standard input and output, by the Model Context Protocol. Uses the app that runs on the "
        "data folder, or runs one for as long as the agent stays."
    )

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", default="", help="an app elsewhere: https://memory.example.org (needs a key)")
        parser.add_argument("--key", default="", help="an API key (default: MEMORY_KEY, else one made for --role)")
        parser.add_argument(
            "--space", default="", help="the space (default: the key's own, else this folder's, see connect)"
        )
        parser.add_argument("--all-spaces", action="store_true", help="make the key for every space")
        parser.add_argument(
            "--role",
            choices=[role.value for role in Role],
            default=Role.WRITER.value,
            help="what the agent may do where no key is given (default: writer, which adds and proposes; a curator "
            "corrects, deletes and decides)",
        )
        parser.add_argument("--agent", default="", help="what the pages call the agent (default: its program's name)")
        parser.add_argument("--all-tools", action="store_true", help="more than the nine (also MEMORY_MCP_TOOLS=all)")
        parser.add_argument(
            "--allow-purge", action="store_true", help="let a curator's agent erase for good (also MEMORY_MCP_PURGE=on)"
        )

    def act(self, **options: Any) -> None:
        key = options["key"] or os.environ.get("MEMORY_KEY", "").strip()
        every = options["all_tools"] or os.environ.get("MEMORY_MCP_TOOLS", "").strip() == "all"
        purges = options["allow_purge"] or os.environ.get("MEMORY_MCP_PURGE", "").strip() == "on"
        talk = partial(serve_stdio, space=options["space"], agent=options["agent"], every_tool=every, purges=purges)
        url = options["url"].rstrip("/")
        if url:
            if not key:
                raise BadInput("An app elsewhere takes a key of its own: --key, or MEMORY_KEY.")
            if not url.startswith(("http://", "https://")):
                raise BadInput("--url begins with http:// or https://.")
            talk(lambda: AppAddress(url, key))
            return
        if not key:
            space = options["space"] or _space_of_this_folder()
            key = key_for_agents(Role(options["role"]), None if options["all_spaces"] else space)
            for file in keys_of_earlier_versions():
                self.stderr.write(f"{file} opens every space: revoke that key under Settings if no agent needs it.")
        running = running_in(settings.DATA_DIR)
        if running is not None:
            self.stderr.write(f"Using the running app at {running.url}.")
            talk(finder(key, patience=0))
            return
        shown_by = f"`{program_name()} login` shows it."
        self.stderr.write(f"Palimpsest is not running here: it runs until the agent leaves. {shown_by}")
        talk_beside_an_app(partial(talk, finder(key, patience=STARTS_WITHIN)))


def _space_of_this_folder() -> str:
    """Agents start their tools in the folder that they work in."""
    try:
        return place_of(settings.DATA_DIR, Path.cwd()).space
    except ValueError as error:
        raise BadInput(str(error)) from None
