"""Texts of the tests' own: notes and chat as a memory holds them, of very unlike length."""

from __future__ import annotations

_SUBJECTS = (
    ("the staging database", "was moved to the larger machine because backups took all night"),
    ("Ana", "prefers the morning train and works from the library on Fridays"),
    ("the deploy script", "fails silently when the lock file is older than an hour"),
    ("our sourdough starter", "needs feeding twice a day while the kitchen is cold"),
    ("the invoice export", "rounds each line before summing, which is off by a cent"),
    ("Mirek", "is allergic to walnuts and asked for the recipe without them"),
    ("the search index", "is rebuilt from the change feed whenever its file is missing"),
    ("the piano teacher", "moved our lesson to Tuesday at half past five"),
    ("git bisect", "finds the commit that broke the tests by halving the history"),
    ("the garden pump", "runs for ten minutes after sunrise unless it has rained"),
    ("the licence server", "refuses connections from addresses outside the office"),
    ("grandmother's letters", "are in the blue box on the upper shelf of the study"),
)
_ENDS = ("", " Ask before changing it.", " We wrote this down on the last call, and nobody objected.")

NOTES = tuple(
    f"{subject[0].upper()}{subject[1:]} {says}.{end}" + f" In short: {says}." * repeat
    for repeat, end in enumerate(_ENDS)
    for subject, says in _SUBJECTS
)
QUESTIONS = tuple(f"what do we know about {subject}?" for subject, _ in _SUBJECTS)
KOREAN = ("어제 회의에서 발표 일정을 바꾸기로 했다.", "민수는 수원에서 서울로 이사했다.", "데이터베이스를 백업했다.")
ODD = (
    "",
    " ",
    "\n\t",
    "\x00\x01\x1b[31m\x7f",
    "broken \ud800 pair \udfff",
    "\udcff",
    "🦊 👩‍👩‍👧 ☃",
    "a" * 100_000,
    "word " * 20_000,
    "가" * 100_000,
    "!!! ??? ...",
    "العربية עברית हिन्दी",
    *KOREAN,
)
