"""docker/ cannot be run where the tests are, so what can be checked without it is: the compose file against the
specification's own schema, names that must agree, and rules that every container keeps."""

from __future__ import annotations

import re
import runpy
import shlex
import stat
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from check_jsonschema.builtin_schemas import get_builtin_schema
from django.core.management import get_commands

from memoryapp.jobs.queue import TURNS, WORK, app
from memoryapp.management import serve

ROOT = Path(__file__).resolve().parents[2]
DOCKER = ROOT / "docker"
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "palimpsest"}
DOCKERFILE = (DOCKER / "Dockerfile").read_text()
ONCE = {name for name, service in SERVICES.items() if service["restart"] == "no"}  # these do one thing and end
UNITS = {"m": 1024**2, "g": 1024**3}


def test_the_compose_file_is_as_the_compose_specification_says() -> None:
    schema = get_builtin_schema("vendor.compose-spec")
    validator = jsonschema.validators.validator_for(schema)(schema)
    assert [f"{'/'.join(map(str, error.path))}: {error.message}" for error in validator.iter_errors(COMPOSE)] == []
    broken = {"services": {"web": {"imagine": "palimpsest"}}}
    assert list(validator.iter_errors(broken)), "the schema takes anything"


@pytest.mark.parametrize("name", SERVICES)
def test_everything_a_service_names_is_declared(name: str) -> None:
    service = SERVICES[name]
    assert set(service.get("depends_on", {})) <= set(SERVICES)
    assert set(service.get("networks", [])) <= set(COMPOSE["networks"])
    assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"])
    named = {volume.split(":")[0] for volume in service.get("volumes", []) if re.match(r"[a-z]", volume)}
    assert named <= set(COMPOSE["volumes"])


