"""What the JSON door remembers of a request: the answer to a write that carried an Idempotency-Key."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class SealedAnswer(models.Model):
    """One answer, to be given again to whoever sends the same request again. `key_hash` and `fingerprint` are hashes;
    `sealed` can be opened only with the request itself (see idempotency.py). `status` None: still being worked on."""

    key_hash = models.CharField(max_length=64, unique=True)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    content_type = models.CharField(max_length=100, blank=True)
    headers = models.JSONField(default=dict)
    sealed = models.BinaryField(default=bytes)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)
