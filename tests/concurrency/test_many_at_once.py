"""Eight who write and eight who read the same memories at once: what came of it is judged as one history.

`MEMORY_TEST_CONCURRENCY=minutes:5` goes on for so long; `MEMORY_TEST_SEED` draws other requests. Both print what was
done, how long it took and what was refused (`pytest -s`)."""

from __future__ import annotations

import os
import re
import time

import httpx

from tests.acceptance.place import Place, got
from tests.concurrency.callers import signed_in
from tests.concurrency.judged import judge
from tests.concurrency.work import work
from tests.concurrency.world import furnish

LONG = os.environ.get("MEMORY_TEST_CONCURRENCY", "")
SEED = os.environ.get("MEMORY_TEST_SEED", "1")
REQUESTS = 30  # of each caller, where nobody asks for minutes


def met_at(place: Place) -> str:
    """What the health page says of writes that met."""
    with httpx.Client(base_url=place.live.url, cookies=signed_in(place), timeout=60, trust_env=False) as browser:
        page = browser.get("/settings/health/", headers={"X-Space": place.name}).text
    found = re.search(r"<span>Write conflicts</span><span>(.*?)</span>", page)
    assert found, page[:1000]
    return f"writes at once: {found[1]}"


def test_what_eight_writers_and_eight_readers_do_at_once_could_have_been_done_in_turn(place: Place) -> None:
    minutes = float(LONG.removeprefix("minutes:")) if LONG else 0.0
    until = time.monotonic() + 60 * minutes

    def enough(requests: int) -> bool:
        return time.monotonic() > until if minutes else requests >= REQUESTS

    done = work(furnish(place), seed=SEED, enough=enough, patience=60 * minutes + 240)
    if LONG:
        print(f"\nseed {SEED}\n{done.told()}\n{met_at(place)}", flush=True)
    assert done.stuck == []
    breaches = judge(done.ops, done.end)
    assert not breaches, "\n".join([f"{len(breaches)} breaches, seed {SEED}", *breaches[:40]])
    whole = got(place.api, "/integrity")
    assert whole["sound"], whole["broken"]
    if LONG:
        print(done.in_short("Many at once", SEED))
