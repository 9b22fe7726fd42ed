"""A folder as the one file that an upload takes."""

from __future__ import annotations

import contextlib
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.limits import LIMITS


@contextlib.contextmanager
def as_one_file(path: Path) -> Iterator[Path]:
    """The file itself; of a folder a zip of what is in it, which goes away again. Names that begin with a dot and links
    are left out. Raises BadInput where there is nothing, TooLarge for more files than an archive may hold."""
    if not path.is_dir():
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="palimpsest-") as folder:
        target = Path(folder) / f"{path.resolve().name or 'folder'}.zip"
        packed = 0
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            for file in sorted(path.rglob("*")):
                inside = file.relative_to(path)
                if any(part.startswith(".") for part in inside.parts) or file.is_symlink() or not file.is_file():
                    continue
                packed += 1
                if packed > LIMITS.archive_members:
                    raise TooLarge(f"{path} holds more than {LIMITS.archive_members:,} files.")
                archive.write(file, inside.as_posix())
        if not packed:
            raise BadInput(f"There is no file in {path}.")
        yield target
