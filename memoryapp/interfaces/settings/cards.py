"""The cards at the head of Settings: the language model, the encoder and the backups of a space, each with how it fares
in plain words and the one thing to do."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from memoryapp.accounts.models import Space as Row
from memoryapp.inference.embedding import universal
from memoryapp.interfaces.health.presenter import last_taken
from memoryapp.interfaces.heartbeat.pages import Backups, backups_of
from memoryapp.interfaces.jobs.presenter import JobView, job_view
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import Desk
from memoryapp.jobs.encoder_trial import last_trial
from memoryapp.jobs.models import OPEN, Job, Status
from memoryapp.jobs.reading import configured_chat_model, kept_fitness
from memoryapp.spaces import Space
from memoryapp.spaces.languages import Languages, language_name, languages_of
from memoryapp.store.backup import LastBackup


@dataclass(frozen=True, slots=True)
class Card:
    """`name`: what is in use; “” where nothing is. `lines`: how it fares. `trouble`: what does not fit or work, and
    what that means. `running`: the job that is at it."""

    name: str
    lines: list[str]
    trouble: str = ""
    running: JobView | None = None


@dataclass(frozen=True, slots=True)
class EncoderCard(Card):
    """`languages`: of the newest texts. `models`: (name, what it reads, whether it is the suggested one) of others that
    one click switches to."""

    languages: Languages | None = None
    models: tuple[tuple[str, str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class BackupCard(Card):
    backups: Backups | None = None


@dataclass(frozen=True, slots=True)
class Cards:
    language_model: Card
    encoder: EncoderCard
    backup: BackupCard | None
    loading: bool

    example = "MEMORY_LLM_URL=http://localhost:11434/v1 MEMORY_LLM_MODEL=qwen2.5:3b"  # a language model as it is set up

    @property
    def alive(self) -> bool:
        """Whether something runs that a card shows."""
        shown = (self.language_model, self.encoder, *([self.backup] if self.backup else []))
        return self.loading or any(card.running for card in shown)


def cards_of(desk: Desk) -> Cards:
    """Backups are shown to who may make them. Raises StoreError."""
    space, row = desk.own, desk.space
    slot = space.encoder
    return Cards(
        language_model=_language_model(space, row),
        encoder=_encoder(space, row),
        backup=_backup(space, row) if desk.may.rule else None,
        loading=slot.begun and not slot.ready and slot.error is None,
    )


def _language_model(space: Space, row: Row) -> Card:
    model, wanted = configured_chat_model(), space.tuning.extractor
    if model is None:
        lines = ["Rules learn facts and write summaries. Nothing leaves this machine."]
        return Card("", lines, "This space asks for a language model; rules are used instead." * (wanted == "llm"))
    state, fit = model.state(), kept_fitness(model)
    lines = [{"ok": "It answers.", "untried": "Not used since startup."}.get(state.status, "")]
    lines.append(f"Test: {fit.told}, {fit.at[:10]}." if fit else "Not tested yet. Until then it only rewords facts.")
    if wanted in ("rules", "off"):
        lines.append("This space does not use it.")
    trouble = ""
    if state.status in ("failing", "down"):
        trouble = f"It does not answer: {state.problem} Rules are used instead."
    elif failed := _failure_text("chat-model", row):
        trouble = failed
    elif fit and not fit.may_reword and not fit.may_extract:
        trouble = "This model is not reliable enough: rules are used instead."
    return Card(model.name, [line for line in lines if line], trouble, _running_job(row, "chat-model"))


def _encoder(space: Space, row: Row) -> EncoderCard:
    slot, running = space.encoder, _running_job(row, "embed", "encoder")
    if slot.error:
        trouble = f"{slot.error} Search uses keywords only."
        return EncoderCard(row.encoder, [], trouble, running, models=_models(row, ""))
    if not slot.ready:
        line = "Loading; search uses keywords until then." if slot.begun else "Not loaded yet; the first search does."
        return EncoderCard(row.encoder, [line], "", running, models=_models(row, ""))
    encoder, found, trial = slot.get(0), languages_of(space), last_trial(row)
    reads = ", ".join(sorted(language_name(code) for code in encoder.languages))
    lines = [
        f"{encoder.dimension} dimensions, up to {encoder.max_tokens} tokens. Reads {reads or 'no known language'}."
    ]
    if trial is not None:
        test, at = trial
        speed = f"{human.number(round(test.texts_a_second))} texts a second, {test.query_ms:.0f} ms for a question"
        lines.append(f"Test: {speed}, {human.ago(at)}.")
    trouble = found.advice or _failure_text("encoder", row) or _failure_text("embed", row)
    return EncoderCard(row.encoder, lines, trouble, running, found, _models(row, found.suggested_model))


def _models(row: Row, suggested: str) -> tuple[tuple[str, str, bool], ...]:
    """Models that are here, beside the one in use."""
    found = [(settings.ENCODER, "the default")]
    if universal.is_installed():
        found.append((universal.NAME, f"{len(universal.UniversalEncoder.languages)} languages"))
    return tuple((name, about, name == suggested) for name, about in found if name != row.encoder)


def _backup(space: Space, row: Row) -> BackupCard:
    found = backups_of(row)
    last = last_taken(space, row.name)
    lines = [f"Last: {_backup_text(last)}." if last else "No backup yet."]
    running = found.standing.running
    trouble = f"The last one failed: {found.failed}" if found.failed else ""
    return BackupCard("", lines, trouble, job_view(running) if running else None, found)


def _backup_text(last: LastBackup) -> str:
    return human.ago(last.at) + (f", {human.size(last.size)}" if last.size else "")


def _running_job(row: Row, *kinds: str) -> JobView | None:
    job = Job.objects.filter(kind__in=kinds, space=row.name, status__in=OPEN).order_by("created_at").first()
    return job_view(job) if job else None


def _failure_text(kind: str, row: Row) -> str:
    """Why the last job of this kind failed, or did not come to its end; “” where it did."""
    last = Job.objects.filter(kind=kind, space=row.name).exclude(status__in=OPEN).order_by("-finished_at").first()
    if last is None:
        return ""
    if last.status == Status.FAILED:
        return f"The last {'test' if kind != 'embed' else 'switch'} failed: {last.error}"
    return str((last.report or {}).get("told", "")) if (last.report or {}).get("problem") else ""
