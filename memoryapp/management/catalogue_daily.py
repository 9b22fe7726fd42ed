"""The commands of every day: starting, writing, asking, deciding, arranging."""

from __future__ import annotations

from typing import Any

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
