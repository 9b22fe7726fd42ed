"""Whether a known weakness is in what is installed: `./test audit`. It takes a network, and so is no part of the tests;
where the register of weaknesses cannot be reached it says that nothing was looked up, and fails nothing.

pip-audit is installed beside, for as long as it is needed: what is checked is the environment as it is."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path
from typing import Any

PATIENCE = 600.0  # seconds


def told_of(report: dict[str, Any]) -> tuple[list[str], int, int]:
    """Of pip-audit's report: a line for each weakness; how many packages were looked up, and how many could not be."""
    packages = report["dependencies"]
    missed = [one for one in packages if "skip_reason" in one]
    lines = [
        f"{one['name']} {one['version']}: {found['id']}, mended in {', '.join(found['fix_versions']) or 'none yet'}"
        for one in packages
        for found in one.get("vulns", ())
    ]
    return lines, len(packages) - len(missed), len(missed)


def verdict(report: dict[str, Any] | None) -> tuple[str, int]:
    """What to say, and the exit code. None: pip-audit could not be had, or gave no report."""
    if report is None:
        return "audit: pip-audit cannot be had or does not answer here. Nothing was looked up.", 0
    lines, looked_up, missed = told_of(report)
    if not looked_up:
        return f"audit: of {missed} packages none could be looked up (is pypi.org reached?). Nothing is known.", 0
    left = f"; {missed} could not be looked up" if missed else ""
    said = f"audit: {looked_up} packages looked up{left}, {len(lines)} weaknesses known."
    return "\n".join([*lines, said]), 1 if lines else 0


def asked() -> dict[str, Any] | None:
    """pip-audit's report of this environment."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        try:
            _run(python, "-m", "pip", "install", "--quiet", "pip-audit")
            where = ["--path", sysconfig.get_path("purelib")]
            found = _run(python, "-m", "pip_audit", *where, "--format", "json", "--progress-spinner", "off")
            report: dict[str, Any] = json.loads(found)
        except (OSError, subprocess.SubprocessError, ValueError):
            return None
    return report


def _run(*words: str | Path) -> str:
    """What it prints. Exit code 1 of pip-audit is that it found something."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode not in (0, 1):
        raise subprocess.CalledProcessError(done.returncode, str(words[2]))
    return done.stdout


if __name__ == "__main__":
    said, code = verdict(asked())
    print(said)
    sys.exit(code)
