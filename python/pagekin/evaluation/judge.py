"""`pagekin.evaluate`: an index, or anybody's answers, judged by a directory."""

import os
from os import PathLike

import numpy as np

from pagekin import _core
from pagekin.errors import IndexCorrupt, StrategyError
from pagekin.evaluation.counts import counted
from pagekin.evaluation.directory import DEPTH, Directory
from pagekin.evaluation.matching import CrawlPages, MatchedPages, match
from pagekin.evaluation.measures import K
from pagekin.evaluation.summary import Evaluation, summarised
from pagekin.evaluation.trec import read_run
from pagekin.index import IndexReader

__all__ = ["SIMILARITIES", "crawl_pages", "evaluate", "matched_with"]

SIMILARITIES = ("jaccard", "cosine")


def evaluate(
    index: IndexReader | str | PathLike[str],
    directory: Directory | str | PathLike[str],
    *,
    depth: int = DEPTH,
    similarity: str = "jaccard",
    run: str | PathLike[str] | None = None,
) -> Evaluation:
    """Judge an index by a directory: how well do its similarities agree with the classes?

    `run` is a file of somebody else's answers in TREC's format, judged in the index's place.
    `depth` cuts a directory that is given as a file.
    """
    if similarity not in SIMILARITIES:
        raise StrategyError("similarity", similarity, f"one of {', '.join(SIMILARITIES)}")
    opened = index if isinstance(index, IndexReader) else IndexReader(index)
    directory = Directory.of(directory, depth)
    matched = matched_with(opened, directory)
    threads = os.cpu_count() or 1
    group, groups = matched.first_class, len(matched.classes)
    if run is not None:
        answers = read_run(run, matched)
        ranking = answers.ranking
        counts = counted(
            lambda ks, first, last: ranking.tally(matched.family, ks, first, last),
            group,
            groups,
            [K],
            threads,
        ).only(answers.queried)
        return summarised(
            counts, matched, strategy=None, similarity="run", skipped=directory.skipped
        )
    bags = bags_of(opened, matched)
    counts = counted(
        lambda ks, first, last: bags.tally(matched.family, similarity, ks, first, last),
        group,
        groups,
        [K],
        threads,
    )
    return summarised(
        counts,
        matched,
        strategy=opened.strategy,
        similarity=similarity,
        skipped=directory.skipped,
    )


def matched_with(index: IndexReader, directory: Directory) -> MatchedPages:
    """The directory's pages that are in the index."""
    return match(directory, crawl_pages(index))


def crawl_pages(index: IndexReader) -> CrawlPages:
    """Every URL of the index."""
    table = index.tables["pages"].scan(["id", "crawled", "inlinks"])
    ids, crawled, inlinks = (column.to_numpy() for column in table.columns)
    return CrawlPages(ids, crawled.astype(bool), inlinks.astype(np.int64))


def bags_of(index: IndexReader, matched: MatchedPages) -> _core.Collection:
    """The bags of the matched pages."""
    try:
        return _core.Collection(index.tables["bags"].select(matched.ids))
    except ValueError as error:
        raise IndexCorrupt(
            f"the bags are damaged ({error})", path=index.path, advice="build the index again"
        ) from error
