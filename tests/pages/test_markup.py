"""What the tests of pages rest on: `collapse` drops the white space that nobody sees, and no other."""

from __future__ import annotations

import pytest

from tests.markup import collapse


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("<p>\n  one\n  two\n</p>\n<p>three</p>", "<p>one two</p><p>three</p>"),
        ("<p>one <b>two</b>, <i>three</i> </p>", "<p>one <b>two</b>, <i>three</i></p>"),
        ("<li>\n  <a>one</a>\n  <a>two</a>\n</li>", "<li><a>one</a> <a>two</a></li>"),
        ("<td><a> one </a> <b> two</b> </td>", "<td><a>one </a><b>two</b></td>"),
        ("one\n<button>\n  two\n</button>\nthree", "one <button>two</button> three"),
        ("<a\n  class=' x'\n  href='/?q=a  b'\n>one</a\n>", "<a class=' x' href='/?q=a  b'>one</a>"),
        ('<i class="\n  tag\n  ">one</i><br />two', '<i class="tag">one</i><br/>two'),
        ("<pre>\n one\n  <b> two</b>\n</pre> <p> three </p>", "<pre>\n one\n  <b> two</b>\n</pre><p>three</p>"),
        ('<p class="words pre"> one\n <i> two </i></p> three', '<p class="words pre"> one\n <i> two </i></p>three'),
        ("one <!-- two --> three", "one three"),
    ],
)
def test_white_space_stays_where_it_is_seen(written: str, seen: str) -> None:
    assert collapse(written) == seen
    assert collapse(seen) == seen
