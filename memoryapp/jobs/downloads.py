"""Files as answers, sent piece by piece: one that was made for it, and is gone from the disk when it is sent, or one
that is kept. Exports are made here too, for the API and the pages."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from asgiref.sync import sync_to_async
from django.conf import settings
from django.http import StreamingHttpResponse

from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import open_row
from memoryapp.domain.errors import NotFound
from memoryapp.transfer.export import export

_CHUNK = 256 * 1024


def as_file(make: Callable[[Path], object], *, name: str, content_type: str) -> StreamingHttpResponse:
    """`make` writes the file at the path it is given; what it raises goes through."""
    folder = tempfile.TemporaryDirectory(dir=settings.DATA_DIR, prefix="sending-")
    target = Path(folder.name) / "file"
    try:
        make(target)
    except BaseException:
        folder.cleanup()
        raise
    return _answer(target, folder, name=name, size=target.stat().st_size, content_type=content_type)


def send_kept(path: Path, *, content_type: str) -> StreamingHttpResponse:
    """A file that stays where it is. Raises NotFound where it has gone."""
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        raise NotFound(f"{path.name} is no longer there.") from None
    return _answer(path, nullcontext(), name=path.name, size=size, content_type=content_type)


def send_export(row: Row, *, vectors: bool) -> StreamingHttpResponse:
    """Everything of a space as one zip. Raises StoreError."""
    space = open_row(row)
    name = f"{space.name}-{space.clock():%Y%m%d-%H%M%S}.palimpsest.zip"
    return as_file(
        lambda target: export(space, target, settings=row.settings, vectors=vectors),
        name=name,
        content_type="application/zip",
    )


def _answer(
    target: Path, folder: AbstractContextManager[object], *, name: str, size: int, content_type: str
) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        _pieces(target, folder),
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": str(size)},
    )


async def _pieces(target: Path, folder: AbstractContextManager[object]) -> AsyncIterator[bytes]:
    """Off the server's loop: a large file never stands in memory whole."""
    with folder, target.open("rb") as file:
        while chunk := await sync_to_async(file.read)(_CHUNK):
            yield chunk
