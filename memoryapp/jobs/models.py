"""A job, the lines of its report, and what a space's heartbeat keeps of each act. Rows only: the verbs are in
pipeline.py, tasks.py, progress.py and heartbeat.py."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.identity import new_id


class Status(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN = (Status.QUEUED, Status.RUNNING)


class Job(models.Model):
    """One piece of long work. `arguments` and `report` are small JSON; an upload is a file in the data folder, named
    in the arguments. Of the jobs of one kind, space and `subject` at most one runs at a time ("" is no subject)."""

    id = models.CharField(primary_key=True, max_length=16, default=new_id, editable=False)
    kind = models.CharField(max_length=40)
    space = models.CharField(max_length=40)  # by name: a job may outlive its space
    subject = models.CharField(max_length=100, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    arguments = models.JSONField(default=dict)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)
    message = models.CharField(max_length=300, blank=True)  # what it is doing now
    report = models.JSONField(default=dict)
    error = models.TextField(blank=True)  # one plain sentence; the traceback goes to the log
    run = models.CharField(max_length=16, blank=True)  # the run in the store, once there is one
    attempt = models.PositiveIntegerField(default=0)
    deaths = models.PositiveSmallIntegerField(default=0)  # of its process while it ran, one after the other
    cancel_requested = models.BooleanField(default=False)
    created_by = models.CharField(max_length=200, blank=True)
    created_by_kind = models.CharField(max_length=10, default="machine")  # domain.change.ActorKind
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)  # while it waits: when its id was last queued
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["status", "created_at"]),
            models.Index(fields=["space", "-created_at", "-id"]),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "space", "subject"],
                condition=models.Q(status="running") & ~models.Q(subject=""),
                name="one_running_job_per_subject",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    @property
    def open(self) -> bool:
        """Still to be done, or being done."""
        return self.status in OPEN

    @property
    def actor(self) -> Actor:
        return Actor(ActorKind(self.created_by_kind), self.created_by)


class JobLine(models.Model):
    """One line of a job's report: for an ingest, one file."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="lines")
    n = models.PositiveIntegerField()  # counts from 1, in the order things were met
    path = models.CharField(max_length=1000)
    outcome = models.CharField(max_length=20)
    sections = models.PositiveIntegerField(default=0)
    note = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["n"]
        constraints = [models.UniqueConstraint(fields=["job", "n"], name="one_line_per_number")]
        indexes = [models.Index(fields=["job", "outcome", "n"])]


class Beat(models.Model):
    """One act of the heartbeat of a space. When it is done is as acts.py has it until somebody sets it (`set_at`);
    schedule.py says how `every_minutes`, `at`, `zone` and `keep` are read. `state`: what stood when it was last
    begun; while that is so there is nothing to do again. `skipped` and `error`: how the last look ended, where no job
    came of it."""

    space = models.ForeignKey("accounts.Space", on_delete=models.CASCADE, related_name="beats")
    act = models.CharField(max_length=40)
    on = models.BooleanField(default=False)
    every_minutes = models.PositiveIntegerField(default=0)
    at = models.CharField(max_length=5, blank=True)
    zone = models.CharField(max_length=64, blank=True)
    split = models.BooleanField(default=False)
    keep = models.PositiveIntegerField(default=0)
    set_at = models.DateTimeField(null=True, blank=True)
    looked_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=200, blank=True)
    skipped = models.CharField(max_length=300, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["space", "act"], name="one_beat_per_act_of_a_space")]

    def __str__(self) -> str:
        return f"{self.act} of {self.space.name}"
