"""What was believed at an instant: the words of then, and the trust of then with its ceiling."""

from __future__ import annotations

from datetime import datetime, timedelta

from memoryapp.context import prompt_context
from memoryapp.review import edit
from memoryapp.spaces import Space
from tests.context.test_context import a_fact, an_episode, layer, remembered, texts
from tests.samples import NOON, PERSON, HandClock


def test_as_of_nothing_is_trusted_more_than_what_it_was_made_from_was_then(space: Space, clock: HandClock) -> None:
    source = a_fact("Minsu has lived in Busan for years.", confidence=0.4)
    made = a_fact("Minsu lives in Busan.", confidence=0.9)
    remembered(space, source, made, derived=[(made.id, source.id)])
    then = clock.now + timedelta(days=1)
    clock.move(days=40)
    edit(space, source.id, {"confidence": 0.8}, actor=PERSON)

    def trust_told(as_of: datetime | None) -> str:
        items = layer(prompt_context(space, "Where does Minsu live?", as_of=as_of), "facts").items
        return next(item.why for item in items if item.memory.id == made.id)

    assert "trust 0.40" in trust_told(then)  # 0.4 × 0.5^(1 / 90), not 0.89
    assert "trust 0.59" in trust_told(None)  # 0.8 × 0.5^(40 / 90)


def test_as_of_an_experience_reads_as_it_read_then(space: Space, clock: HandClock) -> None:
    (episode,) = remembered(space, an_episode("Minsu signed the lease in Seoul.", NOON))
    then = clock.now + timedelta(days=1)
    clock.move(days=2)
    edit(space, episode.id, {"text": "Minsu signed the lease in Busan."}, actor=PERSON)
    assert texts(prompt_context(space, "the lease", as_of=then), "experiences") == ["Minsu signed the lease in Seoul."]
    assert texts(prompt_context(space, "the lease"), "experiences") == ["Minsu signed the lease in Busan."]
