"""Every command in a line, with examples, in the groups by which `manage.py help` shows them. Words only: to list the
commands nothing of them is loaded.

The commands of every day: starting, writing, asking, deciding, arranging.

The commands that keep an installation going: who may come in, what is read, what runs, moving, looking after it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from memoryapp.program import data_folder, program_name

# By group and command: what it does in a line, then examples as (what is typed, what that does).
DAILY: dict[str, dict[str, tuple[Any, ...]]] = {
    "Start": {
        "up": (
            "start pages, API and jobs in one process",
            ("up", "Start, print a login link, open the browser."),
            ("up --demo --port 8100 --no-browser", "Start with example memories on another port."),
        ),
        "login": (
            "print a link that logs a person in once",
            ("login", "A link for the first administrator."),
            ("login ada", "A link for Ada."),
        ),
        "key": (
            "print a fresh API key",
            ("key --role curator --space default", "A key that may decide, shown this once."),
            ("key --role writer --agent planner", "A key for an agent, whose name the pages show."),
        ),
        "demo": (
            "fill a space with the example",
            ("demo --space example", "Notes and talks of a small team."),
            ("demo --new sample", "The same in a new space."),
        ),
        "mcp": (
            "serve an agent by the Model Context Protocol over stdio",
            ("mcp", "What a desktop agent is told to start."),
            ("mcp --space research --role writer", "Into another space; what it decides is a proposal."),
        ),
        "connect": (
            "wire an agent to this memory, or list which can be",
            ("connect", "The agents that can be connected, and where each is."),
            ("connect claude-code", "Its settings get the tools and the hooks."),
            ("connect --all --dry-run", "What would change for every agent here, as a diff."),
            ("connect codex --space work", "Talks of this folder belong to a space of their own."),
            ("connect --off", "In this folder hooks neither ask nor keep anything."),
        ),
        "disconnect": (
            "take back what connect changed",
            ("disconnect claude-code", "Its settings are as they were before."),
            ("disconnect --all --dry-run", "What would change, as a diff."),
        ),
        "help": (
            "show this, or one command with its examples",
            ("help", "All commands, a line each."),
            ("help conflicts resolve", "What one verb takes."),
        ),
    },
    "Write": {
        "remember": (
            "write one memory",
            ('remember "The office key hangs behind the clock." --tag home', "A note."),
            ('remember --atoms "(prefers :subject Alice :object Python)"', "A fact in parts."),
            ("remember - < note.txt", "From standard input."),
        ),
        "ingest": (
            "read a folder or file of Markdown",
            ("ingest ~/notes --dry-run", "What would be read, changing nothing."),
            ("ingest ~/notes", "Read it; what has not changed costs next to nothing."),
        ),
        "session": (
            "hold a talk: open, say, end, show",
            ('session say standup "I moved to Busan." --speaker Minsu', "Say something, and see what was learned."),
            ("session end standup", "End it; what happened is told as an episode."),
        ),
        "memory": (
            "look at one memory, correct it, put it aside, erase it",
            ("memory show 9f2c1b7a40d3e685", "Its words, source and trust."),
            ('memory edit 9f2c1b7a40d3e685 --text "Moved in March." --reason typo', "Correct it."),
            ("memory purge 9f2c1b7a40d3e685 --dry-run", "What erasing it for good would take along."),
        ),
        "feedback": (
            "say what was of use, or take it back",
            ('feedback --used 9f2c1b7a40d3e685 --query "which port?"', "It rises a little."),
            ("feedback --side fell", "What agents found useless."),
        ),
    },
    "Ask": {
        "recall": (
            "search",
            ('recall "why did we leave RabbitMQ?"', "The ten best, by the default strategy."),
            ('recall "가치관이 뭐야?" --strategy keyword --explain', "By words alone, with every score's parts."),
        ),
        "traces": (
            "show what agents asked, what they were given, and how it ended",
            ("traces --agent atlas --result nothing", "What one agent asked in vain."),
            ("traces 9f2c1b7a40d3e685", "One call with the memories that were given."),
        ),
        "context": (
            "print what an agent would be given for a message",
            ('context "Shall I deploy now?" --budget 1000', "Within a thousand tokens."),
        ),
        "facts": (
            "list facts, or try out what would be learned",
            ("facts list --category work --sort trust", "Facts of work, most trusted first."),
            ('facts preview "Minsu moved to Busan."', "What would be learned; stores nothing."),
        ),
        "episodes": (
            "list what happened in past sessions",
            ('episodes "the outage"', "Episodes like this, and recent."),
        ),
        "summaries": (
            "show what is known in each category",
            ("summaries", "A text for each category."),
            ("summaries refresh work --force", "Write one anew."),
        ),
        "compare": (
            "ask by several strategies side by side",
            ('compare "who runs billing?" --strategy hybrid --strategy rrf', "Two columns."),
        ),
        "explain": (
            "say where a memory stands for a question, found or not",
            ('explain "who runs billing?" D1:3 --strategy hybrid', "Stage by stage, by its ref."),
        ),
        "stats": (
            "count what a space holds",
            ("stats --json", "States, kinds, trust, growth, languages."),
        ),
    },
    "Decide": {
        "inbox": (
            "look at what was learned: accept, drop, never again",
            ("inbox", "What nobody has looked at yet, by session."),
            ("inbox accept --all --session monday", "All that was learned in one session."),
            ("inbox drop 9f2c1b7a40d3e685", "Delete one."),
            ("inbox never 9f2c1b7a40d3e685", "Delete it, and learn nothing like it again."),
            ("inbox exclusions", "What is not learned, and how much each kept out."),
        ),
        "conflicts": (
            "list conflicts, propose, decide, undo",
            ("conflicts", "What waits."),
            ("conflicts propose 9f2c1b7a40d3e685 keep --reason trip", "For somebody who may decide."),
            ("conflicts resolve 9f2c1b7a40d3e685 replace", "Decide."),
            ("conflicts accept --certain --dry-run", "What a sure rule would settle."),
        ),
        "audit": (
            "show who changed what, when and why",
            ("audit --agent scout --since 2026-11-20", "What one agent did, whatever its key."),
            ("audit --key pal_1a2b3c4d --act edit", "Edits made with one key."),
        ),
        "undo": (
            "take back a run, or one change",
            ("undo 5a5a0f0f12345678 --dry-run", "How many changes it has."),
            ("undo 9f2c1b7a40d3e685 --change", "One change of the audit alone."),
        ),
    },
    "Arrange": {
        "entities": (
            "list people, tools and places; merge, part, rename",
            ("entities merge Neovim nvim --dry-run", "What the two would be together."),
            ("entities show Redis", "Its memories, relations and place."),
        ),
        "relations": (
            "list what joins entities, state or refuse it",
            ("relations list Redis", "What joins Redis to others."),
            ("relations add Alice uses Python", "State one."),
        ),
        "graph": (
            "what is around an entity, how two hang together, GraphML",
            ("graph path Alice Redis", "How the two hang together."),
            ("graph export graph.graphml", "The whole, for another program."),
        ),
        "tree": (
            "the Context Tree: show, import, export, reach, split, retain",
            ('tree reach "what do we value?"', "Which nodes a question reaches, by which words."),
            ("tree export ~/bank", "Write it as files."),
        ),
        "profiles": (
            "give plans of search a name",
            ('profiles save careful "hybrid;factors=trust+feedback"', "A strategy of the space from now on."),
        ),
        "golden": (
            "questions whose answers are known, and how strategies do on them",
            ('golden add "who runs billing?" D1:3', "What a question should find."),
            ("golden run --strategy hybrid --strategy rrf", "Ask all of them and measure."),
        ),
    },
}


# As in `catalogue_daily`.
UPKEEP: dict[str, dict[str, tuple[Any, ...]]] = {
    "Keep": {
        "sources": (
            "folders that are kept in step: list, add, read, forget",
            ("sources folders ~/notes", "What is in it, and how many files an ingest would read."),
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
            "list spaces, make one, show and change its settings",
            ("spaces create research --parent default", "A space that reads another."),
            ("spaces show research --changed", "Which settings differ from their defaults."),
            ("spaces set research conflict_policy=review", "Every conflict waits for a person."),
            ("spaces first-steps research", "What is done of its first steps; --show puts them on Home."),
            ("spaces reset research", "All settings at their defaults; prints what sets them again."),
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


EXIT_CODES = {
    0: "done",
    1: "refused or failed; stderr says why, in a line",
    2: "not understood: no such command, verb or option",
    130: "stopped by Ctrl-C",
}
# What may find no memory in its data folder: it begins one, or needs none. Every other command wants one to be there.
FIRST_COMMANDS = frozenset(
    (
        "bench",
        "completion",
        "connect",
        "demo",
        "disconnect",
        "doctor",
        "help",
        "import",
        "ingest",
        "key",
        "keys",
        "mcp",
        "people",
        "prepare",
        "remember",
        "restore",
        "session",
        "spaces",
        "up",
    )
)
# What people use: shown where the program is called without a command.
MOST_USED = ("up", "login", "key", "mcp", "ingest", "remember", "recall", "conflicts", "backup", "doctor")
Example = tuple[str, str]  # (what is typed after the program's name, what it does)


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    group: str
    line: str
    examples: tuple[Example, ...]


def _entries() -> dict[str, Entry]:
    found = {}
    for group, commands in (*DAILY.items(), *UPKEEP.items()):
        for name, (line, *examples) in commands.items():
            found[name] = Entry(name, group, line, tuple(examples))
    return found


CATALOGUE = _entries()


def overview() -> str:
    """What `help` prints: every command in a line."""
    lines = ["Palimpsest: a memory for AI agents that a person can see into and correct.", ""]
    lines += [f"{program_name()} COMMAND [--data DIR] [--json] …", ""]
    group = ""
    for entry in CATALOGUE.values():
        if entry.group != group:
            group = entry.group
            lines += [group]
        lines.append(f"  {entry.name:<13} {entry.line}")
    lines += ["", f"{program_name()} help COMMAND shows its options and examples; docs/COMMANDS.md has all of them."]
    codes = (f"{code} {re.split('[;:]', said)[0]}" for code, said in EXIT_CODES.items())
    lines.append(f"Exit codes: {', '.join(codes)}.")
    return "\n".join(lines)


def first_words() -> str:
    """What the program prints without a command: what it is, the commands that people use, and where the rest is."""
    name = program_name()
    lines = ["Palimpsest: a memory for AI agents that a person can see into and correct.", ""]
    lines += [f"  {name} {one:<10} {CATALOGUE[one].line}" for one in MOST_USED]
    lines += [
        "",
        f"`{name} help` lists all {len(CATALOGUE) - 1} commands, `{name} help COMMAND` shows one with examples.",
    ]
    lines.append(f"The data is in {data_folder()}; --data DIR or MEMORY_DATA_DIR names another folder.")
    return "\n".join(lines)


def as_json() -> list[dict[str, object]]:
    return [
        {
            "command": one.name,
            "group": one.group,
            "does": one.line,
            "examples": [{"type": f"{program_name()} {words}", "does": does} for words, does in one.examples],
        }
        for one in CATALOGUE.values()
    ]


def examples_told(name: str) -> str:
    """The end of a command's own help; empty for one that is not ours."""
    entry = CATALOGUE.get(name)
    if entry is None:
        return ""
    lines = ["examples:"]
    for words, does in entry.examples:
        lines += [f"  {program_name()} {words}", f"      {does}"]
    return "\n".join(lines)
