"""Hooks as agents run them: real processes, the real app, transcripts that grow."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4

import pytest

from memoryapp.connect import hook
from memoryapp.connect.agents import HOOK
from memoryapp.connect.app import key_file
from memoryapp.connect.places import Place, table_with
from memoryapp.domain.limits import LIMITS
from tests.connect.conftest import Desk, eventually


def remember(desk: Desk, text: str) -> None:
    with desk.live.client(space=desk.space) as client:
        assert client.post("/memories", json={"text": text, "kind": "fact"}).is_success


def test_a_message_brings_what_is_known_of_it(desk: Desk) -> None:
    remember(desk, "The staging server runs in Busan.")
    told = desk.context("UserPromptSubmit", prompt="Where does the staging server run?")
    assert "The staging server runs in Busan." in told
    assert told.startswith("<recalled-memory>") and told.endswith("</recalled-memory>")


def test_a_session_begins_with_what_is_known_and_a_resumed_one_has_it_already(desk: Desk) -> None:
    remember(desk, f"{desk.project.name} is written in Python.")
    assert "is written in Python" in desk.context("SessionStart", source="startup")
    assert "is written in Python" in desk.context("SessionStart", source="compact")
    assert desk.hook("SessionStart", source="resume") == ""


def test_codex_and_gemini_are_told_by_the_names_of_their_own_hooks(desk: Desk) -> None:
    remember(desk, "The staging server runs in Busan.")
    for agent, event in (("codex", "UserPromptSubmit"), ("gemini-cli", "BeforeAgent")):
        assert "Busan" in desk.context(event, agent=agent, prompt="Where does the staging server run?")


@pytest.mark.long
def test_the_budget_is_kept(desk: Desk) -> None:
    for number in range(30):
        remember(desk, f"Server number {number} of the staging cluster runs in hall {number} of the Busan site.")
    ask = {"prompt": "Where do the servers of the staging cluster run?"}
    small, large = (desk.context("UserPromptSubmit", "--budget", budget, **ask) for budget in ("120", "900"))
    assert 0 < len(small) < len(large)


def test_an_empty_memory_and_an_empty_message_say_nothing(desk: Desk) -> None:
    assert desk.hook("UserPromptSubmit", prompt="Where is the key?") == ""
    remember(desk, "The key is under the mat.")
    assert desk.hook("UserPromptSubmit", prompt="  ") == ""
    assert desk.log == ""


def test_private_words_of_a_message_are_not_sent(desk: Desk) -> None:
    heard: list[bytes] = []

    class Ear(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_error(503)

        def log_message(self, *words: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Ear) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        desk.runs_at(server.server_port)
        desk.hook("UserPromptSubmit", prompt="<private>Zanzibar</private>")
        desk.hook("UserPromptSubmit", prompt="hello <PRIVATE>Zanzibar")
        server.shutdown()
    assert [json.loads(body)["message"] for body in heard] == ["hello [private]"]


def test_a_transcript_that_grows_is_kept_turn_by_turn(desk: Desk) -> None:
    for number in range(4):
        desk.say(f"Question {number}?", f"Answer {number}.")
        desk.hook("Stop")
        assert desk.kept() == desk.said
    assert desk.spooled == "" and desk.log == ""


@pytest.mark.long
def test_what_was_read_once_is_not_read_again(desk: Desk) -> None:
    desk.say("First.", "Noted.")
    desk.hook("Stop")
    desk.transcript.write_bytes(b"x" * (desk.transcript.stat().st_size - 1) + b"\n")  # nothing there can be read again
    desk.say("Second.", "Noted too.")
    desk.hook("PreCompact")
    assert desk.kept() == ["First.", "Noted.", "Second.", "Noted too."]


def test_a_line_that_is_still_being_written_is_read_when_it_is_whole(desk: Desk) -> None:
    desk.say("First.")
    line = json.dumps(desk.line("assistant", "Second.")) + "\n"
    with desk.transcript.open("a") as out:
        out.write(line[:50])
    desk.hook("Stop")
    assert desk.kept() == ["First."]
    with desk.transcript.open("a") as out:
        out.write(line[50:])
    desk.hook("Stop")
    assert desk.kept() == ["First.", "Second."]


def test_tools_thoughts_helpers_and_commands_are_left_out(desk: Desk) -> None:
    desk.say("Fix the test.")
    machine = [
        desk.line("assistant", "of a helper", isSidechain=True),
        desk.line("user", "<command-name>/clear</command-name>"),
        desk.line("user", "a caveat", isMeta=True),
        {"type": "summary", "summary": "A test was fixed."},
        {**desk.line("user", ""), "message": {"role": "user", "content": [{"type": "tool_result", "content": "ok"}]}},
    ]
    with desk.transcript.open("a") as out:
        out.writelines(json.dumps(one) + "\n" for one in machine)
    desk.say("It is fixed.")
    desk.hook("Stop")
    assert desk.kept() == ["Fix the test.", "It is fixed."]


@pytest.mark.long
def test_an_import_of_the_same_transcript_later_brings_nothing_new(desk: Desk) -> None:
    desk.say("I moved to Busan.", "Noted. " + "word " * 6_000, "<private>My pin is 8431.</private> Thanks.", "Sure.")
    desk.hook("Stop")
    kept = desk.kept()
    assert len(kept) == 5  # a long one is two
    target = desk.transcript.with_name(f"{desk.session}.jsonl")
    desk.transcript.rename(target)
    done = desk.live.command("import", str(target), "--space", desk.space)
    assert done.returncode == 0, done.stderr
    assert desk.kept() == kept


def test_private_words_and_secrets_never_reach_the_spool_nor_the_memory(desk: Desk) -> None:
    desk.leave()
    desk.say("My <private>pin is 8431</private> and the key is AKIAIOSFODNN7EXAMPLQ.", "<private>All of it.</private>")
    desk.hook("Stop")
    waiting = desk.spooled
    assert "[private]" in waiting and not any(word in waiting for word in ("8431", "AKIAIOS", "All of it"))
    desk.come()
    desk.hook("Stop")
    assert desk.kept() == ["My [private] and the key is [secret: API key]."]


@pytest.mark.long
def test_while_the_app_is_away_turns_wait_and_are_sent_in_order_when_it_is_back(desk: Desk) -> None:
    desk.leave()
    for number in range(3):
        desk.say(f"Question {number}?", f"Answer {number}.")
        assert desk.hook("UserPromptSubmit", prompt=f"Question {number}?") == ""
        desk.hook("Stop")
    assert desk.kept() == [] and "6 turns" in desk.log and "the app does not run" in desk.log
    file = next((desk.data / "connect" / "spool").glob("*.jsonl"))
    assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700
    desk.come()
    desk.hook("UserPromptSubmit", prompt="And now?")  # any hook sends what waits
    assert desk.kept() == desk.said and desk.spooled == ""


@pytest.mark.long
def test_a_session_that_is_over_is_sent_by_the_next_one(desk: Desk) -> None:
    desk.leave()
    desk.say("Before.", "Indeed.")
    desk.hook("SessionEnd")
    first, desk.session = desk.session, str(uuid4())
    desk.come()
    desk.hook("SessionStart", source="startup")
    assert desk.kept(f"claude-code:{first}") == ["Before.", "Indeed."]


@pytest.mark.long
def test_a_file_left_by_an_app_that_was_killed_is_not_believed(desk: Desk) -> None:
    (desk.data / "lock").unlink()
    (desk.data / "lock").write_text("1")
    desk.say("Hello.")
    desk.hook("Stop")
    assert "the app does not run" in desk.log and desk.kept() == []


@pytest.mark.long
def test_a_spool_that_was_broken_off_in_a_line_loses_and_doubles_nothing(desk: Desk) -> None:
    desk.leave()
    desk.say("One.", "Two.")
    desk.hook("Stop")
    desk.say("Three.", "Four.")
    file = next((desk.data / "connect" / "spool").glob("*.jsonl"))
    whole = file.read_bytes()
    for end in (len(whole) - 1, len(whole) - 40, whole.index(b"\n") + 1, whole.index(b"\n"), 5, 0):
        file.write_bytes(whole[:end])
        desk.hook("Stop")
        assert [json.loads(line)["turn"]["text"] for line in file.read_text().splitlines()] == desk.said, end
    desk.come()
    desk.hook("Stop")
    assert desk.kept() == desk.said


@pytest.mark.slow
@pytest.mark.long
def test_hooks_that_are_killed_at_any_moment_lose_and_double_nothing(desk: Desk) -> None:
    luck = random.Random(7)
    for number in range(12):
        desk.say(*(f"Round {number}, sentence {one}." for one in range(20)))
        process = desk.start("Stop")
        time.sleep(luck.uniform(0.02, 0.6))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    desk.hook("SessionEnd")
    assert desk.kept() == desk.said and desk.spooled == ""


def test_hooks_at_the_same_time_keep_each_turn_once(desk: Desk) -> None:
    desk.say(*(f"Sentence {number}." for number in range(30)))
    events = ("Stop", "PreCompact", "Stop", "SessionEnd")
    for process in [desk.start(event) for event in events]:
        assert process.communicate(timeout=120)[1] == b"" and process.returncode == 0
    assert desk.kept() == desk.said and desk.log == ""


def test_a_session_that_ended_goes_on_in_a_second_part(desk: Desk) -> None:
    desk.say("Good bye.", "Bye.")
    desk.hook("SessionEnd")
    with desk.live.client(space=desk.space) as client:
        assert client.get(f"/sessions/claude-code%3A{desk.session}").json()["ended_at"]
    desk.say("One more thing.", "Yes?")
    desk.hook("Stop")
    desk.say("Nothing.")
    desk.hook("Stop")
    assert desk.kept() == ["Good bye.", "Bye."]
    assert desk.kept(f"claude-code:{desk.session} (2)") == ["One more thing.", "Yes?", "Nothing."]


@pytest.mark.long
def test_the_space_of_a_session_stays_when_its_folder_gets_another(desk: Desk) -> None:
    desk.say("Here.")
    desk.hook("Stop")
    file, content = table_with(desk.data, desk.project, Place("elsewhere"))
    file.write_bytes(content)
    desk.say("Still here.")
    desk.hook("Stop")
    assert desk.kept() == ["Here.", "Still here."]


@pytest.mark.long
def test_a_line_that_is_written_while_the_hook_runs_is_kept_too(desk: Desk) -> None:
    desk.say("Hello.")
    desk.hook("SessionEnd", wait=False)
    desk.say("Hi.")
    eventually(lambda: desk.kept() == ["Hello.", "Hi."])


def test_the_hook_is_the_standard_library_and_the_domain_alone() -> None:
    known = (
        "import sys; sys.path.insert(0, sys.argv[1]); import memoryapp.connect.hook; quick = set(sys.modules); "
        "import memoryapp.connect.app, memoryapp.connect.spool; "
        "print(*quick); print(*sys.modules)"
    )
    line = [sys.executable, "-I", "-S", "-c", known, str(HOOK.parents[2])]
    quick, every = (set(names.split()) for names in subprocess.check_output(line, text=True).splitlines())
    assert not quick & {"dataclasses", "inspect", "http.client", "subprocess", "asyncio"}, "an agent waits for these"
    assert LIMITS.turn_chars == hook._MOST_CHARS
    ours = {name for name in every if name.startswith("memoryapp")}
    assert {".".join(name.split(".")[:2]) for name in ours} == {"memoryapp", "memoryapp.connect", "memoryapp.domain"}
    assert {name.split(".")[0] for name in every - ours} <= sys.stdlib_module_names | {"__main__"}


def test_without_wait_the_agent_goes_on_at_once_and_the_turns_are_kept_all_the_same(desk: Desk) -> None:
    desk.say("Hello.", "Hi.")
    assert desk.hook("SessionEnd", wait=False) == ""  # its output is closed: nobody holds the agent's pipes
    eventually(lambda: desk.kept() == ["Hello.", "Hi."])


@pytest.mark.long
def test_codex_tells_the_message_and_the_answer_at_two_hooks(desk: Desk) -> None:
    for turn, (asked, said) in enumerate((("What is it?", "A test."), ("Again?", "Again."))):
        more = {"agent": "codex", "turn_id": f"turn-{turn}", "transcript_path": None}
        desk.hook("UserPromptSubmit", prompt=asked, **more)
        desk.hook("Stop", last_assistant_message=said, **more)
        desk.hook("Stop", last_assistant_message=said, **more)  # told twice, kept once
    assert desk.kept(f"codex:{desk.session}") == ["What is it?", "A test.", "Again?", "Again."]


@pytest.mark.long
def test_gemini_tells_both_at_one_hook_and_a_second_answer_without_the_message(desk: Desk) -> None:
    more = {"agent": "gemini-cli", "prompt": "What is it?"}
    desk.hook("BeforeAgent", timestamp="2026-11-20T10:00:00Z", **more)
    desk.hook("AfterAgent", prompt_response="A test.", timestamp="2026-11-20T10:00:05Z", **more)
    more |= {"stop_hook_active": True}
    desk.hook("AfterAgent", prompt_response="A long test.", timestamp="2026-11-20T10:00:09Z", **more)
    desk.hook("SessionEnd", agent="gemini-cli", reason="exit", timestamp="2026-11-20T10:01:00Z")
    assert desk.kept(f"gemini-cli:{desk.session}") == ["What is it?", "A test.", "A long test."]


@pytest.mark.parametrize("how", ["folder", "environment"])
def test_where_hooks_are_off_nothing_is_asked_and_nothing_kept(
    desk: Desk, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(desk, "The staging server runs in Busan.")
    if how == "environment":
        monkeypatch.setenv("MEMORY_HOOKS", "off")
    else:
        file, content = table_with(desk.data, desk.project, Place(desk.space, off=True))
        file.write_bytes(content)
    desk.say("Hello.", "Hi.")
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
        assert desk.hook(event, prompt="Where does the staging server run?") == ""
    assert desk.kept() == [] and not (desk.data / "connect" / "spool").exists() and desk.log == ""


def test_a_table_of_folders_that_cannot_be_read_keeps_nothing_and_says_so(desk: Desk) -> None:
    (desk.data / "connect" / "folders.json").write_text("{broken")
    desk.say("Hello.")
    desk.hook("Stop")
    assert desk.kept() == [] and "folders.json cannot be read" in desk.log


@pytest.mark.parametrize("given", [b"", b"no json", b"[]", b"\xff\xfe", b'{"hook_event_name": "Stop"}', b'{"a": 1}'])
def test_whatever_it_is_given_the_agent_notices_nothing(desk: Desk, given: bytes) -> None:
    assert desk.hook(given) == ""


def test_a_transcript_that_is_not_there_and_an_agent_nobody_knows_are_nothing_to_an_agent(desk: Desk) -> None:
    assert desk.hook("Stop") == ""
    assert desk.hook("Stop", agent="nobody") == "" and "nobody" in desk.log
    done = subprocess.run([sys.executable, "-I", "-S", str(HOOK)], input=b"{}", capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_data_folder_that_cannot_be_written_is_nothing_to_an_agent(desk: Desk) -> None:
    desk.data.chmod(0o500)
    (desk.data / "connect").chmod(0o500)
    desk.say("Hello.")
    assert desk.hook("Stop") == ""


def test_a_key_that_was_revoked_lets_turns_wait_and_says_so(desk: Desk) -> None:
    file = key_file(desk.data, desk.space)
    key = file.read_text()
    file.write_text("pal_revoked_0123456789")
    desk.say("Hello.", "Hi.")
    assert desk.hook("UserPromptSubmit", prompt="Hello.") == ""
    desk.hook("Stop")
    assert desk.kept() == [] and "2 turns" in desk.log and "no context" in desk.log
    file.unlink()
    desk.hook("Stop")
    assert f"palimpsest connect --space {desk.space}" in desk.log
    file.write_text(key)
    desk.hook("Stop")
    assert desk.kept() == ["Hello.", "Hi."]


def test_a_turn_that_is_refused_is_put_aside_and_holds_up_nothing(desk: Desk) -> None:
    desk.leave()
    desk.say("One.", "Two.", "Three.")
    desk.hook("Stop")
    file = next((desk.data / "connect" / "spool").glob("*.jsonl"))
    file.write_text(file.read_text().replace("Two.", ""))  # what no memory takes
    desk.come()
    desk.hook("Stop")
    assert desk.kept() == ["One.", "Three."]
    aside = (desk.data / "connect" / "refused.jsonl").read_text()
    assert json.loads(aside)["turn"]["role"] == "assistant" and "refused" in desk.log


@pytest.mark.long
def test_an_app_that_hangs_is_not_waited_for_and_costs_no_turn(desk: Desk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:  # takes connections and never answers
        desk.runs_at(mute.getsockname()[1])
        assert desk.hook("UserPromptSubmit", prompt="Where is it?", within=1) == ""
        assert "no answer in time" in desk.log
    desk.say("Hello.")
    desk.hook("Stop")
    assert desk.kept() == [] and "does not answer" in desk.log
    desk.leave()
    desk.come()
    desk.hook("Stop")
    assert desk.kept() == ["Hello."]


@pytest.mark.long
def test_the_log_begins_anew_before_it_is_large(desk: Desk) -> None:
    log = desk.data / "connect" / "hook.log"
    log.write_text("x" * 300_000)
    desk.hook(b"no json")
    assert log.stat().st_size < 1_000 and log.with_suffix(".log.1").stat().st_size == 300_000
