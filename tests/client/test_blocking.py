"""The client against the live app: what an agent does in a day."""

from __future__ import annotations

import inspect
import zipfile
from pathlib import Path

import pytest
from palimpsest_client import JobFailed, NotReached, NotSetUp, Palimpsest, PalimpsestError, ways

from memoryapp.domain.identity import new_id
from memoryapp.domain.limits import LIMITS
from tests.live import Live

LIVES = "(lives_in :subject Mina :object {})"


def test_what_is_remembered_is_recalled_and_explained(memory: Palimpsest) -> None:
    written = memory.remember("Backups run at 02:00 KST.", tags=["ops"], ref="ops-1")
    assert (written.outcome, written.ref, written.tags) == ("written", "ops-1", ["ops"])
    hits = memory.recall("when do backups run?", top_k=3, filters={"tags": ["ops"]})
    assert [hit.id for hit in hits] == [written.id]
    found = memory.search("backups", strategy="keyword")
    assert found.strategy == "keyword" and found.items[0].arms["keyword"]["rank"] == 1
    compared = memory.compare("backups", strategies=["hybrid", "keyword"])
    assert [column.strategy for column in compared.columns] == ["hybrid", "keyword"]
    why = memory.explain("bicycles", ref="ops-1", strategies=["keyword"])
    assert (why.items[0].found, why.items[0].id) == (False, written.id)


def test_the_same_ref_is_written_once(memory: Palimpsest) -> None:
    first = memory.remember("The door code changed.", ref="t-1")
    again = memory.remember("The door code changed.", ref="t-1")
    assert (again.id, again.outcome) == (first.id, "unchanged")


def test_many_are_sent_in_parts_and_listed_page_by_page(memory: Palimpsest, monkeypatch: pytest.MonkeyPatch) -> None:
    assert LIMITS.batch_items >= ways.BATCH
    monkeypatch.setattr(ways, "BATCH", 10)
    sent = ({"text": f"Note {n} of the pile.", "tags": ["pile"]} for n in range(23))
    outcomes = memory.remember_many(sent)
    assert len({one.id for one in outcomes}) == 23
    listed = [one.id for one in memory.every(memory.memories, tags=["pile"], limit=4)]
    assert sorted(listed) == sorted(one.id for one in outcomes)


def test_an_edit_of_an_old_version_is_refused_and_tells_the_present_one(memory: Palimpsest) -> None:
    written = memory.remember("Standup is at nine.")
    act = memory.update(written.id, text="Standup is at ten.", version=written.version)
    assert act.memory.text == "Standup is at ten."
    with pytest.raises(PalimpsestError) as refused:
        memory.update(written.id, text="Standup is at eight.", version=written.version)
    error = refused.value
    assert (error.status, error.kind, error.current) == (412, "stale", act.memory.version)
    assert "Read it again" in error.advice
    assert memory.get(written.id).text == "Standup is at ten."


def test_a_memory_is_deleted_restored_undone_and_purged(memory: Palimpsest) -> None:
    written = memory.remember("A secret that must go.")
    assert memory.delete(written.id, dry_run=True).dry_run
    act = memory.delete(written.id, reason="not ours to keep")
    assert memory.recall("secret") == []
    assert act.run and memory.undo(act.run).undone >= 1
    memory.archive(written.id)
    assert memory.restore(written.id).memory.state == "held"
    receipt = memory.purge(written.id)
    assert receipt.complete
    with pytest.raises(PalimpsestError) as gone:
        memory.get(written.id)
    assert gone.value.status == 404