@pytest.mark.parametrize("name", SERVICES)
def test_every_container_is_held_tight(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_takes_more_than_its_share(name: str) -> None:
    service = SERVICES[name]
    limits = service["deploy"]["resources"]["limits"]
    assert 0 < float(limits["cpus"]) <= 2
    assert 64 * UNITS["m"] <= in_bytes(limits["memory"]) <= 4 * UNITS["g"]
    assert 0 < service["pids_limit"] <= 256
    assert service["logging"]["options"].keys() == {"max-size", "max-file"}


def test_all_that_stay_fit_into_a_machine_of_eight_gigabytes() -> None:
    taken = sum(in_bytes(SERVICES[name]["deploy"]["resources"]["limits"]["memory"]) for name in SERVICES.keys() - ONCE)
    assert taken <= 7.5 * UNITS["g"]


def in_bytes(limit: str) -> float:
    return float(limit[:-1]) * UNITS[limit[-1]]


def test_nothing_that_stays_runs_as_root() -> None:
    told = re.findall(r"^USER (\S+)", DOCKERFILE, re.MULTILINE)
    assert told[-1:] == ["palimpsest"] and re.search(r"useradd --uid [1-9]\d+ .*palimpsest", DOCKERFILE)
    for name in SERVICES.keys() - ONCE - OURS.keys():
        assert re.fullmatch(r"redis|[1-9]\d*:[1-9]\d*", SERVICES[name]["user"]), name
    for name in OURS:
        assert "user" not in OURS[name], "the image's own user is the one that the volumes are made for"


def test_the_one_thing_that_root_does_is_handing_the_volume_over_without_a_network() -> None:
    given = {"volume": "store", "database-volume": "database"}
    assert {name for name in SERVICES if SERVICES[name].get("user") == "root"} == given.keys()
    for name, owner in given.items():
        service = SERVICES[name]
        assert service["entrypoint"][:2] == ["chown", SERVICES[owner]["user"]]
        assert service["entrypoint"][2] == service["volumes"][0].partition(":")[2]
        assert service["volumes"] == SERVICES[owner]["volumes"]
        assert service["cap_add"] == ["CHOWN"] and service["network_mode"] == "none" and name in ONCE
        assert SERVICES[owner]["depends_on"][name] == {"condition": "service_completed_successfully"}
    assert {one for one in SERVICES if SERVICES[one].get("cap_add")} == given.keys()


def test_one_service_makes_the_image_and_the_others_run_it() -> None:
    assert [name for name in SERVICES if "build" in SERVICES[name]] == ["prepare"]
    assert all("prepare" in OURS[name]["depends_on"] for name in OURS.keys() - {"prepare"})


def test_every_process_that_embeds_reads_the_models_folder_and_whatever_beats_reaches_a_broker_elsewhere() -> None:
    for name in ("web", "worker", "turns"):
        assert "models:/models:ro" in SERVICES[name]["volumes"]
        assert SERVICES[name]["environment"]["MEMORY_MODELS_DIR"] == "/models"
    assert all("outside" in service["networks"] for service in OURS.values())


def test_people_are_kept_in_postgresql_unless_the_address_is_set_empty() -> None:
    for service in OURS.values():
        assert (
            service["environment"]["DATABASE_URL"] == "${DATABASE_URL-postgres://palimpsest@database:5432/palimpsest}"
        )
        assert service["environment"]["DATABASE_PASSWORD_FILE"] == "/run/secrets/database_password"


def test_every_image_from_elsewhere_is_of_one_version() -> None:
    foreign = {service["image"] for service in SERVICES.values()} - {"palimpsest"}
    foreign |= {words.split()[1] for words in DOCKERFILE.splitlines() if words.startswith("FROM ")}
    assert foreign and all(re.fullmatch(r"[\w/]+:v?\d+\.\d+(\.\d+)?(-[\w-]+)?", image) for image in foreign), foreign


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - ONCE))
def test_every_service_that_stays_is_watched_and_given_time_to_end(name: str) -> None:
    health = SERVICES[name].get("healthcheck", {})
    assert health.get("test") or (name in OURS and "HEALTHCHECK" in DOCKERFILE)
    assert not health or {"interval", "timeout"} <= health.keys()
    assert SERVICES[name]["restart"] == "unless-stopped"
    assert 5 <= int(SERVICES[name]["stop_grace_period"].removesuffix("s")) <= 60
    assert name not in OURS or SERVICES[name]["init"] is True, "PID 1 passes the signal on"


def test_what_can_be_configured_reaches_every_container_of_ours() -> None:
    assert all(service["env_file"] == [{"path": ".env", "required": False}] for service in OURS.values())
    assert "**/.env" in (DOCKER / "Dockerfile.dockerignore").read_text().splitlines(), "it holds keys"
    assert "docker/.env" in (ROOT / ".gitignore").read_text().splitlines()


def test_one_worker_is_always_free_for_turns_and_another_takes_everything() -> None:
    workers = {name: service["command"] for name, service in OURS.items() if "worker" in service.get("command", [])}
    assert set(workers) == {"worker", "turns"}
    told = dict(zip(workers["turns"], workers["turns"][1:], strict=False))
    assert told["--queues"] == TURNS and told["--concurrency"] == "1" and told["--pool"] == "threads"
    assert "--queues" not in workers["worker"], "told nothing, a worker takes from both"
    assert {TURNS, WORK} == {queue.name for queue in app.conf.task_queues}


def test_the_web_ends_before_its_time_is_up() -> None:
    graceful = re.search(r'"--timeout-graceful-shutdown", "(\d+)"', DOCKERFILE)
    assert graceful is not None
    assert int(graceful[1]) < int(SERVICES["web"]["stop_grace_period"].removesuffix("s"))


def test_a_connection_rests_longer_than_a_proxy_keeps_it() -> None:
    """Else it ends just under the proxy's next request: nginx keeps one for 60 s."""
    kept = re.search(r'"--timeout-keep-alive", "(\d+)"', DOCKERFILE)
    assert kept is not None and int(kept[1]) > 60 and serve.KEEP > 60


