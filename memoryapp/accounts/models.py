"""Spaces, who has which role in them, API keys, and what login needs. Rows only: the verbs are in the files beside."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone

from memoryapp.accounts.roles import CHOICES, Role

SPACE_NAME = r"^[a-z0-9-]{1,40}$"


class Space(models.Model):
    """One memory, with a database of its own in the store under the same name."""

    name = models.CharField(max_length=40, unique=True, validators=[RegexValidator(SPACE_NAME)])
    title = models.CharField(max_length=200, blank=True)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="children")
    settings = models.JSONField(default=dict, blank=True)  # overrides of domain.limits.Tuning
    encoder = models.CharField(max_length=300)
    created_at = models.DateTimeField(default=timezone.now)
    # Nothing was due when it was closed, and nothing will be before then: until somebody opens it, or then, whatever
    # looks for things to do need not open it. None: it may be that something waits.
    rests_until = models.DateTimeField(null=True, blank=True)
    # Whether Home shows the first steps: "shown", "hidden", or empty for as long as the space is new.
    first_steps = models.CharField(max_length=10, blank=True, default="")
    asked_at = models.DateTimeField(null=True, blank=True)  # when it was first asked a question

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.title or self.name


class Membership(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=CHOICES, default=Role.READER.value)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "space"], name="one_role_per_person_and_space")]


class ApiKey(models.Model):
    """A key is shown once, when it is made; here is only its hash. `space` None: every space."""

    name = models.CharField(max_length=100)
    agent = models.CharField(max_length=100, blank=True)  # what the pages show as the actor
    prefix = models.CharField(max_length=8, unique=True)
    secret_hash = models.CharField(max_length=64)
    space = models.ForeignKey(Space, null=True, blank=True, on_delete=models.CASCADE, related_name="keys")
    role = models.CharField(max_length=10, choices=CHOICES, default=Role.READER.value)
    local = models.BooleanField(default=False)  # made for the commands of this machine, gone when the app stops
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="keys"
    )
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} (pal_{self.prefix}…)"


class LoginLink(models.Model):
    """A link that logs its person in once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    token_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)


class LoginFailure(models.Model):
    """A wrong password, kept for as long as it counts against the next try."""

    name = models.CharField(max_length=150)
    address = models.CharField(max_length=45)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["name", "address", "at"])]