def test_a_talk_is_opened_said_and_ended(memory: Palimpsest) -> None:
    with memory.session("standup-1", agent="planner") as talk:
        taken = talk.say("I prefer tea, and I moved to Busan last week.", speaker="Mina")
        memory.say_all(talk.name, [{"text": "Noted.", "role": "assistant"}])
    assert taken.items[0].number == 1
    state = memory.session_state("standup-1")
    assert (state.turns, state.agent) == (2, "planner") and state.ended_at
    assert next(turn.speaker for turn in memory.turns("standup-1")) == "Mina"
    assert [one.name for one in memory.sessions()] == ["standup-1"]
    assert memory.open_session("standup-2").jobs == []
    assert memory.end_session("standup-2").job is None
    with pytest.raises(PalimpsestError, match="has ended") as late:
        memory.say("standup-1", "One more thing.")
    assert late.value.status == 409


def test_a_conflict_is_seen_decided_and_taken_back(memory: Palimpsest) -> None:
    memory.remember(atoms=LIVES.format("Seoul"))
    second = memory.remember(atoms=LIVES.format("Busan"))
    assert second.outcome == "conflict"
    waiting = memory.conflicts()
    assert [one.id for one in waiting] == [second.conflict]
    assert waiting.items[0].existing.text == "Mina lives in Seoul." and waiting.items[0].proposal.reason
    decision = memory.resolve(waiting.items[0].id, "replace", reason="she moved")
    assert (decision.status, memory.get(second.near or "").state) == ("decided", "superseded")
    assert memory.undo_decision(waiting.items[0].id).conflict.status == "waiting"
    assert memory.conflict(waiting.items[0].id).raw["impact"]


def test_feedback_entities_and_context_answer(memory: Palimpsest) -> None:
    written = memory.remember(atoms="(uses :subject Mina :object Neovim)")
    assert memory.feedback(written.id, used=True, query="editor").used == 1
    assert memory.confirm(written.id).memory.trust >= written.trust
    mina = next(one for one in memory.entities(text="Mina"))
    assert [(one.id, one.role) for one in memory.entity(mina.id).memories] == [(written.id, "subject")]
    made = memory.add_entity("ZFS", type="tool", aliases=["zpool"])
    assert (made.entity.name, made.entity.aliases, made.linked) == ("ZFS", ["zpool"], 0)
    assert "Neovim" in memory.context("What does Mina use?", budget=500).text
    assert memory.search("What does Mina use?", strategy="recall;recall_hops=1").items


def test_a_node_of_the_tree_is_put_whether_it_is_there_or_not(memory: Palimpsest) -> None:
    put = memory.put_node("identity/values", "# Values\n\n- Plain words.\n", keywords=["values", "가치관"])
    again = memory.put_node("identity/values", "# Values\n\n- Plain words.\n- Few of them.\n")
    assert again.node.version > put.node.version
    assert memory.node("identity/values").text.endswith("Few of them.\n")
    assert "identity/values" in [row.path for row in memory.tree().items]


def test_a_folder_of_this_machine_is_sent_read_and_told(memory: Palimpsest, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "notes.md").write_text("# Notes\n\n## Backups\n\nThey run at two.\n", encoding="utf-8")
    (tmp_path / ".hidden.md").write_text("## Not this\n", encoding="utf-8")
    seen: list[str] = []
    trial = memory.ingest(tmp_path, upload=True, dry_run=True)
    assert trial.report["sections"] == 1 and memory.recall("when do backups run?") == []
    job = memory.ingest(tmp_path, upload=True, on_progress=lambda job: seen.append(job.status))
    assert (job.report["files"], job.report["added"]) == (1, 1)
    assert seen[-1] == "done"
    assert memory.recall("when do backups run?")[0].title == "Backups"
    assert memory.job(job.id).status == "done"
    assert {one.kind for one in memory.jobs(status="done")} >= {"ingest"}
    assert memory.heartbeat("consolidate", timeout=60).status == "done"


def test_a_job_that_fails_is_an_error_that_holds_it(memory: Palimpsest, tmp_path: Path) -> None:
    broken = tmp_path / "notes.zip"
    broken.write_bytes(b"PK\x03\x04 no archive at all")
    with pytest.raises(JobFailed) as failed:
        memory.ingest(broken, upload=True)
    assert failed.value.job.status == "failed" and failed.value.job.error == str(failed.value)
    assert "retry_job" in failed.value.advice


