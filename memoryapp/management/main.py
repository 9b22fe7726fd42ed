"""The one command of Palimpsest: `palimpsest up`, `key`, `ingest`, `recall`, … (`palimpsest help` lists them); a
checkout has it as manage.py too. Here is what comes before Django: where the data is, and whether a memory is there."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import NoReturn

from memoryapp.program import data_folder, program_name

NEEDS_DJANGO = "Django is not installed in this Python. Start with ./run, or use .venv/bin/python manage.py …"


def run() -> NoReturn:
    """Does what the words of the command line say, and ends the process: what the name `palimpsest` calls."""
    try:
        main(sys.argv)
    except SystemExit as ending:
        leave(ending)
    leave(None)


def main(argv: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    argv = take_data_folder(argv)
    if argv[1:2] == ["complete"]:
        from memoryapp.management.complete import answer

        sys.exit(answer(argv[2:]))
    if missing := missing_memory(argv):
        sys.exit(missing)
    if argv[1:2] == ["up"]:
        # Only a real start serves hashed, compressed files; every other command does without collecting them.
        os.environ.setdefault("MEMORY_STATIC", "collected")
    try:
        from memoryapp.management.utility import PalimpsestUtility
    except ImportError:
        sys.exit(NEEDS_DJANGO)
    PalimpsestUtility([program_name(), *argv[1:]]).execute()


def take_data_folder(argv: list[str]) -> list[str]:
    """The arguments without `--data DIR`, which is put where the settings look: they are read before any command
    parses its arguments, and so it works for Django's own commands too."""
    left = iter(argv)
    kept = []
    for word in left:
        name, given, folder = word.partition("=")
        if name != "--data":
            kept.append(word)
            continue
        folder = folder if given else next(left, "")
        if not folder:
            print("--data needs a folder: --data DIR", file=sys.stderr)
            sys.exit(2)
        os.environ["MEMORY_DATA_DIR"] = folder
    return kept


def missing_memory(argv: list[str]) -> str:
    """Why a command that only works on an existing memory cannot begin; empty where it can. Looked at before the
    settings are read, which make the data folder: a mistyped `--data` must not leave an empty memory behind."""
    from memoryapp.management.catalogue import CATALOGUE, FIRST_COMMANDS

    name = argv[1] if len(argv) > 1 else ""
    if name not in CATALOGUE or name in FIRST_COMMANDS or {"-h", "--help"} & set(argv):
        return ""
    if os.environ.get("DATABASE_URL") or os.environ.get("MEMORY_STORE_URL"):  # a server's memory is elsewhere
        return ""
    folder = data_folder()
    if (folder / "people.sqlite3").is_file():
        return ""
    return f"There is no memory in {folder}. Name its folder with --data DIR, or begin one there: {program_name()} up."


def leave(ending: SystemExit | None) -> NoReturn:
    """Ends the process at once, everything being put away by now. The ordinary way would wait for, or abort on, the
    threads of native libraries that cannot be asked to end: a model that is still being loaded, above all."""
    code = 0 if ending is None or ending.code is None else ending.code
    if not isinstance(code, int):
        print(code, file=sys.stderr)
        code = 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # whoever read our output may have gone
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    run()
