"""Hits as text: whole lines in a pipe; colours and truncated lines on a terminal."""

import sys
from collections.abc import Iterator
from typing import TextIO

from rich.console import Console
from rich.text import Text

from pagekin.cli.output import QUOTED, brief, counted, name_of, printable, subject_parts
from pagekin.query import SearchResults, Subject, both_about
from pagekin.types import Citation, Hit, LinkedPage, Query, Related, Snippet

__all__ = ["answer_text", "print_answer", "search_text"]

Line = list[tuple[str, str]]
"""A line as parts, each with its style on a terminal."""

TERMS = 6
"""Terms shown of a hit."""
WIDTH = 76
"""Characters of a line of a snippet."""
INDENT = " " * 24
EIGHTHS = " ▏▎▍▌▋▊▉█"
_NOT_EXACT = "only likely candidates were compared; --exact compares every page"


def print_answer(answer: Related, out: TextIO | None = None) -> None:
    """Print the answer: in colour on a terminal, as plain lines elsewhere."""
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
    for line in _answer_lines(answer):
        yield [(printable(text), style) for text, style in line]


def _answer_lines(answer: Related) -> Iterator[Line]:
    yield from _head(answer.query)
    for url in answer.copies_of_query:
        yield [("copied at  ", ""), (url, "cyan")]
    for rank, hit in enumerate(answer.hits, 1):
        yield []
        yield from _hit(rank, hit)
    yield from _linked_pages(answer.not_in_crawl)
    yield []
    if answer.note:
        yield [(answer.note, "yellow")]
    took = f"{counted(len(answer.hits), 'page')} in {answer.took_ms:.1f} ms"
    yield [(took if answer.exact else f"{took}; {_NOT_EXACT}", "dim")]


def _linked_pages(pages: list[LinkedPage]) -> Iterator[Line]:
    if pages:
        yield []
        yield [("linked to, not in this crawl", "bold")]
    for page in pages:
        yield [(f"     {page.score:.3f}  ", ""), (page.title or "(no words)", "")]
        yield [(INDENT, ""), (page.url, "cyan")]


def _head(query: Query) -> Iterator[Line]:
    urls = [*filter(None, [query.url]), *query.also]
    names = [(query.title, "bold")] if query.title else []
    names += [(url, "cyan") for url in urls]
    if query.word_share is not None and (urls or not names):
        names.append(("the text", "bold"))
    for number, name in enumerate(names):
        yield [("           " if number else "related to ", ""), name]
    for url in query.unlike:
        yield [("but unlike ", ""), (url, "cyan")]


def _hit(rank: int, hit: Hit) -> Iterator[Line]:
    yield [
        (f"{rank:3}  {hit.score:.3f}  ", "bold"),
        (f"{_bar(hit.score)}  ", "green"),
        (name_of(hit), "bold" if hit.title else "dim"),
    ]
    yield [(INDENT, ""), (hit.url, "cyan")]
    yield from _snippet(hit.snippet, INDENT)
    if hit.why.words is not None:
        parts = f"by words {hit.why.words:.3f}, by similarity {hit.why.similarity:.3f}"
        yield [(f"{INDENT}{parts}", "dim")]
    if about := both_about(hit.why.concepts, hit.site):
        yield [(f"{INDENT}both about: ", "dim"), *_subjects(about)]
    if hit.why.terms:
        yield [(f"{INDENT}shared: ", "dim"), *_terms(hit)]
    for copy in hit.copies:
        yield [(f"{INDENT}copy: ", "dim"), (copy, "cyan")]
    yield from _citation(hit.why.cited_together_by)


def _bar(score: float) -> str:
    """A bar of ten characters, filled in eighths."""
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


def _snippet(snippet: Snippet | None, indent: str) -> Iterator[Line]:
    """A snippet in lines, its words bold."""
    line: Line = []
    length = 0
    for word in _words(snippet) if snippet else ():
        size = sum(len(text) for text, _ in word)
        if line and length + 1 + size > WIDTH:
            yield [(indent, ""), *line]
            line, length = [], 0
        line += [(" ", ""), *word] if line else word
        length += size + (length > 0)
    if line:
        yield [(indent, ""), *line]


def _words(snippet: Snippet) -> Iterator[Line]:
    """The words of a snippet, each as parts with their styles."""
    word: Line = []
    for text, marked in snippet.parts():
        first, *others = text.split(" ")
        word.append((first, "bold" if marked else ""))
        for other in others:
            yield word
            word = [(other, "bold" if marked else "")]
    yield word


def _subjects(about: list[Subject]) -> Iterator[tuple[str, str]]:
    for number, subject in enumerate(about):
        yield ("; " if number else ""), "dim"
        yield from subject_parts(subject)


def _citation(citations: list[Citation]) -> Iterator[Line]:
    """The first page that links to both, with its quotation."""
    for cited in citations[:1]:
        yield [(f"{INDENT}linked together by ", "dim"), (cited.url, "cyan")]
        yield [(f"{INDENT}“{brief(cited.words, QUOTED)}”", "italic")]


def search_text(found: SearchResults) -> str:
    """The pages that a search found, as text."""
    lines = []
    for rank, hit in enumerate(found.hits, found.paging.offset + 1):
        lines += [f"{rank:3}  {hit.score:.3f}  {name_of(hit)}", f"            {hit.url}"]
        shown = _snippet(hit.snippet, " " * 12)
        lines += ["".join(text for text, _ in line) for line in shown]
    lines += ["", f"{counted(found.found, 'page')} found in {found.took_ms:.1f} ms"]
    return "\n".join(map(printable, lines))
