#!/usr/bin/env python
"""The one command of Palimpsest: `manage.py up`, `key`, `ingest`, `recall`, … (`manage.py help` lists them)."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import NoReturn


def main(argv: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    argv = take_data_folder(argv)
    if argv[1:2] == ["complete"]:
        from memoryapp.management.complete import answer

        sys.exit(answer(argv[2:]))
    if argv[1:2] == ["up"]:
        # Only a real start serves hashed, compressed files; every other command does without collecting them.
        os.environ.setdefault("MEMORY_STATIC", "collected")
    try:
        from memoryapp.management.utility import PalimpsestUtility
    except ImportError:
        sys.exit("Django is not installed in this Python. Start with ./run, or use .venv/bin/python manage.py …")
    PalimpsestUtility(argv).execute()


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
    try:
        main(sys.argv)
    except SystemExit as ending:
        leave(ending)
    leave(None)
