"""The pages, as Django knows them."""

from __future__ import annotations

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "memoryapp.interfaces.pages"
    label = "web"
