"""Third step: as much as fits the budget, layer by layer, each numbered, in the frame that marks it as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memoryapp.context.count import Counter
from memoryapp.context.found import Item, Layer, LayerName, Offer, is_heading
from memoryapp.domain.frame import CLOSING, OPENING, RULE, disarm

HEADINGS = {
    LayerName.SUMMARIES: "What is known:",
    LayerName.TREE: "Pages of the Context Tree:",
    LayerName.FACTS: "Facts, and what was said:",
    LayerName.EXPERIENCES: "Experiences:",
    LayerName.KNOWLEDGE: "Notes and documents:",
}
# At most so much of the budget, as long as the layers behind want the rest. What the tree has, the others give up.
_SHARES = {
    LayerName.SUMMARIES: 0.4,
    LayerName.FACTS: 0.35,
    LayerName.EXPERIENCES: 0.25,
    LayerName.KNOWLEDGE: 0.35,
}
_RULE = f"{RULE} Cite as [n]."
_LEAST = 12  # tokens of a cut item: less is no sentence


@dataclass(slots=True)
class _Page:
    """What is written so far. Tokens are counted part by part; the whole is counted again at the end."""

    count: Counter
    spent: int  # by the frame
    used: int = 0  # by the layers
    number: int = 0
    layers: list[Layer] = field(default_factory=list)


def fit(
    offers: Mapping[LayerName, Sequence[Offer]],
    *,
    budget: int,
    count: Counter,
    tree_share: float = 0.0,
    as_of: datetime | None = None,
) -> tuple[str, int, tuple[Layer, ...]]:
    """(the text, its tokens, the layers). The tokens never exceed the budget: what does not fit is left out, from the
    end, and counted as left out; where not even the frame fits, the text is empty. `tree_share`: of the budget."""
    head = _head(as_of)
    page = _Page(count, spent=count(f"{head}\n") + count(f"\n{CLOSING}"))
    within = max(budget - page.spent, 0)  # what the frame leaves
    wanted = {name: _size(count, group) for name, group in offers.items()}
    shares = _shares(tree_share if wanted.get(LayerName.TREE) else 0.0)
    # The best fact has its room whatever the shares: a small budget is for the answer, not for what surrounds it.
    first = _least_fact(count, offers.get(LayerName.FACTS, ()), within)
    for name, group in offers.items():
        behind = list(offers)[list(offers).index(name) + 1 :]
        kept_back = {one: min(wanted[one], int(shares[one] * within)) for one in behind}
        if name is LayerName.FACTS and not any(layer.items for layer in page.layers):
            kept_back = {one: min(size, max(within - first, 0)) for one, size in kept_back.items()}
        elif LayerName.FACTS in kept_back:
            kept_back[LayerName.FACTS] = max(kept_back[LayerName.FACTS], first)
        _fill(page, name, group, room=within - page.used - sum(kept_back.values()))
    return _shorten_to_budget(page, head, budget)


def _shares(tree: float) -> dict[LayerName, float]:
    return {name: share * (1 - tree) for name, share in _SHARES.items()} | {LayerName.TREE: tree}


def _head(as_of: datetime | None) -> str:
    then = f"\nAs it was believed on {as_of:%Y-%m-%d %H:%M} UTC." if as_of else ""
    return f"{OPENING}\n{_RULE}{then}"


def _size(count: Counter, group: Sequence[Offer]) -> int:
    if not group:
        return 0
    return sum(count(_line(offer, 99, len(offer.pieces))) + 1 for offer in group) + 8


def _least_fact(count: Counter, facts: Sequence[Offer], within: int) -> int:
    """Tokens of the best fact in its short form with the layer's heading; 0 where even that is too much."""
    if not facts:
        return 0
    least = count(f"\n{HEADINGS[LayerName.FACTS]}\n") + count(_line(facts[0], 99, len(facts[0].pieces), short=True)) + 1
    return least if least <= within else 0


def smallest_budget(
    offers: Mapping[LayerName, Sequence[Offer]], *, count: Counter, as_of: datetime | None = None
) -> int:
    """The smallest budget, in tokens, in which any of the offers fits; 0 where there is none."""
    found = [
        count(_text(_head(as_of), [Layer(name.value, (_shortest_item(offer),), 0)]))
        for name, group in offers.items()
        for offer in group
        if any(not is_heading(piece) for piece in offer.pieces)
    ]
    return min(found, default=0)


