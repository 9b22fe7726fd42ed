"""Makes the pictures of the README from the demo:   .venv/bin/python -m docs.screenshots [FOLDER] [--all]

Starts the app on a throw-away data folder, waits for the example's notes and talks to be read and told, and takes each
page. `--all` takes every page at both widths, light and dark: what to look at after a change of the pages.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.live import Live, live_app

IMAGES = Path(__file__).parent / "images"
QUESTION = "what happened with the RTX 5070 Ti VRAM issue"
SHOWN = ("home", "conflicts", "facts", "memory", "search")  # in the README
DISPUTED = "nightly backup"  # what the conflict of the picture is about
PATIENCE = 480  # half seconds
ARGUMENTS = ["--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-background-networking"]


@dataclass(frozen=True, slots=True)
class Shown:
    """Ids of what the pages show: the memory that answers QUESTION, a conflict in English, the last session."""

    memory: str
    conflict: str
    session: str


def main() -> None:
    wishes = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wishes.add_argument("folder", nargs="?", type=Path, default=IMAGES)
    wishes.add_argument("--all", action="store_true")
    chosen = wishes.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        live_app(Path(data), "--demo", MEMORY_ENCODER="all-MiniLM-L6-v2") as live,
        sync_playwright() as playwright,
    ):
        every = _pages(_when_read(live))
        pages = every if chosen.all else {name: every[name] for name in SHOWN}
        browser = playwright.chromium.launch(executable_path=_chromium(), args=ARGUMENTS)
        looks = [(w, s) for w in (1440, 390) for s in ("light", "dark")] if chosen.all else [(1440, "light")]
        for width, scheme in looks:
            _take(browser, live, pages, width=width, scheme=scheme, folder=chosen.folder, every=chosen.all)


def _pages(shown: Shown) -> dict[str, str]:
    return {
        "home": "/",
        "facts": "/facts/",
        "conflicts": f"/conflicts/{shown.conflict}/",
        "audit": "/audit/",
        "sessions": "/sessions/",
        "session": f"/sessions/{shown.session}/",
        "episodes": "/episodes/",
        "summaries": "/summaries/",
        "context": f"/context/?m={QUESTION.replace(' ', '+')}",
        "memories": "/memories/",
        "memory": f"/memories/{shown.memory}/",
        "search": f"/search/?q={QUESTION.replace(' ', '+')}",
        "korean": "/search/?q=가치관이 뭐야?",
        "nothing": "/search/?q=zxqv",
        "ingest": "/ingest/",
        "jobs": "/jobs/",
        "settings": "/settings/",
        "spaces": "/settings/spaces/",
        "people": "/settings/people/",
        "keys": "/settings/keys/",
        "health": "/settings/health/",
        "missing": "/memories/0000000000000000/",
    }


def _when_read(live: Live) -> Shown:
    """Waits for the demo's jobs and the model; what its pages show."""
    with live.client() as api:
        for _ in range(PATIENCE):
            jobs = api.get("/jobs", params={"limit": 200}).json()["items"]
            ready = api.get("/health/ready").json().get("encoder") == "ready"
            waiting = api.get("/conflicts", params={"limit": 100}).json()["items"]
            if ready and waiting and all(job["status"] == "done" for job in jobs):
                break
            time.sleep(0.5)
        else:
            raise SystemExit(f"The example was not read in time: {jobs}")
        found: str = api.post("/search", json={"query": QUESTION, "top_k": 1}).json()["items"][0]["id"]
        api.patch(f"/memories/{found}", json={"tags": ["gpu", "incident"]})
        told = next(one["id"] for one in waiting if DISPUTED in one["existing"]["text"])
        session = api.get("/sessions", params={"limit": 1}).json()["items"][0]["id"]
        return Shown(memory=found, conflict=told, session=session)


def _take(
    browser: Browser, live: Live, pages: dict[str, str], *, width: int, scheme: str, folder: Path, every: bool
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    live.sign_in_page(page)
    for name, path in pages.items():
        page.goto(live.url + path, wait_until="networkidle")
        file = folder / (f"{name}-{width}-{scheme}.png" if every else f"{name}.png")
        page.screenshot(path=file, full_page=every)
        print(file)
    context.close()


def _chromium() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


if __name__ == "__main__":
    main()
