"""README.md of an export: what each file is, for whoever opens it without this program."""

from __future__ import annotations

from memoryapp.transfer.manifest import Manifest
from memoryapp.transfer.shapes import BY_FILE

_HEAD = """# A memory, exported

Everything that a space of Palimpsest holds, as plain text. `.jsonl` files have one JSON object a line,
UTF-8; times are ISO 8601 in UTC. `manifest.json` tells the version of this format, the space and its settings, and the
SHA-256 of every file. No keys, passwords or people are in here. Names of those who wrote something are.

To bring it into another Palimpsest: `palimpsest import FILE`, or Settings, “Import & export”.

## Files

| File | Records | What it holds |
|---|---:|---|
"""
_FIELDS = """
`manifest.json` says the same in a form that programs read. Fields that are not set are left out of a line.

## A line of memories.jsonl

| Field | What it is |
|---|---|
| `id` | 16 hex digits; every other file names a memory by it |
| `ref` | the id that its author gave it, unique in a space |
| `kind` | note, fact, atom, section of a document, episode, digest, summary, or node of the Context Tree |
| `state` | `held`; or `superseded`, `archived`, `deleted`, which are kept and not recalled |
| `title`, `text` | what it says; `source_text` is what its document said before a person edited it |
| `tags`, `category` | as they were given; categories are of facts |
| `confidence` | how sure its author was, 0 to 1 |
| `trust` | `when_confirmed`, as it was at `confirmed_at`; see below |
| `occurred_at` | the date that it speaks of; `created_at` is when it was written here |
| `valid_from`, `valid_to` | between which it is so |
| `expires_at`, `review_at` | until when it is recalled; when somebody wants to be asked about it |
| `source` | the document, its path and lines, or the session and turn that it comes from |
| `detail` | what only its kind has: the quoted sentence of a fact, the atom in PENMAN, the path of a node |

Trust is confidence × (1 + 0.1·log2(1 + reinforcements), at most 1.5) when it was last confirmed, and halves every 90
days from then on, unless the settings say otherwise. What was made from others (`derivations.jsonl`) is trusted at most
as much as they are.

In fields without a shape of their own (`detail`, `metadata`, `before`, `after`), `{"$at": …}` is an instant,
`{"$null": true}` an explicit null, and `{"$dict": …}` an object whose only key begins with `$`.
"""


def readme(manifest: Manifest) -> str:
    """Of a manifest that names all other files."""
    lines = []
    for name, told in manifest.files.items():
        if told.records is not None:
            lines.append(f"| `{name}` | {told.records:,} | {BY_FILE[name].what} |")
    if any(name.startswith("tree/") for name in manifest.files):
        lines.append("| `tree/` | | the Context Tree, as `tree-index.json` and markdown |")
    lines.append("| `graph.graphml` | | the entity graph, for yEd, Gephi, Cytoscape or networkx |")
    without = "" if manifest.vectors else "\nIt was made without vectors; an import embeds the memories anew.\n"
    return _HEAD + "\n".join(lines) + "\n" + without + _FIELDS
