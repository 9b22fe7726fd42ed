"""Pairs of statements: contradictions, updates of facts, duplicates, and a set of our own written before the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.table import align_columns
from memoryapp.contradictions import judge, pair_judge, says_same
from memoryapp.contradictions.same import numbers_clash, paraphrases
from memoryapp.domain.errors import ModelMissing
from memoryapp.domain.statement import Relation, Statement
from memoryapp.inference.embedding import Encoder, load_encoder
from memoryapp.inference.embedding.universal import NAME as KOREAN_MODEL
from memoryapp.inference.embedding.zones import zones_of

PAIR_SETS = ("conflict", "updates", "duplicates", "blind")
OWN = Path(__file__).parent / "blind.jsonl"
OWN_UNSEEN = Path(__file__).parent / "unseen.jsonl"  # where there is one: a set that nothing was chosen or learned by
OWN_LEARNED = Path(__file__).parent / "pairs.jsonl"
OWN_DUPLICATES = Path(__file__).parent / "duplicates.jsonl"
_SURE = frozenset({Relation.CONFLICT, Relation.SUCCESSION})
_SHOWN = _SURE | {Relation.POSSIBLE}
_CLASH = frozenset({"contradiction", "supersedes", "clash"})
REACH = {  # (set, measure) → what is to be reached; false alarms and false merges: at most
    ("conflict en", "sure F1"): 0.72, ("conflict en", "sure false alarms"): 0.05,
    ("conflict en", "shown F1"): 0.86, ("conflict en", "shown false alarms"): 0.15,
    ("updates", "shown F1"): 0.99, ("duplicates en", "F1"): 0.76, ("duplicates ko", "F1"): 0.88,
    ("duplicates en", "merged, numbers differ"): 0.0, ("duplicates ko", "merged, numbers differ"): 0.0,
}  # fmt: skip
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Pair:
    """`positive`: a contradiction, or a duplicate; `kind` of what was changed, where the set says."""

    one: str
    other: str
    positive: bool
    group: str
    kind: str = ""
    topic: str = ""


def measure(
    folder: Path | None, chosen: Sequence[str], *, encoder: Encoder, split: str, limit: int, say: Say
) -> dict[str, dict[str, float]]:
    """Figures by set (“conflict en”) and measure. `limit`: pairs a set, 0 for all. A set that is absent is skipped."""
    figures: dict[str, dict[str, float]] = {}
    for name in (one for one in PAIR_SETS if one in chosen):
        pairs = _pairs(name, folder, split)
        if not pairs:
            say(f"{name}: not in the folder, skipped")
        for group in dict.fromkeys(pair.group for pair in pairs):
            held = [pair for pair in pairs if pair.group == group][: limit or None]
            fitting = _encoder_for(held, encoder, say)
            if fitting is not None:
                figures[group] = (duplicates if name == "duplicates" else clashes)(held, fitting)
    return figures


def clashes(pairs: Sequence[Pair], encoder: Encoder) -> dict[str, float]:
    """Precision, recall, F1 and share of false alarms: of what the rules are sure of, and of all that a person is
    shown (also “possible”); then false alarms by kind."""
    zones = zones_of(encoder.name)
    reads = None if encoder.name.startswith("hashing") else pair_judge.later
    judged = [
        (pair, judge(Statement(pair.one), Statement(pair.other), cosine=cosine, zones=zones, reads=reads).relation)
        for pair, cosine in zip(pairs, cosines(pairs, encoder), strict=True)
    ]
    figures = {"pairs": float(len(pairs))}
    for name, counted in (("sure", _SURE), ("shown", _SHOWN)):
        scored = score([(pair.positive, relation in counted) for pair, relation in judged])
        figures |= {f"{name} {measure}": value for measure, value in scored.items()}
    for kind in sorted({pair.kind for pair in pairs if pair.kind}):
        of_kind = [relation in _SHOWN for pair, relation in judged if pair.kind == kind and not pair.positive]
        if of_kind:
            figures[f"alarms: {kind}"] = sum(of_kind) / len(of_kind)
    return figures


def duplicates(pairs: Sequence[Pair], encoder: Encoder) -> dict[str, float]:
    """F1 of “the same in other words”; what would be merged outright, and how much of it wrongly."""
    zones = zones_of(encoder.name)
    near = cosines(pairs, encoder)
    alike = [paraphrases(pair.one, pair.other, cosine) for pair, cosine in zip(pairs, near, strict=True)]
    merged = [says_same(pair.one, pair.other, cosine, zones) for pair, cosine in zip(pairs, near, strict=True)]
    differing = sum(m and numbers_clash(p.one, p.other) for p, m in zip(pairs, merged, strict=True))
    scored = score([(pair.positive, found) for pair, found in zip(pairs, alike, strict=True)])
    joined = score([(pair.positive, found) for pair, found in zip(pairs, merged, strict=True)])
    return {
        "pairs": float(len(pairs)),
        **{measure: scored[measure] for measure in ("F1", "precision", "recall")},
        "merged": sum(merged) / len(merged),
        "merged rightly": joined["precision"],
        "merged, numbers differ": float(differing),
    }


def score(answers: Sequence[tuple[bool, bool]]) -> dict[str, float]:
    """Of (is so, was found): precision, recall, F1, and the share of what is not so that was found."""
    right = sum(so and found for so, found in answers)
    found, so = sum(found for _, found in answers), sum(so for so, _ in answers)
    precision, recall = right / found if found else 0.0, right / so if so else 0.0
    return {
        "F1": 2 * right / (found + so) if found + so else 0.0,
        "precision": precision,
        "recall": recall,
        "false alarms": (found - right) / (len(answers) - so) if len(answers) > so else 0.0,
    }


def cosines(pairs: Sequence[Pair], encoder: Encoder) -> list[float]:
    ones = encoder.encode_documents([pair.one for pair in pairs])
    others = encoder.encode_documents([pair.other for pair in pairs])
    return [float(a @ b) for a, b in zip(ones, others, strict=True)]


def own_pairs() -> list[Pair]:
    """The project's own pairs in free wording: the sets that were blind once, twelve that were written to learn from,
    and the look-alikes of “near”, from which the weights do not learn."""
    return [_own_pair(row, kind) for path, kind in ((OWN, "blind"), (OWN_LEARNED, "learned")) for row in _rows(path)]


def unseen_pairs() -> list[Pair]:
    """The pairs that nothing was chosen or learned by."""
    return [_own_pair(row, "unseen") for row in (_rows(OWN_UNSEEN) if OWN_UNSEEN.exists() else [])]


def duplicate_pairs(folder: Path | None, split: str) -> list[Pair]:
    """The sets' pairs, or those of the project where there is no folder."""
    return _pairs("duplicates", folder, split) if folder else read_duplicates(OWN_DUPLICATES)


