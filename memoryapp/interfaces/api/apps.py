"""The JSON API, as Django knows it."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "memoryapp.interfaces.api"
    label = "api"
