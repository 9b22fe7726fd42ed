"""What the program is called, where its files lie and where its data goes: it runs from a checkout, where templates,
static files and schema lie beside the package, and out of a wheel, which has them inside (build_hook.py puts them
there). Imports next to nothing, since completion asks it at every tab."""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

DISTRIBUTION = "palimpsest-memory"
NAME = "palimpsest"
IN_CHECKOUT = "manage.py"
_PACKAGE = Path(__file__).resolve().parent
_PACKED = _PACKAGE / "files"
FILES = _PACKED if _PACKED.is_dir() else _PACKAGE.parent  # the folder of templates/, static/, schema/, docs/
CHECKOUT = None if FILES == _PACKED else FILES


def program_name() -> str:
    """Return what a person types before a command: the name that this process was started by, else the one that is
    there."""
    started_as = Path(sys.argv[0]).name if sys.argv else ""
    if started_as in (NAME, IN_CHECKOUT):
        return started_as
    return NAME if CHECKOUT is None else IN_CHECKOUT


def program_line() -> str:
    """Return the program as a line begins that is copied into a shell; of a checkout, a shell in its folder."""
    return NAME if program_name() == NAME else f".venv/bin/python {IN_CHECKOUT}"


def program_words() -> list[str]:
    """Return the words that start the program from any folder and in any shell, before those of a command."""
    if CHECKOUT is None:
        return [sys.executable, "-m", "memoryapp.management.main"]
    return [sys.executable, str(CHECKOUT / IN_CHECKOUT)]


def data_folder() -> Path:
    """Return the absolute path of the data folder, which need not exist: MEMORY_DATA_DIR (`--data` sets it), else
    `data` of the checkout, else the person's own place for the data of programs."""
    if chosen := os.environ.get("MEMORY_DATA_DIR", "").strip():
        return Path(chosen).expanduser().absolute()
    if CHECKOUT is not None:
        return CHECKOUT / "data"
    from platformdirs import user_data_path

    return user_data_path(NAME, appauthor=False).absolute()


def short_path(file: Path) -> str:
    """Return the path as people write it."""
    home = Path.home()
    return str(Path("~") / file.relative_to(home)) if file.is_relative_to(home) else str(file)


def repair_words() -> str:
    """Return what a person does where parts of the installation are missing or not those that it needs."""
    if CHECKOUT is not None:
        return ".venv/bin/pip install -e ."
    return f"install {DISTRIBUTION} again, in the way that it was installed (docs/INSTALL.md)"


def program_version() -> str:
    """Return the version as installed, or “unreleased” of a checkout that was never installed."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unreleased"