def read_duplicates(path: Path) -> list[Pair]:
    """Pairs of a file of {"a", "b", "label", "lang"}. Raises ValueError, KeyError, TypeError for other lines."""
    return list(_duplicates(_rows(path), "all"))


def pairs_table(figures: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """By set: the figure, and what is to be reached; * marks a figure that reaches it."""
    for name, measured in figures.items():
        rows = [["", "", "reach"]]
        for measure, value in measured.items():
            reach = REACH.get((name, measure))
            least = "alarm" in measure or measure.startswith("merged,")
            reached = reach is not None and (value <= reach if least else round(value, 3) >= reach)
            shown = f"{value:.0f} " if measure == "pairs" else f"{value:.3f}{'*' if reached else ' '}"
            rows.append([measure, shown, "" if reach is None else f"{'≤' if least else '≥'} {reach:.2f}"])
        yield f"\n{name}"
        yield from align_columns(rows)


def _pairs(name: str, folder: Path | None, split: str) -> list[Pair]:
    if name == "blind":
        return [*own_pairs(), *unseen_pairs()]
    if folder is None:
        return []
    try:
        if name == "duplicates":
            return list(_duplicates(_rows(folder / "paraphrase/pairs.jsonl"), split))
        file = "conflict/pairs.jsonl" if name == "conflict" else "conflict/fact_updates.jsonl"
        return [_pair(row, name) for row in _rows(folder / file) if split in ("all", row["split"])]
    except FileNotFoundError:
        return []


def _pair(row: dict[str, Any], name: str) -> Pair:
    group = f"{name} {row['lang']}" if name == "conflict" else name
    return Pair(row["a"], row["b"], row["label"] in _CLASH, group, row["kind"])


def _duplicates(rows: Sequence[dict[str, Any]], split: str) -> Iterator[Pair]:
    for row in rows:
        if split in ("all", row.get("split", split)):
            yield Pair(row["a"], row["b"], bool(row["label"]), f"duplicates {row.get('lang', 'en')}")


def _own_pair(row: dict[str, Any], kind: str) -> Pair:
    return Pair(
        row["existing"], row["incoming"], row["label"] in _CLASH, f"{kind} {row['set']}", topic=row.get("topic", "")
    )


def _encoder_for(pairs: Sequence[Pair], encoder: Encoder, say: Say) -> Encoder | None:
    """The encoder, or for Korean the packaged one that knows it; None where that is not installed."""
    if not pairs[0].group.endswith(" ko") or "ko" in encoder.languages:
        return encoder
    try:
        return load_encoder(KOREAN_MODEL)
    except ModelMissing as missing:
        say(f"{pairs[0].group}: {missing.detail}")
        return None


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
