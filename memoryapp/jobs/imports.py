"""Imports as the doors ask for them: a file that was sent, kept until its job is done. Goes out: a job."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from memoryapp.accounts.spaces import open_space
from memoryapp.domain.change import Actor
from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput, Clash, TooLarge
from memoryapp.domain.identity import new_id
from memoryapp.jobs.models import Job
from memoryapp.jobs.pipeline import submit
from memoryapp.jobs.sources import upload_file
from memoryapp.transfer import foreign
from memoryapp.transfer.archive import is_export, open_export
from memoryapp.transfer.report import PALIMPSEST
from memoryapp.transfer.restore import not_empty

MOST_BYTES = 4 * 1024**3  # of one file


def move_in(
    space: str,
    name: str,
    chunks: Iterable[bytes],
    *,
    actor: Actor,
    form: str = "",
    merge: bool = False,
    dry_run: bool = False,
) -> Job:
    """The job that imports a file. `form` names what it is; “” has it recognised. `merge`: of our own exports only the
    memories, beside what is there. Raises BadInput for what nobody here can read, TooLarge, and Clash for an export
    that meets a space with something in it and is not to be merged."""
    plain = clean(Path(name.replace("\\", "/")).name).strip()[-50:].lstrip(".")
    if not plain:
        raise BadInput("The upload has no usable file name.", field="/upload")
    kept = f"{new_id()}-{plain}"
    _keep(upload_file(kept), chunks)
    try:
        found = form_of(upload_file(kept), called=plain, form=form)
        if found == PALIMPSEST and not merge and not dry_run:
            _check_empty(space)
        arguments = {"upload": kept, "name": plain, "form": found, "merge": merge, "dry_run": dry_run}
        return _submit(space, arguments, actor=actor)
    except BaseException:
        upload_file(kept).unlink(missing_ok=True)
        raise


def move_in_for_real(job: Job, *, actor: Actor) -> Job:
    """The import that a dry run was the rehearsal of. Raises Clash for any other job, and where its file is gone."""
    if job.kind != "import" or not job.arguments.get("dry_run"):
        raise Clash("Only a dry run can be carried out for real.")
    if not upload_file(job.arguments["upload"]).is_file():
        raise Clash("The file of this dry run is no longer here. Upload it once more.")
    if job.arguments["form"] == PALIMPSEST and not job.arguments["merge"]:
        _check_empty(job.space)
    return _submit(job.space, {**job.arguments, "dry_run": False}, actor=actor)


def form_of(path: Path, *, called: str, form: str = "") -> str:
    """What a file is: `palimpsest` for our own exports, else a form of transfer.foreign. Raises BadInput."""
    if form and form != PALIMPSEST:
        if form not in foreign.FORMS:
            known = ", ".join([PALIMPSEST, *foreign.FORMS])
            raise BadInput(f"“{form[:40]}” is no form that can be read. Known: {known}.", field="/form")
        return form
    if form or is_export(path):
        open_export(path, called=called)  # says what is wrong with it before anybody waits for a job
        return PALIMPSEST
    found = foreign.recognise(path)
    if found is None:
        known = ", ".join(one.label for one in foreign.FORMS.values())
        raise BadInput(
            f"{called} is in none of the forms that can be read: Palimpsest export, {known}.", field="/upload"
        )
    return found


def _check_empty(space: str) -> None:
    if said := not_empty(open_space(space)):
        raise Clash(said, field="/merge")


def _submit(space: str, arguments: dict[str, Any], *, actor: Actor) -> Job:
    return submit("import", space=space, arguments=arguments, actor=actor, subject=f"import:{space}")


def _keep(file: Path, chunks: Iterable[bytes]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    size = 0
    try:
        with file.open("xb") as out:
            for chunk in chunks:
                size += len(chunk)
                if size > MOST_BYTES:
                    raise TooLarge(f"A file to import may have {MOST_BYTES >> 30} GiB.", field="/upload")
                if shutil.disk_usage(file.parent).free < 2 * size:
                    raise BadInput("There is too little room on the disk for this file.", field="/upload")
                out.write(chunk)
        if not size:
            raise BadInput("The file is empty.", field="/upload")
    except BaseException:
        file.unlink(missing_ok=True)
        raise