def test_the_store_and_the_queue_are_reached_from_inside_alone() -> None:
    for name in ("store", "database", "queue"):
        assert SERVICES[name]["networks"] == ["inside"] and "ports" not in SERVICES[name]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_every_variable_is_one_that_the_settings_know() -> None:
    known = (ROOT / "docs" / "CONFIGURATION.md").read_text()
    for service in OURS.values():
        for variable in service["environment"]:
            assert f"`{variable}`" in known
    for variable in re.findall(r"\b(MEMORY_\w+|DATABASE_URL)=", DOCKERFILE):
        assert f"`{variable}`" in known


def test_no_password_stands_in_a_file_that_is_committed() -> None:
    for file in DOCKER.iterdir():
        if file.is_file():
            assert not re.search(r"(?i)pass(word)?\s*[:=]\s*[a-z0-9]{4,}\s*$", file.read_text(), re.MULTILINE), file
    assert "docker/secrets/" in (ROOT / ".gitignore").read_text().splitlines()
    assert "docker/secrets" in (DOCKER / "Dockerfile.dockerignore").read_text().splitlines()
    for service in OURS.values():
        assert service["environment"]["MEMORY_STORE_PASSWORD_FILE"] == "/run/secrets/store_password"


def test_the_programs_that_containers_start_are_there() -> None:
    from memoryapp.asgi import application
    from memoryapp.celery import app

    assert callable(application)
    assert "memoryapp.jobs.tasks.tick" in {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert '"uvicorn", "memoryapp.asgi:application"' in DOCKERFILE
    for service in OURS.values():
        command = [str(word) for word in service.get("command", [])]
        if command[:1] == ["celery"]:
            assert command[1:3] == ["-A", "memoryapp"]
        if command[:2] == ["python", "manage.py"]:
            assert command[2] in get_commands()
        if "-c" in command:
            compile(command[command.index("-c") + 1], "compose.yaml", "exec")
        for word in service.get("healthcheck", {}).get("test", []):
            assert not str(word).endswith(".py") or (ROOT / str(word)).is_file()


def test_what_the_image_is_told_to_copy_exists_and_the_pinned_torch_is_found() -> None:
    for line in DOCKERFILE.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for source in shlex.split(line)[1:-1]:
                assert (ROOT / source).exists()
    expression = re.search(r"sed -n '([^']+)'", DOCKERFILE)
    assert expression is not None
    found = subprocess.run(["sed", "-n", expression[1], str(ROOT / "pyproject.toml")], capture_output=True, text=True)
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", found.stdout)
    ignored = (DOCKER / "Dockerfile.dockerignore").read_text().splitlines()
    assert not {"memoryapp", "schema", "templates", "static", "manage.py", "README.md", "docker"} & set(ignored)


def test_the_secrets_are_made_once_and_agree(tmp_path: Path) -> None:
    script = tmp_path / "secrets.sh"
    script.write_bytes((DOCKER / "secrets.sh").read_bytes())
    made, others = [], []
    for _ in range(2):
        subprocess.run(["sh", str(script)], check=True, capture_output=True)
        made.append((tmp_path / "secrets" / "store_password").read_text())
        others.append((tmp_path / "secrets" / "database_password").read_text())
    assert others[0] == others[1] != made[0] and re.fullmatch(r"[0-9a-f]{64}", others[0])
    password = made[0].strip()
    assert made[0] == made[1]
    assert re.fullmatch(r"[0-9a-f]{64}", password)
    assert f"SURREAL_PASS={password}" in (tmp_path / "secrets" / "store.env").read_text().splitlines()
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "secrets" / "store.env").stat().st_mode) == 0o600


def test_a_container_without_its_server_is_not_healthy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["healthy.py", "web"])
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: (_ for _ in ()).throw(OSError("refused")))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(DOCKER / "healthy.py"), run_name="__main__")
    assert ended.value.code == 1
    assert "not healthy" in capsys.readouterr().err