def _shortest_item(offer: Offer) -> Item:
    pieces = len(offer.pieces) if offer.whole else _fewest_pieces(offer)
    line = _line(offer, 1, pieces, short=True)
    return Item(offer.memory, line, 0, offer.why, 1, inherited_from=offer.inherited_from)


def _fewest_pieces(offer: Offer) -> int:
    """How many pieces say something: a heading, or the line that only says who spoke when, is not enough."""
    said = [n for n, piece in enumerate(offer.pieces, start=1) if not is_heading(piece)]
    return said[min(offer.least, len(said)) - 1] if said else len(offer.pieces) + 1


def _fill(page: _Page, name: LayerName, group: Sequence[Offer], *, room: int) -> None:
    """Takes what fits, in order; one that does not fit is passed over for a shorter one behind it."""
    if not group:
        return
    count = page.count
    heading = count(f"\n{HEADINGS[name]}\n")
    left, items = room - heading, list[Item]()
    for offer in group:
        item = _item(page, offer, number=page.number + 1, room=left)
        if item is not None:
            page.number += 1
            left -= item.tokens
            items.append(item)
    tokens = heading + sum(item.tokens for item in items) if items else 0
    page.used += tokens
    page.layers.append(Layer(name.value, tuple(items), tokens, len(group) - len(items)))


def _item(page: _Page, offer: Offer, *, number: int, room: int) -> Item | None:
    """The offer whole, or as many of its first pieces as fit; None where that is too little."""
    count = page.count

    def made(pieces: int, *, short: bool = False) -> tuple[str, int]:
        line = _line(offer, number, pieces, short=short)
        return line, count(f"{line}\n")

    def item(line: str, tokens: int, *, cut: bool) -> Item:
        return Item(
            offer.memory, line, tokens, offer.why, number, cut, offer.inherited_from, offer.relevance, offer.answer
        )

    fewest = _fewest_pieces(offer)
    if fewest > len(offer.pieces):
        return None
    line, tokens = made(len(offer.pieces))
    if tokens <= room:
        return item(line, tokens, cut=False)
    if offer.short_tail is not None:
        line, tokens = made(len(offer.pieces), short=True)
        if tokens <= room:
            return item(line, tokens, cut=False)
    if offer.whole or room < _LEAST:
        return None
    low, high = 0, len(offer.pieces) - 1
    while low < high:  # the most pieces that fit
        middle = (low + high + 1) // 2
        if made(middle, short=True)[1] <= room:
            low = middle
        else:
            high = middle - 1
    line, tokens = made(low, short=True)
    return item(line, tokens, cut=True) if low >= fewest and tokens <= room else None


def _line(offer: Offer, number: int, pieces: int, *, short: bool = False) -> str:
    """One line an item, whatever its text holds: a line of a note must not look like another item."""
    said = " ".join(" ".join(piece.split()) for piece in offer.pieces[:pieces])
    more = " …" if pieces < len(offer.pieces) else ""
    above = f" (from {offer.inherited_from})" if offer.inherited_from else ""
    tail = offer.tail if offer.short_tail is None or not short else offer.short_tail
    return disarm(f"[{number}] {offer.lead}{said}{more}{tail}{above}")


def _shorten_to_budget(page: _Page, head: str, budget: int) -> tuple[str, int, tuple[Layer, ...]]:
    """Counted as a whole, and shortened from the end while it is over."""
    layers = page.layers
    while True:
        text = _text(head, layers)
        tokens = page.count(text)
        if tokens <= budget:
            return text, tokens, tuple(layers)
        layers = _without_last(layers)


def _text(head: str, layers: Sequence[Layer]) -> str:
    shown = [layer for layer in layers if layer.items]
    if not shown:
        return ""
    blocks = ["\n".join([HEADINGS[LayerName(layer.name)], *(item.text for item in layer.items)]) for layer in shown]
    return "\n".join([head, *(f"\n{block}" for block in blocks), CLOSING])


def _without_last(layers: list[Layer]) -> list[Layer]:
    """Without the last item, which counts as left out."""
    last = max(n for n, layer in enumerate(layers) if layer.items)
    layer, gone = layers[last], layers[last].items[-1]
    kept = layer.items[:-1]
    tokens = layer.tokens - gone.tokens if kept else 0
    shorter = Layer(layer.name, kept, tokens, layer.left_out + 1)
    return [*layers[:last], shorter, *layers[last + 1 :]]
