"""What a rule finds between two statements, and the verdict made of it: how they stand, which outcome is proposed, and
the reason in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memoryapp.domain.conflict import Outcome
from memoryapp.domain.statement import Relation, Statement, Verdict, attribute_told


@dataclass(frozen=True, slots=True)
class Finding:
    """`sure`: a rule that is nearly never wrong. `was` and `now` are the two values, for the reason a person reads."""

    detector: str  # slot, number, date, negation, antonym, kind, diet, wording
    attribute: str
    was: str
    now: str
    sure: bool = True
    confidence: float = 0.85
    told: str = ""  # the attribute in the words of the statement, where it is not told as it is called


_LONGEST = 60  # characters of a value in a reason


def verdict(existing: Statement, incoming: Statement, finding: Finding, *, turned: bool) -> Verdict:
    """`turned`: what comes in says itself that it was otherwise before: the older ends, and nobody was wrong.

    Stated times of validity that do not overlap make it a succession that needs no decision: both hold, each in its
    time. Otherwise the later said is proposed to replace the earlier.
    """
    if is_disjoint_in_time(existing, incoming):
        reason = f"{_finding_text(finding)}: each in its own time, {_span(existing)} and {_span(incoming)}."
        return Verdict(Relation.SUCCESSION, "validity", reason, 0.9, Outcome.BOTH, finding.attribute)
    older = said_earlier(existing, incoming)
    outcome = Outcome.KEEP if older else Outcome.REPLACE
    when = _time_gap_text(existing, incoming)
    if turned and not older:
        return Verdict(
            Relation.SUCCESSION, finding.detector, f"{_finding_text(finding)}{when}; it says that this has changed.",
            max(finding.confidence, 0.85) if finding.sure else finding.confidence, Outcome.REPLACE, finding.attribute,
        )  # fmt: skip
    relation = Relation.CONFLICT if finding.sure else Relation.POSSIBLE
    return Verdict(
        relation, finding.detector, f"{_finding_text(finding)}{when}.", finding.confidence, outcome, finding.attribute
    )


def propose_merge(judged: Verdict, standing: Sequence[str]) -> Verdict:
    """The same verdict, proposing a merge where it would replace what still stands in part."""
    if judged.outcome is not Outcome.REPLACE or not standing:
        return judged
    rest = " ".join(standing).rstrip(".")
    return replace(judged, outcome=Outcome.MERGE, reason=f"{judged.reason} The other part still stands: “{rest}”.")


def is_disjoint_in_time(existing: Statement, incoming: Statement) -> bool:
    """Whether the stated times of validity do not overlap."""
    return _ends_before(existing, incoming) or _ends_before(incoming, existing)


def _ends_before(one: Statement, other: Statement) -> bool:
    return one.valid_to is not None and other.valid_from is not None and one.valid_to <= other.valid_from


def said_earlier(existing: Statement, incoming: Statement) -> bool:
    """Whether what comes in was said before what is held."""
    return bool(existing.at and incoming.at and incoming.at < existing.at)


def _finding_text(finding: Finding) -> str:
    was, now = _shorten_value(finding.was), _shorten_value(finding.now)
    if finding.detector == "negation":
        return f"One side affirms what the other denies: “{was}”, and “{now}”"
    if finding.detector == "diet":
        return f"“{was}” rules out “{now}”"
    if finding.detector in ("wording", "antonym", "kind"):
        return f"The same is said with “{was}” and with “{now}”"
    if finding.detector == "judge":
        return f"Read together, “{was}” and “{now}” seem not to hold at once"
    return f"“{finding.told or attribute_told(finding.attribute)}” was {was}, is now {now}"


def _shorten_value(value: str) -> str:
    return value if len(value) <= _LONGEST else value[: _LONGEST - 1].rstrip() + "…"


def _time_gap_text(existing: Statement, incoming: Statement) -> str:
    if not (existing.at and incoming.at) or existing.at == incoming.at:
        return ""
    later = "later" if incoming.at > existing.at else "earlier"
    return f"; said {_duration_text(abs(incoming.at - existing.at))} {later}"


def _duration_text(gap: timedelta) -> str:
    days = gap.days
    for size, name in ((365, "year"), (30, "month"), (7, "week"), (1, "day")):
        if days >= 2 * size or (days >= size and name in ("day", "year")):
            count = days // size
            return f"{count} {name}{'s' if count > 1 else ''}"
    return f"{days} days" if days else "the same day"


def _span(statement: Statement) -> str:
    begin, end = _date(statement.valid_from), _date(statement.valid_to)
    if begin and end:
        return f"{begin} to {end}"
    return f"from {begin}" if begin else f"until {end}"


def _date(moment: datetime | None) -> str:
    return moment.date().isoformat() if moment else ""
