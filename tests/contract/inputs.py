"""What a walk sends where a guess would never do: files that are what they should be, places that are there, and bodies
whose parts must fit one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memoryapp import tree
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember import remember
from memoryapp.store import backup
from memoryapp.transfer.export import export
from tests.samples import AGENT, a_space

BANK = {
    "tree-index.json": '{"nodes": {"values": {"title": "Values"}, "people": {"title": "People"}}}',
    "bank/values.md": "# Values\n\n- Honesty comes first.\n",
    "bank/people.md": "# People\n\n- Mara lives in Seoul.\n",
}
NOTE = "## Redis\n\nMina measured 12 ms with [[Redis]].\n\n## Harbour\n\nThe pilot [[Bo]] is asked before noon.\n"
Guess = dict[str, Any]  # the body that was drawn


@dataclass(frozen=True)
class Inputs:
    """`notes`: a folder that the server may read. `files`: by name, as they would be uploaded."""

    notes: Path
    files: dict[str, bytes] = field(default_factory=dict)

    def body(self, operation: str, guess: Any) -> Any:
        """In place of a guess, or that."""
        made = BODIES.get(operation)
        return made(self, guess if isinstance(guess, dict) else {}) if made else guess

    def upload(self, operation: str, number: int) -> dict[str, Any] | None:
        """What `requests` takes as a form with a file, for an operation that takes one. Every other time it is a dry
        run: that is all that a space which holds something answers to some."""
        if operation not in UPLOADS:
            return None
        name, more = UPLOADS[operation]
        plain = {"dry_run": "true" if number % 2 else "false", **more}
        return {"files": {"upload": (name, self.files[name])}, "data": plain}


BODIES: dict[str, Callable[[Inputs, Guess], Guess]] = {
    "add_source": lambda inputs, guess: {**guess, "path": str(inputs.notes)},
    "ingest_notes": lambda inputs, guess: {"path": str(inputs.notes), "dry_run": bool(guess.get("dry_run"))},
    "import_golden": lambda inputs, guess: {**guess, "lines": '{"query": "who likes tea", "relevant": ["tea"]}\n'},
    "import_tree": lambda inputs, guess: {"files": BANK, "prune": bool(guess.get("prune"))},
    "add_relation": lambda inputs, guess: {**guess, "type": "uses"},
    "explain_result": lambda inputs, guess: {
        "query": "who likes tea",
        "id": guess.get("id", ""),
        "strategies": ["keyword"],
    },
    "save_profile": lambda inputs, guess: {**guess, "plan": "hybrid;vector=1.4"},
    "preview_atoms": lambda inputs, guess: {**guess, "atoms": "(uses :subject Mara :object Neovim)"},
}
UPLOADS: dict[str, tuple[str, dict[str, str]]] = {
    "restore_backup": ("pond.gz", {}),
    "import_file": ("pond.zip", {"merge": "true"}),
}


def made_inputs(folder: Path, settings: Any) -> Inputs:
    """Writes what is sent, and lets the server read the folder."""
    notes = folder / "notes"
    notes.mkdir()
    (notes / "2026-02-13-standup.md").write_text(NOTE)
    settings.INGEST_ROOTS = (folder,)
    with a_space() as pond:
        remember(pond, [NewMemory("The pond is frozen."), NewMemory("The heron stands.")], actor=AGENT)
        tree.grow(pond, "values", text="- Honesty comes first.\n", actor=AGENT)
        backup.backup(pond.db, folder / "pond.gz")
        export(pond, folder / "pond.zip", settings={})
    return Inputs(notes, {name: (folder / name).read_bytes() for name in ("pond.gz", "pond.zip")})
