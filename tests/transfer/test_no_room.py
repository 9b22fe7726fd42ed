"""An export that the disk cannot take is told in words, and leaves nothing half written."""

from __future__ import annotations

import errno
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from memoryapp.domain.errors import StoreError, StoreFull
from memoryapp.spaces import Space
from memoryapp.transfer.export import export


def test_a_full_disk_is_told_in_words(other: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(zipfile._ZipWriteFile, "write", no_room)  # type: ignore[attr-defined]
    with pytest.raises(StoreFull, match="no room left on the disk for an export"):
        export(other, tmp_path / "pond.zip", settings={})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_told_in_words(other: Space, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"An export cannot be written to .*nowhere"):
        export(other, tmp_path / "nowhere" / "pond.zip", settings={})
