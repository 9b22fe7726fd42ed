"""The four roles, each with all the rights of the ones before it."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    READER = "reader"  # searches and reads
    WRITER = "writer"  # adds memories; its corrections are proposals
    CURATOR = "curator"  # changes, archives, decides, purges
    ADMIN = "admin"  # people, keys, settings

    @property
    def level(self) -> int:
        return list(Role).index(self)

    @property
    def named(self) -> str:
        """As a sentence has it: “a curator”, “an administrator”."""
        return "an administrator" if self is Role.ADMIN else f"a {self.value}"

    def allows(self, needed: Role) -> bool:
        """True if somebody of this role may do what takes `needed`."""
        return self.level >= needed.level


CHOICES = [(role.value, role.value.capitalize()) for role in Role]
