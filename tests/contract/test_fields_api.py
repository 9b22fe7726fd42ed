"""Every place of every operation of the API takes strange values: nothing breaks, each refusal says what is wrong, and
what is held afterwards is whole.

Each place gets one of the values, and each value comes somewhere; by default that is every third place, in --long all
of them. MEMORY_TEST_FIELDS=all puts each value into each place, which takes half an hour.
"""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.contract.fields import ALL, EVERY, TEXTS, written
from tests.contract.fields_api import operations, put
from tests.contract.fields_ground import SOME, Ground, Sample, ground, some  # noqa: F401 - a fixture

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")


def test_every_place_of_every_body(ground: Ground, in_full: bool) -> None:  # noqa: F811
    turns, sample = some(ALL, most=1), Sample(in_full)
    for asked in operations():
        base = ground.pointed(asked.example)
        for place in sample.of(asked.places):
            for name in next(turns):
                body, told = written(put(base, place, ALL[name])), f"{asked.name} {place} {name}"
                ground.ask(asked.method, ground.filled(asked.address), body, told)
    fewest = 40_000 if EVERY else 500 if in_full else 500 // SOME
    assert ground.asked > fewest, "the document has fewer places than it had"
    print(f"{ground.asked:,} requests")
    ground.finish()


def test_every_parameter_of_every_address(ground: Ground, in_full: bool) -> None:  # noqa: F811
    turns, sample = some(TEXTS, most=1), Sample(in_full)
    for asked in operations():
        body = b"" if asked.example is None else written(ground.pointed(asked.example))
        for parameter in sample.of(asked.query):
            for name in next(turns):
                said = quote(TEXTS[name].encode("utf-8", "surrogatepass"))
                address = f"{ground.filled(asked.address)}?{parameter}={said}"
                ground.ask(asked.method, address, body, f"{asked.name} ?{parameter} {name}")
        for parameter in sample.of(asked.path):
            for name in next(turns):
                address = ground.filled(asked.address, **{parameter: TEXTS[name]})
                ground.ask(asked.method, address, body, f"{asked.name} {{{parameter}}} {name}")
    print(f"{ground.asked:,} requests")
    ground.finish()
