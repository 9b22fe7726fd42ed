"""Whether this container does its work: exit code 0 or 1.   python docker/healthy.py web|worker"""

from __future__ import annotations

import os
import sys
import urllib.request
from pathlib import Path

READY = "http://127.0.0.1:8000/api/v1/health/ready"


def web() -> bool:
    """Answers requests, and its store answers it."""
    with urllib.request.urlopen(READY, timeout=4) as answer:
        return bool(answer.status == 200)


def worker() -> bool:
    """Its process runs, and the broker takes connections."""
    from kombu import Connection

    with Connection(os.environ["CELERY_BROKER_URL"], connect_timeout=3) as broker:
        broker.ensure_connection(max_retries=1)
    return "celery" in Path("/proc/1/cmdline").read_text(encoding="utf-8") or _among_children()


def _among_children() -> bool:
    """With an init process in front, Celery is its child."""
    lines = (path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline"))
    return any(b"celery" in line for line in lines)


if __name__ == "__main__":
    try:
        good = {"web": web, "worker": worker}[sys.argv[1]]()
    except Exception as error:  # noqa: BLE001 - whatever fails is an answer: not healthy
        print(f"not healthy: {error}", file=sys.stderr)
        good = False
    sys.exit(not good)
