"""The language of a text, by its script or by its words."""

from __future__ import annotations

import pytest

from memoryapp.text.language import language_of


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "Yesterday we walked along the river until it got dark, and then we cooked soup."),
        ("de", "Gestern sind wir am Fluss entlanggelaufen, bis es dunkel wurde, und haben Suppe gekocht."),
        ("es", "Ayer caminamos por el río hasta que anocheció y después hicimos una sopa."),
        ("fr", "Hier nous avons marché le long de la rivière, puis nous avons fait une soupe."),
        ("ko", "어제는 어두워질 때까지 강을 따라 걸었어요."),
        ("ja", "昨日は暗くなるまで川沿いを歩いて、スープを作りました。"),
        ("zh", "昨天我们沿着河边散步到天黑,然后煮了汤。"),
    ],
)
def test_a_sentence_is_told_by_its_language(code: str, text: str) -> None:
    assert language_of(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "Lena",
        "https://example.org/a/b?c=d",
        "[private] [secret: API key]",
        "```\nfor (const row of rows) { await store.put(row); }\n```",
        "/var/log/app/web.log /etc/nginx/nginx.conf",
        "x" * 100_000 + "_1",
    ],
)
def test_what_is_in_no_language_is_told_to_be_in_none(text: str) -> None:
    assert language_of(text) == ""


def test_english_around_code_is_english() -> None:
    text = "The worker crashed again while it was reading the queue:\n```\npanic: nil map at main.go:12\n```"
    assert language_of(text) == "en"


def test_a_korean_sentence_with_english_names_is_korean() -> None:
    assert language_of("오늘 Kubernetes 배포가 실패해서 Grafana 대시보드를 봤어요") == "ko"
