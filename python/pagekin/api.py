"""`pagekin.open`: an index, whose methods are the verbs, and `pagekin.evaluate`.

Parts of the package that few verbs need are imported when a method first uses them.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar, Unpack

import pagekin
from pagekin import pairs, query
from pagekin.crawl import SourceName
from pagekin.errors import EngineError, IndexFault, InputError
from pagekin.index import IndexReader, check, sign, verify_signature
from pagekin.index.several import SeveralReaders, members_of, open_indexes
from pagekin.index.tables.dump import dump_table
from pagekin.pairs import Pairs, PairsPart, PairsQuestion
from pagekin.pairs.question import ALPHA, PER_SITE, SITES
from pagekin.query import (
    ArchivedResponse,
    Captures,
    CdxjSummary,
    Comparison,
    CrawlSubject,
    FilterKeywords,
    Filters,
    Neighbourhood,
    Overview,
    PageSelection,
    PageText,
    Question,
    RelatedPart,
    SearchResults,
    SelectionKeywords,
    SiteCard,
    SiteList,
)
from pagekin.replay import ReplayTemplate
from pagekin.strategy import Strategy
from pagekin.types import PageCard, Related
from pagekin.work.outcome import HELD_OUT_LINKS, HELD_OUT_SECTIONS, HeldOutPages
from pagekin.work.progress import Progress
from pagekin.work.settings import HoldOut, Settings
from pagekin.work.threads import map_to_list

if TYPE_CHECKING:
    import pagekin.audit
    import pagekin.evaluation
    import pagekin.evaluation.truths
    import pagekin.export
    from pagekin.audit import Audit, AuditQuestion
    from pagekin.evaluation import (
        Directory,
        Evaluation,
        EvaluationKeywords,
        KnownItemEvaluation,
        SeeAlso,
        SeeAlsoEvaluation,
    )
    from pagekin.export import DataSummary, ExportSummary

T = TypeVar("T")
Answer = TypeVar("Answer", Related, RelatedPart, SearchResults)
IndexPath = str | PathLike[str]

__all__ = ["Index", "evaluate", "evaluate_held_out", "open"]


class Index:
    """A crawl that has been indexed. Safe to use from several threads at once.

    Filters are keywords of every method that finds related pages (`k=5, exclude_site=True`), or
    one `filters=Filters(...)`.
    """

    def __init__(
        self,
        path: IndexPath | Iterable[IndexPath],
        *,
        replay: str | None = None,
        partial: bool = False,
    ) -> None:
        """Open an index in a folder or at an address, or several of one model as one.

        With `replay`, the address of a web archive with {url} and {timestamp}, what was crawled has
        a link to replay it. With `partial`, an index of several that cannot be read is left out,
        and answers say so; otherwise it is an error that names the index.
        """
        given = [path] if isinstance(path, str | PathLike) else path
        self.paths = [fspath(each) for each in given]
        replays = ReplayTemplate.of(replay)
        self._reader: IndexReader | None = open_indexes(self.paths, replay=replays, partial=partial)
        self._partial = partial
        self._overview: Overview | None = None
        self._subjects: list[CrawlSubject] | None = None

    def __enter__(self) -> "Index":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Index({', '.join(map(repr, self.paths))})"

    @property
    def path(self) -> Path:
        """The folder of the index, of several that of the first."""
        return Path(self.paths[0])

    @property
    def left_out(self) -> dict[str, str]:
        """Which of several indexes are not asked, and what is wrong with each."""
        reader = self.reader
        return dict(reader.left_out) if isinstance(reader, SeveralReaders) else {}

    def close(self) -> None:
        """Release the files. Running queries of other threads still finish."""
        self._reader = None

    @property
    def reader(self) -> IndexReader:
        """The tables of the index, and the core's view of them."""
        if self._reader is None:
            raise EngineError("the index is closed", where=str(self.path), advice="open it again")
        return self._reader

    def _only(self, verb: str) -> IndexReader:
        """The tables of the index, for what makes no sense of several."""
        reader = self.reader
        if isinstance(reader, SeveralReaders):
            raise InputError(
                "takes one index at a time, and several are open",
                source=verb,
                advice="open one of them, or make one of all with pagekin merge",
            )
        return reader

    def _ask(self, ask: Callable[[IndexReader], T]) -> T:
        """An answer of the index; of several, if wanted, without those that cannot be read."""
        while True:
            reader = self.reader
            try:
                return ask(reader)
            except IndexFault as fault:
                if not self._partial or not isinstance(reader, SeveralReaders):
                    raise
                rest = reader.without(fault)
                if rest is None:
                    raise
                self._reader = rest

    def _answer(self, ask: Callable[[IndexReader], Answer]) -> Answer:
        """An answer whose note names the indexes that were left out."""
        answer = self._ask(ask)
        told = answer.note
        for path in self.left_out:
            missing = f"answered without {Path(path).name}, which cannot be read"
            told = f"{told}; {missing}" if told else missing
        return replace(answer, note=told)

    @property
    def strategy(self) -> Strategy:
        """The strategy that the index was built with."""
        return self.reader.strategy

    @property
    def fitted(self) -> Strategy:
        """The strategy that bags were weighted by: `strategy`, fitted to the crawl."""
        return self.reader.fitted

    @property
    def counts(self) -> dict[str, int]:
        """How many pages, URLs (`bags`), terms, links and concepts the index has."""
        return dict(self._ask(lambda reader: reader.counts))

    def show(self, url: str, *, terms: int = 10, links: int = 5) -> PageCard:
        """What the index knows about a URL: its origin, its main words and its inlinks."""
        return self._ask(lambda reader: query.show(reader, url, terms=terms, links=links))

    def captures(self, url: str) -> Captures:
        """All captures of a URL that the crawl has: pages, errors, redirects and revisits."""
        return self._ask(lambda reader: query.captures(reader, url))

    def capture(
        self,
        url: str,
        date: str | None = None,
        *,
        source_root: str | PathLike[str] | None = None,
    ) -> ArchivedResponse:
        """The archived response of a URL, read from its archive: the one that is indexed, or the
        one nearest to a date. `source_root` is the folder or the URI that has the archives now."""
        return self._ask(lambda reader: query.capture(reader, url, date, source_root))

    def write_cdxj(self, path: str | PathLike[str]) -> CdxjSummary:
        """Write the captures as CDXJ, sorted by SURT and date, for pywb and other tools."""
        return query.write_cdxj(self._only("a list of captures"), Path(path))

    def write_table(self, table: str, path: str | PathLike[str]) -> int:
        """Write a table of the index as Parquet, packed lists unpacked; returns its rows."""
        return dump_table(self._only("dump"), table, Path(path))

    def text(self, url: str, *, start: int = 0, characters: int = query.CHARACTERS) -> PageText:
        """The text of a crawled page as it is read: a part of so many characters from `start`."""
        return self._ask(lambda reader: query.page_text(reader, url, start, characters))

    def related(
        self,
        url: str | Iterable[str] | Question,
        *,
        unlike: Iterable[str] = (),
        filters: Filters | None = None,
        **keywords: Unpack[FilterKeywords],
    ) -> Related:
        """The pages most similar to one or several pages, and dissimilar to others.

        A `Question` mixes pages, texts and files.
        """
        question = url if isinstance(url, Question) else Question.about(url, unlike)
        wanted = Filters.of(filters, keywords)
        return self._answer(lambda reader: query.related(reader, question, wanted))

    def related_many(
        self,
        urls: Iterable[str],
        *,
        threads: int | None = None,
        filters: Filters | None = None,
        **keywords: Unpack[FilterKeywords],
    ) -> list[Related]:
        """The related pages of each of many pages, in order, answered by several threads."""
        wanted = Filters.of(filters, keywords)

        def answer(url: str) -> Related:
            return self.related(Question.about(url), filters=wanted)

        return map_to_list(answer, urls, threads or os.cpu_count() or 1)

    def related_to_text(
        self, text: str, *, filters: Filters | None = None, **keywords: Unpack[FilterKeywords]
    ) -> Related:
        """The pages most similar to a text that is not in the crawl."""
        return self.related(Question(text=text), filters=filters, **keywords)

    def related_to_file(
        self,
        path: str | PathLike[str],
        *,
        filters: Filters | None = None,
        **keywords: Unpack[FilterKeywords],
    ) -> Related:
        """The pages most similar to an HTML file that is not in the crawl."""
        return self.related(Question(file=fspath(path)), filters=filters, **keywords)

    def related_to_page(
        self, body: bytes, *, filters: Filters | None = None, **keywords: Unpack[FilterKeywords]
    ) -> Related:
        """The pages most similar to an HTML page, given as bytes."""
        return self.related(Question(page=body), filters=filters, **keywords)

    def related_part(
        self,
        question: Question,
        *,
        offset: int = 0,
        filters: Filters | None = None,
        **keywords: Unpack[FilterKeywords],
    ) -> RelatedPart:
        """`k` related pages after the first `offset`; the parts of a list are consistent."""
        wanted = Filters.of(filters, keywords)
        return self._answer(lambda reader: query.related_part(reader, question, wanted, offset))

    def search(
        self, words: str, *, k: int = 10, offset: int = 0, **keywords: Unpack[SelectionKeywords]
    ) -> SearchResults:
        """The pages that best match these words in their title, URL or text, or in links to them.

        Words in quotes must follow each other. Keywords say which pages may be hits: `pages`,
        `site`, `prefix`, `from_date`, `to_date`, `min_length`, `language`.
        """
        wanted = PageSelection(**keywords)
        return self._answer(lambda reader: query.search(reader, words, k, offset, wanted))

    def best_match(self, text: str) -> str:
        """The text itself if it is a URL, else the URL of the first page that its words find."""
        return self._ask(lambda reader: query.best_match(reader, text))

    def recognise_url(self, text: str) -> str | None:
        """The URL that the text is, perhaps without its scheme; nothing if it is other words."""
        return self._ask(lambda reader: query.recognise_url(reader, text))

    def compare(self, one: str, other: str) -> Comparison:
        """Two pages side by side: what they share, and the rank of the other for the one."""
        return self._ask(lambda reader: query.compare(reader, one, other))

    def neighbourhood(
        self, url: str, *, filters: Filters | None = None, **keywords: Unpack[FilterKeywords]
    ) -> Neighbourhood:
        """The related pages of a page, and theirs."""
        wanted = Filters.of(filters, keywords)
        return self._ask(lambda reader: query.neighbourhood(reader, url, wanted))

    def overview(self) -> Overview:
        """Counts of the crawl, its best known sites and pages; computed once."""
        if self._overview is None:
            self._overview = self._ask(query.overview)
        return self._overview

    def languages(self) -> dict[str, int]:
        """How many crawled pages are in each language, the most common first; counted once."""
        with self.reader.blaming():
            return self._ask(lambda reader: dict(reader.languages))

    def sites(self, q: str = "", *, order: str = "pages", k: int = 50, offset: int = 0) -> SiteList:
        """The sites with crawled pages, those only whose name contains `q`: by their number of
        `pages`, by `rank` or by `name`."""
        return self._ask(lambda reader: query.sites(reader, q, order=order, k=k, offset=offset))

    def site(self, site: str, *, k: int = 20, offset: int = 0) -> SiteCard:
        """What the crawl has of a site, given by its host or a URL on it: dates, languages,
        subjects, and `k` of its pages from `offset` on, those of the highest PageRank first."""
        return self._ask(lambda reader: query.site(reader, site, k=k, offset=offset))

    def subjects(self) -> list[CrawlSubject]:
        """What pages of the crawl are about, the most frequent first; computed once."""
        if self._subjects is None:
            self._subjects = self._ask(query.crawl_subjects)
        return self._subjects

    def pairs(
        self,
        keywords: Sequence[str],
        *,
        alpha: float = ALPHA,
        sites: int = SITES,
        per_site: int = PER_SITE,
        directory: "Directory | str | PathLike[str] | None" = None,
    ) -> Pairs:
        """The linked pages of a site that together answer an ordered query.

        The first keyword selects sites, the others select pages. With a directory, it selects the
        sites that are listed in classes of that name.
        """
        question = PairsQuestion(tuple(keywords), alpha, sites, per_site)
        reader = self._only("pairs")
        if directory is None:
            return pairs.find_pairs(reader, question)
        truths = pagekin.evaluation.truths
        read = truths.Directory.of(directory, depth=truths.UNCUT)
        return pairs.find_pairs(reader, question, read.pages_by_class())

    def pairs_part(self, question: PairsQuestion, *, offset: int = 0) -> PairsPart:
        """The pairs of `question.sites` sites after the first `offset`."""
        return pairs.find_pairs_part(self._only("pairs"), question, offset)

    def audit(
        self,
        site: "str | AuditQuestion | None" = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> "Audit":
        """The links of a site for its owner: orphans, dead ends, missing links, duplicates.

        An `AuditQuestion` also says how many missing links to list. Without a site it is the only
        one that was crawled.
        """
        auditing = pagekin.audit
        question = auditing.AuditQuestion(site) if site is None or isinstance(site, str) else site
        reader = self._only("audit")
        return auditing.audit(reader, question, threads=threads, progress=progress)

    def precompute(
        self,
        path: str | PathLike[str],
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        filters: Filters | None = None,
        **keywords: Unpack[FilterKeywords],
    ) -> int:
        """Write every page's related pages as a Parquet table; returns its number of rows."""
        wanted = Filters.of(filters, keywords)
        reader = self._only("precompute")
        return query.precompute(reader, Path(path), wanted, threads=threads, progress=progress)

    def export(
        self,
        folder: str | PathLike[str],
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        filters: Filters | None = None,
        **keywords: Unpack[FilterKeywords],
    ) -> "ExportSummary":
        """Write every crawled page's related pages as files for a static site."""
        wanted = Filters.of(filters, keywords)
        return pagekin.export.export(
            self._only("export"), Path(folder), wanted, threads=threads, progress=progress
        )

    def export_data(
        self,
        file: str | PathLike[str],
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        filters: Filters | None = None,
        **keywords: Unpack[FilterKeywords],
    ) -> "DataSummary":
        """Write the related pages of a site's pages as one JSON file, for templates to read.

        Without `site` the index must be of one host.
        """
        wanted = Filters.of(filters, keywords)
        return pagekin.export.export_data(
            self._only("export"), Path(file), wanted, threads=threads, progress=progress
        )

    def evaluate(
        self,
        directory: "Directory | str | PathLike[str]",
        **keywords: "Unpack[EvaluationKeywords]",
    ) -> "Evaluation":
        """Measure by a hand-made directory how well the index finds related pages.

        Keywords: `depth` of the classes, `similarity` (jaccard or cosine), `run`, a file of
        TREC's format to be evaluated instead of the index, and `queries` and `seed`: how many pages
        to ask about, drawn at random, instead of all.
        """
        reader = self._only("evaluate")
        with reader.blaming():
            return pagekin.evaluation.evaluate(reader, directory, **keywords)

    def evaluate_see_also(
        self, truth: "SeeAlso | str | PathLike[str]", *, run: str | PathLike[str] | None = None
    ) -> "SeeAlsoEvaluation":
        """Measure by what authors list under "See also" how well the index finds related pages.

        `run` is a file of TREC's format to be evaluated instead of the index.
        """
        reader = self._only("evaluate")
        with reader.blaming():
            return pagekin.evaluation.evaluate_see_also(reader, truth, run)

    def evaluate_known_items(self, count: int = 1000, *, seed: int = 0) -> "KnownItemEvaluation":
        """Measure how often titles, sentences and passages bring back the page they are from.

        `count` texts of each kind are drawn from the index with a seed and asked as texts, of
        pagekin and of BM25.
        """
        reader = self._only("evaluate")
        with reader.blaming():
            return pagekin.evaluation.evaluate_known_items(reader, count, seed)

    def sign(self, key: str | PathLike[str]) -> None:
        """Sign the index with the Ed25519 private key of a PEM file."""
        sign(self._only("sign"), key)

    def check(
        self, progress: Progress | None = None, *, signed_by: str | PathLike[str] | None = None
    ) -> None:
        """Verify every checksum and invariant; raises `IndexCorrupt` at the first fault.

        With `signed_by`, the file of a public key, its owner must have signed the index.
        """
        for each in members_of(self.reader):
            if signed_by is not None:
                verify_signature(each, signed_by)
            with each.blaming():
                check(each, progress)
                pairs.check(each)


def evaluate(
    index: Index | str | PathLike[str],
    directory: "Directory | str | PathLike[str]",
    **keywords: "Unpack[EvaluationKeywords]",
) -> "Evaluation":
    """Measure by a hand-made directory how well an index finds related pages: `Index.evaluate`."""
    opened = index if isinstance(index, Index) else Index(index)
    return opened.evaluate(directory, **keywords)


def evaluate_held_out(
    sources: SourceName | Iterable[SourceName],
    hold_out: HoldOut,
    *,
    strategy: Strategy | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> "SeeAlsoEvaluation":
    """Build an index without some of the evidence, in a temporary folder, and judge it by that."""
    what = HELD_OUT_SECTIONS if hold_out.share is None else HELD_OUT_LINKS
    with tempfile.TemporaryDirectory(prefix="pagekin-") as folder:
        path = Path(folder) / "index"
        settings = replace(settings or Settings(), hold_out=hold_out)
        built = pagekin.build(
            sources, path, strategy=strategy, settings=settings, progress=progress
        )
        held_out = built.held_out_pages, built.held_out_pairs
        truth = pagekin.evaluation.SeeAlso.held_out(*held_out, what=what)
        with Index(path) as index:
            found = index.evaluate_see_also(truth)
    return replace(found, held_out=HeldOutPages(what, built.held_out_pages, built.pages))


open = Index
