"""docs/CONFIGURATION.md has every setting of a space in the words of the page."""

from __future__ import annotations

from pathlib import Path

from memoryapp.interfaces.settings.fields import GROUPS, with_groups

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "CONFIGURATION.md").read_text(encoding="utf-8")
LONG = 40  # characters of a default from which the docs say where it stands instead


def rows() -> dict[str, list[str]]:
    """The cells of each row of the tables of settings, by the setting's name."""
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in TEXT.splitlines() if "| `" in line]
    return {row[1].strip("`"): row for row in cells if len(row) == 4}


def test_each_group_has_its_heading_in_the_order_of_the_page() -> None:
    places = [TEXT.index(f"\n### {group.name}\n{group.help}.\n") for group in GROUPS]
    assert places == sorted(places)


def test_each_setting_has_its_row() -> None:
    found = rows()
    for _, one in with_groups():
        label, _, default, help = found[one.name]
        assert label == one.label and help.startswith(one.help), one.name
        wanted = str(one.default) if one.choices else one.words_of(one.default) or "empty"
        assert len(wanted) > LONG or default.strip("`").split()[0] == wanted.split()[0], one.name
        assert all(f"`{value}`: " in help for value, _ in one.choices), one.name
    assert set(found) == {one.name for _, one in with_groups()}
