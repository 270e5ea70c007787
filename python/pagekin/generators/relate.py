"""The related pages of each document of a site, by an index that lives as long as the question.

Documents are indexed as they are, without what a theme puts around them. So their words and links
are those of the author, and lists of related pages of an earlier build are no evidence.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from urllib.parse import urljoin

from pagekin import _core
from pagekin.engines.build import build
from pagekin.errors import UnknownPage
from pagekin.export.reasons import reason_words
from pagekin.generators.documents import Document, RelatedDocument, RelatedDocuments
from pagekin.generators.html import has_words
from pagekin.generators.list_settings import ListSettings
from pagekin.generators.versions import version_folders
from pagekin.index import IndexReader
from pagekin.query.filters import Filters
from pagekin.query.question import Question, resolve
from pagekin.query.related import find
from pagekin.work.threads import map_to_list

__all__ = ["relate"]

BASE = "http://site.invalid/"
"""The address of a site that does not have one yet."""
TERMS_ALONE = _core.ExplanationLimits(
    terms=8, concepts=0, concept_words=0, citations=0, snippet_words=0
)
"""The reasons that a list needs: quotations and snippets would take most of the time."""
WORDS = 20
"""Words that a page must have outside of links to be related to others."""


def relate(
    documents: Sequence[Document], settings: ListSettings, base: str | None = None
) -> RelatedDocuments:
    """The related pages of each document that has some. `base` is the address of the site."""
    address = _address(base)
    wanted = [each for each in documents if each.wanted and not settings.excludes(each.name)]
    shown = [each for each in wanted if has_words(each.body, WORDS)]
    if len(shown) < 2:
        return RelatedDocuments()
    with tempfile.TemporaryDirectory(prefix="pagekin-") as folder:
        warc, index = Path(folder) / "documents.warc", Path(folder) / "index"
        _write(warc, wanted, address)
        build(warc, index)
        return _DocumentIndex(IndexReader(index), shown, settings, address).answer()


def _address(base: str | None) -> str:
    """The address of the site as a folder; a made-up one, if the site has no complete address."""
    address = f"{base.rstrip('/')}/" if base else BASE
    return address if _core.canonical(address) else BASE


def _write(warc: Path, documents: Sequence[Document], base: str) -> None:
    """The documents as a crawl."""
    with warc.open("wb") as file:
        for each in documents:
            page = f"<!DOCTYPE html><title>{escape(each.title)}</title>{each.body}"
            body = page.encode("utf-8", "replace")
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
            head = (
                "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
                f"WARC-Target-URI: {urljoin(base, each.path)}\r\nContent-Length: {len(http)}\r\n"
            )
            file.write(head.encode() + b"\r\n" + http + b"\r\n\r\n")


class _DocumentIndex:
    """An index of documents, and which of them may be shown."""

    def __init__(
        self, index: IndexReader, shown: Sequence[Document], settings: ListSettings, base: str
    ) -> None:
        self._index = index
        self._settings = settings
        self._base = base
        self._shown = shown
        self._by_url = {self._url(each.path): each for each in shown}
        self._versions = version_folders(each.path for each in shown)
        # Whoever may not be shown must not take the place of others.
        spare = index.manifest.counts["pages"] - len(shown)
        self._deep = (settings.k + spare) * (1 + len({*self._versions.values()}))

    def answer(self) -> RelatedDocuments:
        """The related pages of all documents."""
        answers = map_to_list(self._related, self._shown, os.cpu_count() or 1)
        failed = [each.name for each, one in zip(self._shown, answers, strict=True) if one is None]
        found = zip(self._shown, answers, strict=True)
        return RelatedDocuments({each.path: one for each, one in found if one}, failed)

    def _related(self, document: Document) -> list[RelatedDocument] | None:
        """The related pages of one; nothing if it is not in the index."""
        version = self._versions.get(document.path)
        filters = Filters(
            k=self._deep,
            min_score=self._settings.min_score,
            exclude_linked=self._settings.exclude_linked,
            prefix=self._url(version) if version else None,
        )
        try:
            question = resolve(self._index, Question.about(self._url(document.path)))
        except UnknownPage:
            return None
        hits = [*self._chosen(find(self._index, question, filters).hits, version)]
        with self._index.blaming():
            model = self._index.core_strategy, self._index.concepts
            explained = self._index.searcher.explain(
                model, question.bag, question.like, hits, TERMS_ALONE
            )
        return [self._link(each) for each in explained]

    def _link(self, explained: _core.Explanation) -> RelatedDocument:
        to = self._by_url[explained.page.url]
        words = reason_words(term.word for term in explained.terms)
        return RelatedDocument(to.path, to.title, words)

    def _chosen(
        self, hits: Sequence[_core.ScoredPage], version: str | None
    ) -> Iterator[_core.ScoredPage]:
        """The first hits that may be shown; of the versions of a page the first."""
        seen: set[str] = set()
        for hit in hits:
            page = self._by_url.get(self._index.searcher.page_meta(hit.page).url)
            if page is None:
                continue
            name = page.path if version else self._unversioned(page.path)
            if name not in seen:
                seen.add(name)
                yield hit
            if len(seen) == self._settings.k:
                return

    def _unversioned(self, path: str) -> str:
        """The part of the path that the versions of a page share."""
        if (folder := self._versions.get(path)) is None:
            return path
        parent, slash, _ = folder.rstrip("/").rpartition("/")
        return f"{parent}{slash}{path.removeprefix(folder)}"

    def _url(self, path: str) -> str:
        """The address of a path as the index knows it."""
        url = urljoin(self._base, path)
        return _core.canonical(url) or url
