"""People, keys and spaces, as Django knows them."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "memoryapp.accounts"
    label = "accounts"
