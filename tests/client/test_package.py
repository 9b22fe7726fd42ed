"""The distribution: built and installed without a network, and of use where neither torch nor Django is."""

from __future__ import annotations

import ast
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.client.conftest import FOLDER

NEEDED = ("httpx", "httpcore", "h11", "anyio", "certifi", "idna", "sniffio", "typing_extensions", "exceptiongroup")
SINCE_311 = {("datetime", "UTC"), ("enum", "StrEnum"), *(("typing", name) for name in ("Self", "Unpack", "Never"))}
# Whatever else is imported stops the program, as it would where only the client is installed.
ALONE = f"""
import sys
sys.path.insert(0, sys.argv[1])
class OnlyWhatIsDeclared:
    def find_spec(self, name, path=None, target=None):
        first = name.partition(".")[0]
        if first not in sys.stdlib_module_names and first not in {("palimpsest_client", *NEEDED)!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, OnlyWhatIsDeclared())
import palimpsest_client
print(palimpsest_client.__file__)
try:
    import django
except ModuleNotFoundError:
    print("alone")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client's wheel, built from a copy of its folder as pip builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    run("-m", "pip", "wheel", str(FOLDER), "--no-build-isolation", "--no-deps", "--no-index", "-q", "-w", str(folder))
    return next(folder.glob("*.whl"))


def run(*words: str) -> str:
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_the_client_its_types_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "palimpsest_client/py.typed" in names and "palimpsest_client/calls/searching.py" in names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {
        "palimpsest_client",
        "palimpsest_memory_client",
    }
    metadata = zipfile.ZipFile(wheel).read(next(name for name in names if name.endswith("METADATA"))).decode()
    needs = [line.removeprefix("Requires-Dist: ") for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert [one.partition("<")[0].partition(">")[0] for one in needs] == ["httpx"]


def test_installed_it_imports_with_httpx_alone(wheel: Path, tmp_path: Path) -> None:
    run("-m", "pip", "install", str(wheel), "--no-deps", "--no-index", "-q", "--target", str(tmp_path))
    place, alone = run("-I", "-c", ALONE, str(tmp_path)).split()
    assert place.startswith(str(tmp_path)) and alone == "alone"


def test_it_uses_nothing_that_python_3_10_has_not() -> None:
    """The app runs on 3.11; the client runs where agents do."""
    for file in (FOLDER / "palimpsest_client").rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"), str(file), feature_version=(3, 10))
        imports = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)]
        assert not SINCE_311 & {(one.module, name.name) for one in imports for name in one.names}, file
