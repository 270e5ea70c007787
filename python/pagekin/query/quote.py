"""Quoting the words around links, each anchor in brackets."""

from collections.abc import Iterator, Sequence

__all__ = ["Window", "quote"]

Window = tuple[int, int, int, int]
"""Of the words `from..to` those of `first..last` are the anchor: from, first, last, to."""

ASIDE = 8
"""Words quoted on each side of an anchor at the most."""


def quote(words: Sequence[str], windows: Sequence[Window]) -> str:
    """The windows in their order on the page; those that touch are quoted as one."""
    spans: list[list[int]] = []
    for start, first, last, stop in sorted(set(windows)):
        begin, end = max(start, first - ASIDE), min(stop, last + ASIDE)
        if spans and begin <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([begin, end])
    anchors = [(first, last) for _, first, last, _ in windows]
    return " … ".join(" ".join(_marked(words, begin, end, anchors)) for begin, end in spans)


def _marked(
    words: Sequence[str], begin: int, end: int, anchors: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """The words of a span, brackets around anchors; an anchor without words is `[]`."""
    for place in range(begin, min(end, len(words)) + 1):
        if (place, place) in anchors:
            yield "[]"
        if place < min(end, len(words)):
            opens = "[" * any(first == place < last for first, last in anchors)
            closes = "]" * any(first < last == place + 1 for first, last in anchors)
            yield f"{opens}{words[place]}{closes}"
