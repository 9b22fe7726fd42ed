"""Background work, as Django knows it."""

from __future__ import annotations

from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "memoryapp.jobs"
    label = "jobs"
