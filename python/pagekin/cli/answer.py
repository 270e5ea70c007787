"""Related pages as people read them: whole lines in a pipe; colours and cut lines on a terminal."""

import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

from rich.console import Console
from rich.text import Text

from pagekin.cli.summary import counted, printable
from pagekin.query import Subject, subjects
from pagekin.types import Citation, Hit, Query, Related

__all__ = ["about", "answer_text", "brief", "print_answer"]

Line = list[tuple[str, str]]
"""A line as parts, each with its style on a terminal."""

TERMS = 6
"""Terms that a person is shown."""
SUBJECTS = 2
"""Subjects that a person is shown."""
QUOTED = 100
"""Letters of a quotation that a person is shown."""
INDENT = " " * 24
EIGHTHS = " ▏▎▍▌▋▊▉█"


def print_answer(answer: Related, out: TextIO | None = None) -> None:
    """Print the answer as suits the place where it goes to."""
    out = out or sys.stdout
    if not out.isatty():
        print(answer_text(answer), file=out)
        return
    console = Console(file=out, highlight=False)
    for line in _lines(answer):
        console.print(Text.assemble(*line), no_wrap=True, overflow="ellipsis")


def answer_text(answer: Related) -> str:
    """The answer as plain lines."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in _lines(answer))


def _lines(answer: Related) -> Iterator[Line]:
    for line in _whole(answer):
        yield [(printable(text), style) for text, style in line]


def _whole(answer: Related) -> Iterator[Line]:
    yield from _head(answer.query)
    for rank, hit in enumerate(answer.hits, 1):
        yield []
        yield from _hit(rank, hit)
    yield []
    if answer.note:
        yield [(answer.note, "yellow")]
    yield [(f"{counted(len(answer.hits), 'page')} in {answer.took_ms:.1f} ms", "dim")]


def _head(query: Query) -> Iterator[Line]:
    urls = [*filter(None, [query.url]), *query.also]
    names = [(query.title, "bold")] if query.title else []
    names += [(url, "cyan") for url in urls]
    for number, name in enumerate(names or [("the text", "bold")]):
        yield [("           " if number else "related to ", ""), name]
    for url in query.unlike:
        yield [("but unlike ", ""), (url, "cyan")]


def _hit(rank: int, hit: Hit) -> Iterator[Line]:
    title = hit.title or ("(no title)" if hit.crawled else "(not crawled)")
    yield [
        (f"{rank:3}  {hit.score:.3f}  ", "bold"),
        (f"{_bar(hit.score)}  ", "green"),
        (title, "bold" if hit.title else "dim"),
    ]
    yield [(INDENT, ""), (hit.url, "cyan")]
    if hit.why.concepts:
        yield [(f"{INDENT}both about: ", "dim"), *_subjects(hit)]
    if hit.why.terms:
        yield [(f"{INDENT}shared: ", "dim"), *_terms(hit)]
    for mirror in hit.mirrors:
        yield [(f"{INDENT}mirror: ", "dim"), (mirror, "cyan")]
    yield from _citation(hit.why.cited_together_by)


def _bar(score: float) -> str:
    """Ten places, filled by eighths."""
    full, rest = divmod(min(round(score * 80), 80), 8)
    return f"{'█' * full}{EIGHTHS[rest] if rest else ''}".ljust(10, "·")


def _terms(hit: Hit) -> Iterator[tuple[str, str]]:
    for number, term in enumerate(hit.why.terms[:TERMS]):
        yield (", " if number else ""), "dim"
        yield term.term, ""
        yield f" {term.share:.1%}", "dim"
    others = hit.why.other_terms.count + len(hit.why.terms[TERMS:])
    if others:
        yield f" and {others:,} more", "dim"


def _subjects(hit: Hit) -> Iterator[tuple[str, str]]:
    for number, subject in enumerate(subjects(hit.why.concepts)[:SUBJECTS]):
        yield ("; " if number else ""), "dim"
        yield from about(subject)


def about(subject: Subject) -> Iterator[tuple[str, str]]:
    """What pages are about and its share, each with its style."""
    yield str(subject), ""
    yield f"{', …' if subject.words else ''} {subject.share:.1%}", "dim"


def _citation(citations: list[Citation]) -> Iterator[Line]:
    """The first page that links to both, and how many others are known."""
    for cited in citations[:1]:
        yield [(f"{INDENT}linked together by ", "dim"), (cited.url, "cyan")]
        yield [(f"{INDENT}“{brief(cited.words, QUOTED)}”", "italic")]


def brief(words: str, most: int) -> str:
    """A quotation with as many words around its anchors as fit; the anchors are always there."""
    parts = words.split(" ")
    anchors = list(_anchors(parts))
    texts = (_around(parts, anchors, aside) for aside in range(8, -1, -1))
    return next((text for text in texts if len(text) <= most), _around(parts, anchors, 0))


def _anchors(parts: list[str]) -> Iterator[int]:
    """The places of the words in brackets."""
    inside = False
    for place, part in enumerate(parts):
        inside = inside or part.startswith("[")
        if inside:
            yield place
        inside = inside and not part.endswith("]")


def _around(parts: list[str], anchors: Iterable[int], aside: int) -> str:
    near = {place + step for place in anchors for step in range(-aside, aside + 1)}
    kept = [part if place in near else "…" for place, part in enumerate(parts)]
    pairs = zip(["", *kept], kept, strict=False)
    return " ".join(part for before, part in pairs if part != "…" or before != "…")
