"""`manage.py up` as a person starts it: a process of its own, a data folder of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from memoryapp.management.running import running_in, told_in
from memoryapp.management.serve import bind
from tests.live import Live, live_app, manage, use_link


def test_a_first_start_is_ready_and_tells_commands_where_it_is(live: Live) -> None:
    told = told_in(live.data)
    assert told is not None and told.url == live.url and told.pid == live.process.pid
    assert (live.data / "server.json").stat().st_mode & 0o777 == 0o600
    assert running_in(live.data) == told
    with live.client() as client:
        assert client.get("/spaces").status_code == 200


def test_nothing_in_the_data_folder_is_open_to_others(live: Live) -> None:
    walked = ((Path(folder), names) for folder, _, names in os.walk(live.data))  # which bears one that goes meanwhile
    files = (folder / name for folder, names in walked if "static" not in folder.parts for name in names)
    open_to_others = [path for path in files if path.stat().st_mode & 0o077]
    assert open_to_others == []


def test_the_login_link_lets_in_once(live: Live) -> None:
    link = manage("login", data=live.data).stdout.strip()
    with httpx.Client(trust_env=False, follow_redirects=True) as first:
        assert use_link(first, link).status_code == 200
        assert first.get(f"{live.url}/").url.path == "/"
    with httpx.Client(trust_env=False, follow_redirects=True) as second:
        assert second.get(link).status_code == 410
        assert second.get(f"{live.url}/").url.path == "/login/"


def test_nothing_is_open_without_a_login_or_a_key(live: Live) -> None:
    assert httpx.get(f"{live.url}/", trust_env=False).headers["location"].startswith("/login/")
    assert httpx.get(f"{live.url}/api/v1/memories", trust_env=False).status_code == 401


def test_static_files_are_hashed_compressed_and_kept_for_ever(live: Live) -> None:
    page = httpx.get(f"{live.url}/login/", trust_env=False).text
    sheet = next(part for part in page.split('"') if part.endswith(".css"))
    answer = httpx.get(live.url + sheet, trust_env=False, headers={"Accept-Encoding": "gzip"})
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"


def test_a_second_app_on_the_same_folder_is_refused_in_one_line(live: Live) -> None:
    refused = manage("up", "--port", "0", "--no-browser", data=live.data)
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1 and str(live.process.pid) in refused.stderr
    assert "in use" in refused.stderr and "--data" in refused.stderr
    assert told_in(live.data) is not None
    assert httpx.get(f"{live.url}/api/v1/health/ready", trust_env=False).status_code == 200


def test_a_port_in_use_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = manage("up", "--port", str(port), "--no-browser", data=tmp_path)
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1 and f"Port {port}" in refused.stderr and "--port" in refused.stderr


@pytest.mark.slow
def test_a_signal_ends_it_cleanly_and_it_starts_again(tmp_path: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with live_app(tmp_path) as app:
            app.process.send_signal(number)
            assert app.process.wait(20) == 0
        assert not (tmp_path / "server.json").exists()
        assert not [line for line in app.output if "Traceback" in line]


@pytest.mark.slow
def test_a_killed_app_leaves_nothing_that_stops_the_next_start(tmp_path: Path) -> None:
    with live_app(tmp_path) as app:
        with app.client() as client:
            written = client.post("/memories", json={"text": "The kettle is descaled in May."}).json()
        app.process.kill()
        app.process.wait(10)
    assert (tmp_path / "server.json").exists()
    assert running_in(tmp_path) is None
    with live_app(tmp_path) as app, app.client() as client:
        assert client.get(f"/memories/{written['id']}").json()["text"] == "The kettle is descaled in May."


def test_a_folder_that_cannot_be_made_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = manage("up", "--no-browser", data=tmp_path / "file" / "data")
    assert refused.returncode == 1 and refused.stderr.count("\n") == 1


def test_the_secret_and_the_local_key_are_in_no_output(live: Live) -> None:
    secret = (live.data / "secret.key").read_text().strip()
    said = "\n".join(live.output)
    assert live.key not in said and secret not in said


def test_the_server_file_is_plain_json(live: Live) -> None:
    assert set(json.loads((live.data / "server.json").read_text())) == {"url", "key", "pid"}
    assert isinstance(live.process, subprocess.Popen)


def test_the_listening_socket_says_that_it_is_tcp_so_that_answers_are_sent_at_once() -> None:
    with contextlib.closing(bind("127.0.0.1", 0)) as listener:
        assert listener.proto == socket.IPPROTO_TCP
