"""The matrix of doors and roles as docs/ROLES.md shows it: `python -m tests.security.table` writes it anew."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memoryapp.accounts.roles import Role

TABLE = Path(__file__).resolve().parents[2] / "docs" / "ROLES.md"
ROLES = tuple(Role)
HEAD = """# Who may do what

Made from the program itself and compared with it by `tests/security/test_matrix.py`: a door that is not in it is a
failed test. ● may; · is refused. Refused means: without a key or a session 401 by the API, the way to the login page
otherwise; without the role 403; somebody of another space, whatever their role there, 404, as if there were no such
thing. Who is refused changes nothing and is told nothing. *everywhere*: takes the role in every space. Of traces a
reader or a writer sees only the calls that were made with their own role or a lower one; a curator sees all.
[SECURITY.md](SECURITY.md) says what stands behind it.
"""
OPEN = """
## Open to everybody

`GET /api/v1/health/live` and `GET /api/v1/health/ready`; signing in and out at `/login/` and `/logout/`; `/api/docs`,
`/api/v1/openapi.json`, `/api/v1/openapi-agent.json`, `/llms.txt` and `/static/`. None of them tells anything of what is
remembered. What mem0's client may ask of its own service and has no place here answers 501 to anybody.
"""


def written() -> str:
    from tests.security.doors import is_open, operations, pages, shaped_operations

    parts = [HEAD]
    told = [(one.method, one.address, one.needs, one.app) for one in operations() if one.needs]
    parts.append(_table("The JSON API, and every MCP tool by what it calls there", told))
    shaped = [(one.method, one.address, one.needs, False) for one in shaped_operations()]
    parts.append(_table("In the shapes of mem0 and OpenAI", shaped))
    looked = [(page.method, page.address, page.needs, False) for page in pages() if not is_open(page)]
    parts.append(_table("Pages", looked))
    return "".join([*parts, OPEN])


def _table(title: str, lines: Iterable[tuple[str, str, Role | None, bool]]) -> str:
    heads = "| | address | nobody | " + " | ".join(ROLES) + " | of another space |"
    out = [f"\n## {title}\n", heads, "|---|---|" + ":-:|" * (len(ROLES) + 2)]
    for method, address, needs, app in lines:
        assert needs is not None, f"{method} {address} has no role"
        marks = ["●" if role.allows(needs) else "·" for role in ROLES]
        shown = address.replace("|", "\\|")
        out.append(f"| {method} | `{shown}`{' *everywhere*' if app else ''} | · | {' | '.join(marks)} | · |")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    TABLE.write_text(written(), encoding="utf-8")
