"""What is typed at a command: whatever bytes they are, one line says what is wrong."""

from __future__ import annotations

import os

import pytest

from memoryapp.management.commands.login import Command

ODD = os.fsdecode(b"\xff\xfe")  # as bytes that are no UTF-8 come in


@pytest.mark.django_db
def test_bytes_that_are_no_words_are_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        Command().handle(person=ODD, json=False)
    assert ended.value.code == 1
    assert capsys.readouterr().err == "What was typed cannot be used: words are UTF-8.\n"
