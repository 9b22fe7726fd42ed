"""The pages, once: what the side bar lists, which are tabs beside one another, and by which words each is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoryapp.accounts.roles import Role


@dataclass(frozen=True, slots=True)
class Place:
    """A page one may go to. `key`: what a view calls itself by; `url`: the name of its address; `words`: what else it
    is looked for by; `needs`: the role that sees it."""

    key: str
    name: str
    url: str
    icon: str
    words: str = ""
    needs: Role = Role.READER


@dataclass(frozen=True, slots=True)
class Section:
    """An entry of the side bar: the page it opens comes first, the others stand as tabs beside it."""

    key: str
    name: str
    icon: str
    places: tuple[Place, ...]

    @property
    def url(self) -> str:
        return self.places[0].url


@dataclass(frozen=True, slots=True)
class Group:
    """Entries under one heading; without a name they stand on their own."""

    name: str
    sections: tuple[Section, ...]


def _single_place_section(place: Place) -> Section:
    return Section(place.key, place.name, place.icon, (place,))


GROUPS: tuple[Group, ...] = (
    Group(
        "",
        (
            _single_place_section(Place("search", "Search", "search", "search", "find ask recall question query")),
            _single_place_section(Place("home", "Home", "home", "home", "today start overview changes")),
        ),
    ),
    Group(
        "Read",
        (
            _single_place_section(Place("facts", "Facts", "facts", "facts", "beliefs")),
            _single_place_section(Place("memories", "Memories", "memories", "memories", "notes sections documents")),
            Section(
                "graph",
                "Graph",
                "graph",
                (
                    Place("graph", "Graph", "graph", "graph", "relations map path network"),
                    Place("entities", "Entities", "entities", "graph", "people tools places projects names duplicates"),
                ),
            ),
            _single_place_section(Place("tree", "Context Tree", "tree", "tree", "pages nodes outline")),
            Section(
                "history",
                "History",
                "episodes",
                (
                    Place("episodes", "Episodes", "episodes", "episodes", "timeline what happened"),
                    Place("sessions", "Sessions", "sessions", "sessions", "talks conversations turns chat"),
                    Place("summaries", "Summaries", "summaries", "summaries", "categories"),
                    Place("audit", "Audit", "audit", "audit", "runs revisions undo log who changed"),
                ),
            ),
        ),
    ),
    Group(
        "Review",
        (
            _single_place_section(Place("inbox", "Inbox", "inbox", "inbox", "new facts accept never")),
            _single_place_section(
                Place("conflicts", "Conflicts", "conflicts", "conflicts", "decide contradictions disagree")
            ),
        ),
    ),
    Group(
        "Manage",
        (
            Section(
                "ingest",
                "Ingest",
                "ingest",
                (
                    Place("ingest", "Ingest", "ingest", "ingest", "import folder markdown upload sources notes"),
                    Place("consolidate", "Consolidate", "consolidate", "consolidate", "digests daily logs condense"),
                    Place("jobs", "Jobs", "jobs", "clock", "queue progress running background"),
                ),
            ),
            Section(
                "lab",
                "Search lab",
                "lab",
                (
                    Place("lab", "Compare", "lab", "lab", "search lab strategies weights why not ranking"),
                    Place("context", "Context preview", "context", "preview", "prompt tokens budget agent"),
                    Place("preview", "Fact preview", "preview", "learn", "extraction learned"),
                    Place("traces", "Traces", "traces", "traces", "questions asked unanswered not found agents"),
                    Place("feedback", "Feedback", "feedback", "feedback", "used useful useless votes"),
                    Place("profiles", "Profiles", "profiles", "settings", "strategies plans saved"),
                    Place("golden", "Golden queries", "golden", "check", "known answers quality measure"),
                    Place("benchmarks", "Benchmarks", "benchmarks", "lab", "figures quality speed"),
                ),
            ),
            Section(
                "settings",
                "Settings",
                "settings",
                (
                    Place("settings", "Space", "settings", "settings", "tuning weights model policy preferences"),
                    Place("settings-spaces", "Spaces", "settings-spaces", "settings", "new create parent"),
                    Place("settings-people", "People", "settings-people", "settings", "roles invite users", Role.ADMIN),
                    Place("settings-keys", "API keys", "settings-keys", "key", "agents connect mcp token", Role.ADMIN),
                    Place("settings-heartbeat", "Heartbeat", "settings-heartbeat", "clock", "schedule maintenance"),
                    Place("settings-backups", "Backups", "settings-backups", "copy", "restore save", Role.ADMIN),
                    Place(
                        "settings-move", "Import & export", "settings-move", "upload", "mem0 zip download", Role.ADMIN
                    ),
                    Place("settings-health", "Health", "settings-health", "check", "doctor integrity disk status"),
                    Place("settings-me", "You", "settings-me", "settings", "password account"),
                ),
            ),
        ),
    ),
)


def section_of(at: str) -> Section | None:
    """The entry of the side bar that a page belongs to."""
    return next((one for one in sections() if any(place.key == at for place in one.places)), None)


def sections() -> Sequence[Section]:
    """In the order of the side bar."""
    return [section for group in GROUPS for section in group.sections]
