"""The wheel, built from the checkout as pip builds it, and installed as a person installs it: from no network."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str | Path) -> str:
    """What the program wrote to its standard output. It must end well."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env["MEMORY_SKIP_FRONTEND"] = "1"  # static/vendor as it stands, and no npm
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=300, check=False, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--no-build-isolation", "--no-deps", "--no-index", "-q", "-w", folder)
    run(sys.executable, "-m", "pip", "wheel", ROOT, *options)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a virtual environment that has the wheel. What it needs besides it finds in the
    environment of the tests; the checkout is not among that, since the .pth files of such a path are not read."""
    venv = tmp_path_factory.mktemp("installed") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv)
    run(sys.executable, "-m", "pip", "--python", venv, "install", "--no-deps", "--no-index", "-q", wheel)
    packages = next((venv / "lib").glob("python*/site-packages"))
    (packages / "needs.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return venv / "bin"
