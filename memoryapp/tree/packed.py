"""A bank as a zip archive, and back. The same files give the same bytes. An archive that could do harm is refused by
name: bombs, links, encrypted members; what is neither markdown nor an index is not unpacked at all."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from memoryapp.domain.archive import members_of
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.tree.naming import is_markdown

_WHEN = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can tell, so that the time is no part of it
_READ = (".txt", ".json")


def zipped(files: Mapping[str, bytes]) -> bytes:
    """The files as an archive, in their order."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, _WHEN)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(info, data)
    return written.getvalue()


def unzipped(data: bytes) -> dict[str, bytes]:
    """Markdown, text and JSON by path. A file over the limit of one is cut right behind it, so that whoever reads it
    sees that it is too large. Raises BadInput where it is no zip archive or holds what could do harm, TooLarge."""
    members = members_of(data, called="This")
    if sum(one.size for one in members) > LIMITS.archive_bytes:
        raise _too_large()
    files: dict[str, bytes] = {}
    budget = LIMITS.archive_bytes
    for one in members:
        if not is_markdown(one.path) and not one.path.lower().endswith(_READ):
            continue
        if trouble := one.trouble or ("there twice" if one.path in files else ""):
            raise BadInput(f"“{one.path[:200]}” cannot be brought in: {trouble}.", field="/upload")
        try:
            files[one.path] = one.read(min(LIMITS.file_bytes, budget) + 1)
        except OSError as error:
            raise BadInput(f"“{one.path[:200]}” cannot be read: {error}.", field="/upload") from error
        budget -= len(files[one.path])
        if budget < 0:
            raise _too_large()
    return files


def _too_large() -> TooLarge:
    return TooLarge(f"The archive unpacks to more than {LIMITS.archive_bytes >> 20} MiB.", field="/upload")
