"""What happens in a space around its memories, as further states of the machine: entities, the tree, talks, time that
passes, and a move to another place."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import rule

from memoryapp import graph, spaces, tree
from memoryapp.consolidate import expire
from memoryapp.domain.entity import Entity
from memoryapp.domain.turn import NewTurn
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.integrity import check
from memoryapp.remember import append_turns, read_turns
from memoryapp.store import backup, entities, memories, sessions
from memoryapp.summaries import narrate_session
from tests.integrity.life import SAID, Life
from tests.samples import AGENT, PERSON

PATHS = ("people", "people/mara", "values", "work/build")
SAID_IN_TALK = ("I prefer green tea.", "I moved to Busan and I work at Nordwind.", "오늘 배포를 멈췄다.")


class WiderLife(Life):
    """`Life`, in a space in which more goes on."""

    @rule()
    def what_is_said_is_related(self) -> None:
        self.does(lambda: graph.relate(self.space, actor=PERSON))

    @rule(n=st.integers(0, 20), other=st.integers(0, 20))
    def two_names_become_one(self, n: int, other: int) -> None:
        there = self.entities()
        if len(there) > 1:
            keep, gone = there[n % len(there)], there[other % len(there)]
            self.does(lambda: graph.merge(self.space, keep.id, [gone.id], actor=PERSON))

    @rule(n=st.integers(0, 20))
    def one_name_becomes_two_again(self, n: int) -> None:
        merged = [one for one in self.entities() if one.merged_into]
        if merged:
            self.does(lambda: graph.part(self.space, merged[n % len(merged)].id, actor=PERSON))

    @rule(path=st.sampled_from(PATHS), text=st.sampled_from([None, "", "# Mara\n\n- lives in Seoul\n"]))
    def a_node_grows(self, path: str, text: str | None) -> None:
        self.does(lambda: tree.grow(self.space, path, text=text, actor=PERSON))

    @rule(path=st.sampled_from(PATHS), to=st.sampled_from(PATHS), how=st.sampled_from(["move", "merge", "remove"]))
    def a_node_goes(self, path: str, to: str, how: str) -> None:
        if how == "remove":
            self.does(lambda: tree.remove(self.space, path, actor=PERSON))
        else:
            act = tree.move if how == "move" else tree.merge
            self.does(lambda: act(self.space, path, to, actor=PERSON))

    @rule(n=st.integers(0, 50), path=st.sampled_from(PATHS))
    def a_memory_is_taken_into_the_tree(self, n: int, path: str) -> None:
        key = self.some(n)
        if key is not None:
            self.does(lambda: tree.retain(self.space, [key], path=path, actor=PERSON))

    @rule(session=st.sampled_from(["morning", "evening"]), text=st.sampled_from([*SAID_IN_TALK, *SAID]))
    def something_is_said(self, session: str, text: str) -> None:
        if not sessions.existing_sessions(self.space.db, [session]):
            sessions.open_session(self.space.db, sessions.Session(session, self.clock(), "heron", {}))
        append_turns(self.space, session, [NewTurn(text, speaker="Ines", at=self.clock())], actor=AGENT)

    @rule()
    def what_was_said_is_read(self) -> None:
        reader = reader_of("rules", model=None, worth=self.space.tuning.fact_worth)
        self.does(lambda: read_turns(self.space, reader=reader, actor=AGENT))
        self.before = None

    @rule(session=st.sampled_from(["morning", "evening"]))
    def a_talk_is_told(self, session: str) -> None:
        self.does(lambda: narrate_session(self.space, session, model=None, actor=AGENT, force=True))

    @rule(days=st.sampled_from([1, 90, 700]))
    def time_passes_and_what_nobody_trusts_expires(self, days: int) -> None:
        self.clock.move(days=days)
        self.does(lambda: expire(self.space, actor=AGENT))

    @rule()
    def it_is_moved_elsewhere(self) -> None:
        """A backup restored into an empty space says the same, to the last row."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "reeds.gz"
            counts = backup.backup(self.space.db, file)
            other = spaces.open_space("pond")
            try:
                backup.restore(other.db, file)
                assert backup.backup(other.db, Path(folder) / "pond.gz") == counts
                assert list(backup.every_row(other.db)) == list(backup.every_row(self.space.db))
                stands = {m.id: (m.text, m.state) for m in memories.get_many(other.db, list(self.known)).values()}
                assert stands == self.known
                other.encoder.get(30)
                assert check(other).broken == ()
            finally:
                spaces.close_space("pond")

    def entities(self) -> list[Entity]:
        """In order of their names: ids are random."""
        return sorted(entities.scan(self.space.db), key=lambda one: (one.normal, one.type))
