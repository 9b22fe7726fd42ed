"""The Celery application: where job ids wait for a worker. In memory by default, Redis in server mode.

There are two queues. Turns wait in one of their own, so that what somebody just said need not wait until an ingest of
an hour is done: a worker that is told nothing takes from both, and one that takes from the queue of turns alone is
always free for them."""

from __future__ import annotations

from celery import Celery
from kombu import Queue

WORK, TURNS = "celery", "turns"  # the first is Celery's own name for where everything goes
OF_TURNS = frozenset({"read"})  # kinds of jobs that wait in the second

# Without Celery's own Django fixup: it runs every system check at each start of a worker, and what else it does
# (closing old connections around a task) tasks.py does by itself.
app = Celery("palimpsest", fixups=[])
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.imports = ("memoryapp.jobs.tasks",)
app.conf.task_queues = (Queue(WORK, routing_key=WORK), Queue(TURNS, routing_key=TURNS))

# A worker learns from its application what it takes, and two run in one process where everything does: see worker.py.
turns_app = Celery("palimpsest turns", fixups=[], set_as_current=False)
turns_app.config_from_object("django.conf:settings", namespace="CELERY")
turns_app.conf.imports = ("memoryapp.jobs.tasks",)
turns_app.conf.task_queues = (Queue(TURNS, routing_key=TURNS),)
turns_app.conf.task_default_queue = TURNS
