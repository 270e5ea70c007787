"""The list of related pages as HTML, and text taken out of HTML."""

import html
import re
from collections.abc import Iterator, Sequence

from pagekin import _core

__all__ = ["has_words", "nav", "plain_text"]

CLASS = "pagekin-related"
_TOKEN = re.compile(r"<!--.*?-->|<(/?)([a-zA-Z][^\s/>]*)[^>]*>|[^<]+|<", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
UNREAD = frozenset({"a", "script", "style", "nav"})
"""Elements whose words are not those of the page itself."""
MIN_CHARACTERS = 400
"""Characters of a page after which its words are counted for the first time."""


def nav(heading: str, links: Sequence[tuple[str, str, str]]) -> str:
    """A list of links, each an address, a title and a reason, which may be empty."""
    # `simple` is what Sphinx calls a list whose entries are short; themes give those their dots.
    items = "".join(_item(*link) for link in links)
    shown = html.escape(heading)
    return (
        f'<nav class="{CLASS}" aria-label="{shown}">\n<h2>{shown}</h2>\n'
        f'<ul class="simple">\n{items}</ul>\n</nav>'
    )


def _item(address: str, title: str, reason: str) -> str:
    link = f'<a href="{html.escape(address)}">{html.escape(title)}</a>'
    return f"<li>{link}{f'<br><small>{html.escape(reason)}</small>' if reason else ''}</li>\n"


def plain_text(markup: str) -> str:
    """The text of a title that may have markup, on one line."""
    return " ".join(html.unescape(_TAG.sub("", markup)).split())


def has_words(body: str, min_words: int) -> bool:
    """Whether a page has this many words outside of links; reads no more of it than it must."""
    read, size = [], 0
    for text in _texts(body):
        read.append(text)
        size += len(text)
        if size > MIN_CHARACTERS:
            if _count(read) >= min_words:
                return True
            size = 0
    return _count(read) >= min_words


def _count(texts: list[str]) -> int:
    return len(_core.words_of(html.unescape(" ".join(texts))))


def _texts(body: str) -> Iterator[str]:
    """The texts of a page outside of links, as far as plain markup tells."""
    unread = 0
    for token in _TOKEN.finditer(body):
        end, name = token[1], token[2]
        if name is None:
            if not unread and not token[0].startswith("<"):
                yield token[0]
        elif name.lower() in UNREAD:
            unread = max(unread + (-1 if end else 1), 0)
