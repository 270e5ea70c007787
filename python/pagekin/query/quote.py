"""Quoting the words around links, each anchor in brackets."""

from collections.abc import Callable, Iterator, Sequence

__all__ = ["Window", "Words", "quote"]

Words = Callable[[int, int], Sequence[str]]
"""The words of a page from one place up to another, fewer if the page ends before."""

Window = tuple[int, int, int, int]
"""Of the words `from..to` those of `first..last` are the anchor: from, first, last, to."""

ASIDE = 8
"""Words quoted on each side of an anchor at the most."""


def quote(words: Words, windows: Sequence[Window]) -> str:
    """The windows in their order on the page; those that touch are quoted as one."""
    spans: list[list[int]] = []
    for start, first, last, stop in sorted(set(windows)):
        begin, end = max(start, first - ASIDE), min(stop, last + ASIDE)
        if spans and begin <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([begin, end])
    anchors = [(first, last) for _, first, last, _ in windows]
    return " … ".join(" ".join(_marked(words(begin, end), begin, anchors)) for begin, end in spans)


def _marked(words: Sequence[str], begin: int, anchors: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The words from a place on, brackets around anchors; an anchor without words is `[]`."""
    firsts = {first for first, last in anchors if first < last}
    lasts = {last for first, last in anchors if first < last}
    for place, word in enumerate([*words, None], begin):
        if (place, place) in anchors:
            yield "[]"
        if word is not None:
            opens, closes = "[" * (place in firsts), "]" * (place + 1 in lasts)
            yield f"{opens}{word}{closes}"
