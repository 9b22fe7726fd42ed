"""The commands that keep an installation going: who may come in, what is read, what runs, moving, looking after it."""

from __future__ import annotations

from typing import Any

# As in `catalogue_daily`.
UPKEEP: dict[str, dict[str, tuple[Any, ...]]] = {
    "Keep": {
        "sources": (
            "folders that are kept in step: list, add, read, forget",
            ("sources add ~/notes --every 60", "Read it every hour."),
            ("sources forget 7b36c2d40f845788 --archive", "Read it no more, and put its memories aside."),
        ),
        "consolidate": (
            "fold old daily logs into digests",
            ("consolidate", "What would be folded; changes nothing."),
            ("consolidate --apply", "Do it; `undo` takes it back."),
        ),
        "heartbeat": (
            "what a space does by itself, and when",
            ("heartbeat --set consolidate --on --at 03:00 --zone Asia/Seoul", "Every night at three."),
            ("heartbeat --run expire", "One act at once."),
        ),
        "jobs": (
            "list jobs, follow, cancel, retry",
            ("jobs list --status failed", "What went wrong."),
            ("jobs follow 8c7b6a5948372615", "Wait for its end, with a bar."),
        ),
        "prepare": (
            "make a server's database ready",
            ("prepare", "Once, and after each upgrade, before the server's processes start."),
        ),
        "embed": (
            "make the embeddings that are missing",
            ("embed --space research", "After the model was away."),
            ("embed --model universal-sentence-encoder-multilingual", "For a space that is not in English."),
        ),
        "compact": (
            "rewrite a space's folder without what is gone",
            ("compact", "With the app stopped."),
        ),
    },
    "Move": {
        "backup": (
            "write a whole space into one file",
            ("backup notes.gz --space default", "The app may go on."),
        ),
        "backups": (
            "the backups that a space's heartbeat keeps",
            ("backups", "Which there are, and where."),
            ("backups restore default-20261121-040000.palimpsest.gz --into again", "One into a new space."),
        ),
        "restore": (
            "fill a new space from a backup",
            ("restore notes.gz --space copy --dry-run", "What the file holds."),
        ),
        "export": (
            "write a space as files that others read",
            ("export notes.zip", "Memories as JSON lines, the tree, the graph."),
            ("export small.zip --no-vectors", "Without embeddings, which an import makes anew."),
        ),
        "import": (
            "bring in an export, or another program's memories",
            ("import notes.zip --dry-run", "What it holds and what would become of it."),
            ("import ~/mem0.json --as mem0", "What another program kept."),
        ),
    },
    "Admit": {
        "spaces": (
            "list spaces, make one, set its numbers",
            ("spaces create research --parent default", "A space that reads another."),
            ("spaces set research conflict_policy=review", "Every conflict waits for a person."),
        ),
        "people": (
            "who may enter, with which role",
            ("people add ada --role curator", "Then `login ada` prints her link."),
            ("people shut-out ada", "She and her keys come in no more."),
        ),
        "keys": (
            "list API keys with their last use, rotate or revoke one",
            ("keys", "Which there are, and when each was used last."),
            ("keys rotate 3", "Another one with the same rights in its place."),
            ("keys revoke 3", "It opens nothing from now on."),
        ),
    },
    "Look after": {
        "doctor": (
            "find the usual troubles, with the fix beside each",
            ("doctor", "Exit code 1 if something does not work."),
            ("doctor --port 8100 --json", "For a program; and whether that port is free."),
            ("doctor --deep", "Also every invariant, against all that is held."),
        ),
        "bench": (
            "measure how well and how fast the memory finds",
            ("bench --sets locomo --limit 50", "Needs MEMORY_BENCH_DIR."),
            ("bench --sets talks", "Talks of our own; needs no folder."),
            ("bench --sets facts --llm http://127.0.0.1:8080/v1", "Facts with a chat model and without."),
        ),
        "calibrate": (
            "measure at which cosines a model means the same",
            ("calibrate --model all-MiniLM-L6-v2", "On the project's own pairs."),
        ),
        "completion": (
            "print a script that completes commands in your shell",
            ("completion bash > ~/.palimpsest.bash", "Then `source ~/.palimpsest.bash` in ~/.bashrc."),
            ("completion zsh > ~/.palimpsest.zsh", "Then `source ~/.palimpsest.zsh` in ~/.zshrc, after compinit."),
        ),
    },
}