def test_an_export_is_a_whole_file_or_none(memory: Palimpsest, tmp_path: Path) -> None:
    memory.remember("Everything that is known goes along.")
    kept = memory.export(tmp_path / "all.zip", vectors=False)
    with zipfile.ZipFile(kept) as archive:
        assert archive.testzip() is None
        assert any(b"Everything that is known" in archive.read(name) for name in archive.namelist())
    with pytest.raises(PalimpsestError):
        memory.in_space("nowhere").export(tmp_path / "none.zip")
    assert [file.name for file in tmp_path.iterdir()] == ["all.zip"]


def test_an_export_comes_back_into_an_empty_space_and_is_rehearsed_first(memory: Palimpsest, tmp_path: Path) -> None:
    memory.remember("The bittern booms at dusk.")
    kept = memory.export(tmp_path / "all.zip", vectors=False)
    name = f"again-{new_id()[:8]}"
    memory.create_space(name)
    again = memory.in_space(name)
    assert again.import_file(kept, dry_run=True).report["dry_run"] is True
    assert again.memories().items == []
    assert again.import_file(kept).report["records"]["memories"] >= 1
    assert "The bittern booms at dusk." in [one.text for one in again.memories(contains="bittern").items]
    with pytest.raises(PalimpsestError, match="not empty"):
        again.import_file(kept)
    (tmp_path / "what.bin").write_bytes(b"\x00\x01")
    with pytest.raises(PalimpsestError, match="none of the forms"):
        again.import_file(tmp_path / "what.bin")


def test_one_client_speaks_to_several_spaces(memory: Palimpsest) -> None:
    memory.remember("Only here.")
    name = f"other-{new_id()[:8]}"
    memory.create_space(name, title="Other")
    assert memory.in_space(name).recall("only here") == []
    assert name in [space.name for space in memory.spaces().items]
    assert memory.version()["name"] == "Palimpsest"


def test_address_and_key_come_from_the_environment(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_URL", f"{live.url}/api/v1/")  # as it is often copied
    monkeypatch.setenv("MEMORY_KEY", live.key)
    with Palimpsest() as client:
        assert client.version()["api"] == "v1"
    monkeypatch.delenv("MEMORY_KEY")
    with pytest.raises(NotSetUp) as unset:
        Palimpsest()
    assert "MEMORY_KEY" in unset.value.advice


def test_a_wrong_key_a_bad_field_and_a_closed_door_are_told_apart(live: Live, memory: Palimpsest) -> None:
    with Palimpsest(live.url, "pal_nobody") as stranger, pytest.raises(PalimpsestError) as unknown:
        stranger.spaces()
    stranger.close()  # twice is once
    assert unknown.value.status == 401 and "palimpsest key" in unknown.value.advice
    with pytest.raises(PalimpsestError) as bad:
        memory.remember("Words.", confidence=7)
    assert (bad.value.status, bad.value.field) == (422, "/confidence")
    assert str(bad.value).endswith("(at /confidence)")
    with Palimpsest("http://127.0.0.1:9", "pal_any", retries=0) as closed, pytest.raises(NotReached) as nobody:
        closed.version()
    assert "127.0.0.1:9" in nobody.value.detail and live.key not in repr(memory.connection)


def test_every_method_is_tried_here() -> None:
    """A method that no test calls could be broken by a slip that types do not see."""
    tried = Path(__file__).read_text(encoding="utf-8") + (Path(__file__).parent / "test_retries.py").read_text()
    public = [name for name, made in vars(Palimpsest).items() if inspect.isfunction(made) and name[0] != "_"]
    assert [name for name in public if f".{name}(" not in tried and f".{name}," not in tried] == []
