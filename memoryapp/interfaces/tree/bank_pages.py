"""The Context Tree brought in and taken out: a dry run first, then for good; a zip to take away."""

from __future__ import annotations

from urllib.parse import quote

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods, require_POST

from memoryapp import tree
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.tree.editing import brought_of, brought_told, done, files_of


@require_POST
@page(Role.CURATOR)
def bring(request: PageRequest) -> HttpResponse:
    """With `dry_run` what would change; else it is changed."""
    dry_run = bool(request.POST.get("dry_run"))
    try:
        files = files_of(request.FILES.getlist("files"), request.POST.get("paths", ""))
        brought = tree.bring(
            request.desk.memory,
            files,
            actor=request.desk.actor,
            dry_run=dry_run,
            prune=bool(request.POST.get("prune")),
        )
    except BadInput as error:
        return show(request, "tree/brought.html#", {"problem": error.detail}, status=422)
    if dry_run:
        return show(request, "tree/brought.html#", brought_of(brought))
    return done(request, brought_told(brought), brought.run, to="")


@require_http_methods(["GET", "POST"])
@page()
def take(request: PageRequest) -> HttpResponse:
    """The bank as a zip. Posted by a curator, the nodes remember what was taken out, so that an import of it later
    knows which side changed."""
    marks = request.method == "POST" and request.desk.may.decide
    files = tree.take(request.desk.memory, actor=request.desk.actor if marks else None)
    answer = HttpResponse(tree.zipped(files), content_type="application/zip")
    answer["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(request.desk.space.name)}-tree.zip"
    return answer
