"""Secrets are masked where they are certain, and nothing else is. They are put together here, so that no scanner takes
this file for a leak."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.secrets import is_masked, is_private, mask, mask_private, mask_private_lines, mask_secrets

LONG = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d"
HEX = "0123456789abcdef" * 4
JWT = "eyJ" + LONG + ".eyJ" + LONG + "." + LONG

SECRETS = {
    "API key": [
        "AKIA" + "IOSFODNN7QUARTZZ", "ghp_" + LONG[:36], "github_pat_" + LONG + LONG, "glpat-" + LONG[:20],
        "xoxb-" + "123456789012-" + LONG[:24], "sk-ant-" + "api03-" + LONG, "sk-proj-" + LONG, "sk-" + LONG,
        "sk_" + "live_" + LONG[:24], "AIza" + LONG[:35], "npm_" + LONG[:36], "pypi-" + LONG + LONG,
        "hf_" + LONG[:34], "SG." + LONG[:22] + "." + LONG, JWT, "123456789:AA" + LONG[:33],
        "pal_" + "1a2b3c4d_" + LONG,
    ],
    "private key": [
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE" + LONG + "\n-----END RSA PRIVATE KEY-----",
    ],
    "card number": ["4111 1111 1111 1111", "5500-0055-5555-5559", "378282246310005", "6011000990139424"],
}  # fmt: skip
TOLD = [
    ("The password is hunter2!x, keep it.", "hunter2!x,"),
    ("my wifi password for the flat is Rainy-Day-42", "Rainy-Day-42"),
    ("pw: tr0ub4dor&3", "tr0ub4dor&3"),
    ("Das Passwort ist Blau7kraut.", "Blau7kraut."),
    ("la contraseña es Perro2019", "Perro2019"),
    ("le mot de passe est Chat-noir8", "Chat-noir8"),
    ("비밀번호는 sunny88! 이야", "sunny88!"),
    ("パスワードはneko2020です", "neko2020"),
    ("密码是panda777", "panda777"),
    ("PIN is 4821 for the bike lock", "4821"),
    ("DB_PASSWORD=s3cr3t-value", "s3cr3t-value"),
    ('{"api_key": "' + LONG + '"}', LONG),
    ("export AWS_SECRET_ACCESS_KEY=" + LONG, LONG),
    ("client_secret: " + HEX[:32], HEX[:32]),
    ("postgres://app:Wint3r@db.internal/orders", "Wint3r"),
    ("Authorization: Bearer " + LONG, LONG),
]
KEPT = [
    "The password is too long for the form.", "I forgot my password again.", "password is stored hashed",
    "What is the password?", "The secret ingredient is nutmeg.", "password: <your password>", "TOKEN=$GITHUB_TOKEN",
    "api_key = os.environ['OPENAI_API_KEY']", "token: process.env.TOKEN", "password=YOUR_PASSWORD", "API_KEY=xxxxxxxx",
    "secret: ********", "password is hidden", "The pin is missing from the board.", "Commit " + HEX[:40] + " broke it.",
    "Order 4711 0815 1234 5678 was shipped.", "Call me at +49 170 1234567.", "ISBN 978-3-16-148410-0",
    "IBAN DE89 3704 0044 0532 0130 00", "id 550e8400-e29b-41d4-a716-446655440000", "at 2026-11-24T02:55:00.123456Z",
    "The token is refreshed daily.", "Our password policy is strict.", "passwords are rotated", "0000 0000 0000 0000",
    "sk-learn is a library", "The key to it is patience.", "https://example.org:8080/path", "http://user@host/",
    "Basic understanding of it", "Bearer of bad news", "She passed, word for word.", "1234567890123456789012345",
    "비밀번호를 잊었어", "密码忘了", "mot de passe oublié", "tokens per second: 120", "max_tokens: 4096",
    "a secret: nobody knows", "Mein Passwort ist weg",
]  # fmt: skip


@pytest.mark.parametrize(("kind", "secret"), [(kind, one) for kind, those in SECRETS.items() for one in those])
def test_a_secret_of_a_known_form_is_masked_wherever_it_stands(kind: str, secret: str) -> None:
    assert mask_secrets(f"Here: {secret} and so on") == (f"Here: [secret: {kind}] and so on", (kind,))


def test_a_private_key_that_was_cut_off_is_masked_to_the_end() -> None:
    cut = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl" + LONG
    assert mask_secrets(f"Here: {cut}") == ("Here: [secret: private key]", ("private key",))


def test_what_is_marked_private_is_masked() -> None:
    assert mask_private("I owe <private>Jonas 900</private> euros.") == "I owe [private] euros."
    assert mask_private("Fine. <PRIVATE>a\nb") == "Fine. [private]"
    assert is_masked("[private] [secret: API key].") and not is_masked("Fine. [private]")


@pytest.mark.parametrize(
    ("said", "shown", "in_a_file"),
    [
        ("a <private>b <private>c</private> d</private> e", "a [private] e", "a [private] e"),
        ("a <private>b</private> c <private>d</private> e", "a [private] c [private] e", "a [private] c [private] e"),
        ("a <private>b\n<private>c\n</private> d", "a [private]", "a <private>b\n[private]\n d"),
        ("a </private> b <private>c\n</private> d", "a </private> b [private] d", "a </private> b [private]\n d"),
        ("a <private></PRIVATE> b", "a [private] b", "a [private] b"),
        ("a < private>b</private> c", "a < private>b</private> c", "a < private>b</private> c"),
    ],
)
def test_a_private_stretch_ends_where_its_own_tag_is_closed(said: str, shown: str, in_a_file: str) -> None:
    assert mask_private(said) == shown
    assert mask_private_lines(said) == in_a_file
    assert mask_private_lines(said).count("\n") == said.count("\n")


@given(st.lists(st.sampled_from(["<private>", "</private>", "<PRIVATE>", "\n", "a", "[private]", "pin is 4821x"])))
def test_masking_twice_is_masking_once_and_no_stretch_is_left(parts: list[str]) -> None:
    masked = mask("".join(parts))
    assert mask(masked) == masked and "<private>" not in masked.casefold()


def test_a_text_is_private_where_nothing_else_is_left_of_it() -> None:
    assert is_private("<private>Jonas</private>, my pin is 4821x") is False
    assert is_private("<private>Jonas</private> … 👍") and is_private("<private>")
    assert not is_private("👍") and not is_private("[private]") and not is_private("</private>")


@pytest.mark.parametrize(("said", "secret"), TOLD)
def test_what_is_told_as_a_password_is_masked_and_the_words_around_it_stay(said: str, secret: str) -> None:
    masked, kinds = mask_secrets(said)
    assert kinds
    assert secret.rstrip(".,") not in masked
    before = said.partition(secret)[0]
    assert masked.startswith(before)
    behind = said.partition(secret)[2]
    assert masked == f"{before}[secret: {kinds[0]}]{behind}" and len(kinds) == 1


@pytest.mark.parametrize("text", KEPT)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask_secrets(text) == (text, ())


@pytest.mark.parametrize(
    "text", [secret for those in SECRETS.values() for secret in those] + [said for said, _ in TOLD]
)
def test_masking_twice_is_masking_once(text: str) -> None:
    once, _ = mask_secrets(text)
    assert mask_secrets(once) == (once, ())


@given(st.text(max_size=300))
def test_masking_any_text_twice_is_masking_it_once(text: str) -> None:
    once, _ = mask_secrets(text)
    assert mask_secrets(once) == (once, ())


@pytest.mark.parametrize(
    "piece",
    ["a", "password is ", "1", "1 ", "-----BEGIN PRIVATE KEY-----", "eyJ", "sk-", "x_", "://a:", "secret=", "비번",
     "[secret: ", "<private>", "<private>a</private>", "</private>"],
)  # fmt: skip
def test_a_megabyte_of_anything_is_read_in_a_line(piece: str) -> None:
    mask(piece * (1_000_000 // len(piece)))
