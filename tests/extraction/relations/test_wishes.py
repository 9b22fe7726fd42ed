"""What is wished, over, denied or guessed is not told as if it were so."""

from __future__ import annotations

import pytest

from tests.extraction.relations.told import told


@pytest.mark.parametrize(
    "text",
    [
        "Adam wants to use Nix.",
        "Adam would love to use Nix.",
        "Adam is thinking of using Nix.",
        "Adam might use Nix.",
        "Adam is considering using Nix.",
        "Adam decided to use Nix.",
        "Adam plans to use Nix and Guix.",
        "Adam will use Nix.",
        "Adam hopes to use Nix.",
    ],
)
def test_what_is_wished_is_planned(text: str) -> None:
    assert "Adam uses Nix (planned)" in told(text)
    assert "Adam uses Nix" not in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "Adam doesn't use Nix.",
        "Adam never uses Nix.",
        "Adam used to use Nix.",
        "Adam stopped using Nix.",
        "Adam no longer uses Nix.",
        "Adam doesn't want to use Nix.",
        "If Adam used Nix, builds would be reproducible.",
        "Adam lived in Seoul.",
        "Adam worked at Samsung until 2019.",
        "Adam refuses to use Nix.",
    ],
)
def test_what_is_denied_or_over_is_left_out(text: str) -> None:
    assert told(text) == set()


def test_a_denial_reaches_over_or_and_not_over_but() -> None:
    assert told("I don't use Docker or run Kubernetes.", speaker="Mina") == set()
    assert told("I don't use Docker but I like Podman.", speaker="Mina") == {"Mina prefers Podman"}


def test_what_goes_on_since_long_is_so() -> None:
    assert told("Minsu has been living in Daejeon for three years.") == {"Minsu lives_in Daejeon"}
    assert told("Adam started using Nix.") == {"Adam uses Nix"}
