"""The stages of the Spark engine: the kernels of the local engine as steps over DataFrames.

    sources -> segments -> merged partitions -> lexicon -> bags and sketches -> shards
                                             -> site graphs -> postings

Each stage is one job that reads the results of earlier stages from a work folder and writes its own
there, with a mark when they are complete. Lost executors repeat tasks of at most one stage, and a
failed build resumes where it stopped.
"""

import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import TYPE_CHECKING, Generic

from pagekin import _core
from pagekin.engines.spark.cluster.jobs import Jobs, use_settings
from pagekin.engines.spark.cluster.session import start_workers
from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.frames import (
    MANY_ROWS,
    Count,
    Fact,
    IndexFile,
    from_json,
    report_facts,
    send,
    store_frame,
    table_frame,
    to_json,
)
from pagekin.engines.spark.plan import Plan, Portion
from pagekin.engines.spark.site_frames import site_graphs
from pagekin.engines.spark.tasks import addresses, merge, read, shards, weigh
from pagekin.engines.spark.work_folder import store_nothing
from pagekin.index import WEIGHED
from pagekin.work.outcome import BuildSummary, ConceptCounts, no_page_error
from pagekin.work.partitions import shard_bits

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Stages", "mark_of"]

SMALL_GRAPH = 20_000_000
"""Maximum number of pages and links for one task: it takes 45 bytes per page, 12 per link."""
SMALL_LEXICON = 64 << 20
"""Bytes of frequencies that every task reads whole: those of about five million terms."""
GRAPHS = ("ranks", "arcs", "sites")


def mark_of(stage: str) -> str:
    """The file that says that a stage is whole."""
    return f"{stage}.json"


class Stages:
    """The stages of one build, each a job or less."""

    def __init__(self, spark: "SparkSession", plan: Plan, jobs: Jobs) -> None:
        self.spark = spark
        self.plan = plan
        self.jobs = jobs
        self.summary = BuildSummary()
        self._at_first = [partial(start_workers, spark)]

    def run(self, crawl: Sequence[Portion], shard_urls: int) -> list[IndexFile]:
        """Everything up to the files of the index."""
        found = self._read(crawl)
        plan, summary = self.plan, self.summary
        if not summary.pages:
            raise no_page_error(summary.failures, summary.skipped)
        summary.superseded = _total(found, read.REPLACED)
        summary.pages -= summary.superseded
        summary.folded = self._compare(summary.superseded)
        summary.pages -= summary.folded
        merged = self._merge()
        summary.bags, summary.links = _total(merged, "bags"), _total(merged, "links")
        summary.terms = _total(merged, "terms")
        summary.urls_left_out = _total(merged, "urls_left_out")
        graph_bits = self._large_sites()
        numbering = merge.Numbering(_firsts(merged), graph_bits)
        self._turn_and_weigh(numbering, _total(merged, "frequencies"))
        parts = dict.fromkeys((*merge.TABLES, WEIGHED, "sketches"), plan.bits)
        parts |= dict.fromkeys(("lexicon", "postings"), plan.term_bits)
        parts |= dict.fromkeys(GRAPHS, graph_bits)
        parts |= dict.fromkeys((addresses.ALIASES, *weigh.CONCEPTS), 0)
        bits = shard_bits(summary.bags, shard_urls)
        is_small = summary.bags <= _core.FEW_BAGS
        return self._shards(shards.ShardCut(bits, parts, is_small))

    def _read(self, crawl: Sequence[Portion]) -> list[Count]:
        plan = self.plan

        def frame() -> "DataFrame":
            portions = [portion.to_json() for portion in crawl]
            parts = self._parts(len(crawl))
            sent = send(parts, task(read.extract, plan, portions), plan.partitions + 1)
            return report_facts(sent, task(read.gather, plan), Count)

        found = self._stage("read", Count, len(crawl) + plan.partitions + 1, frame)
        seconds = self.summary.seconds
        self.summary = replace(
            BuildSummary.from_json(plan.work.read(read.OUTCOME)), seconds=seconds
        )
        return found

    def _compare(self, replaced: int) -> int:
        """Find which addresses are one page; returns how many captures are folded."""
        plan = self.plan

        def find() -> "DataFrame":
            parts = self._parts(plan.partitions)
            sent = send(parts, task(addresses.pack_addresses, plan), plan.ranges)
            return report_facts(sent, task(addresses.merge_addresses, plan), Count)

        def move() -> "DataFrame":
            parts = self._parts(plan.partitions)
            sent = send(parts, task(addresses.move_links, plan), plan.partitions)
            return report_facts(sent, task(addresses.store_moved, plan), Count)

        found = self._stage("addresses", Count, plan.partitions + plan.ranges, find)
        aliases, folded = _total(found, addresses.ALIASES), _total(found, addresses.FOLDED)
        if replaced or aliases:
            join = task(addresses.join, plan)
            self._stage("compare", Count, 1, lambda: report_facts(self._parts(1), join, Count))
        else:
            addresses.store_none(plan)
        if aliases:
            self._stage("move", Count, 2 * plan.partitions, move)
        return folded

    def _merge(self) -> list[Count]:
        plan = self.plan

        def templates() -> "DataFrame":
            parts = self._parts(plan.partitions)
            sent = send(parts, task(merge.count_pagelets, plan), plan.ranges)
            return report_facts(sent, task(merge.merge_pagelets, plan, self.summary.pages), Count)

        if plan.strategy.template.pages:
            self._stage("templates", Count, plan.partitions + plan.ranges, templates)

        def frame() -> "DataFrame":
            parts = self._parts(plan.partitions)
            sent = send(parts, task(merge.merge, plan), plan.ranges + 1)
            return report_facts(sent, task(merge.lexicon, plan), Count)

        return self._stage("merge", Count, plan.partitions + plan.ranges + 1, frame)

    def _large_sites(self) -> int:
        """Build the site graphs if they are too large for one task; the bits of their tables."""
        if self.summary.bags + self.summary.links <= SMALL_GRAPH:
            return 0
        with use_settings(self.spark, MANY_ROWS):
            counts = self._stage("sites", Count, 3 * self.plan.partitions, self._large_graphs)
        for count in counts:
            if not count.count:
                store_nothing(self.plan.work, count.what, count.part)
        return self.plan.bits

    def _large_graphs(self) -> "DataFrame":
        """The site graphs of a crawl that is too large for one task; reports every part."""
        plan = self.plan
        pages = table_frame(self.spark, plan, "pages", ["id", "site", "crawled"])
        links = table_frame(self.spark, plan, "links", ["target", "source"])
        graphs = site_graphs(pages, links, plan.work, plan.partitions)
        counts = [store_frame(getattr(graphs, table), plan, table) for table in GRAPHS]
        tables = ", ".join(f"'{table}'" for table in GRAPHS)
        none = self._parts(plan.partitions).selectExpr(
            f"explode(array({tables})) as what", "id as part", "0L as count"
        )
        together = reduce(lambda one, other: one.union(other), [*counts, none])
        return together.groupBy("what", "part").agg({"count": "max"}).toDF("what", "part", "count")

    def _turn_and_weigh(self, numbering: merge.Numbering, frequencies: int) -> None:
        """Build postings, which need sites, and in parallel bags, which need concepts."""
        graphs = [] if numbering.graph_bits else [self._small_sites()]
        learning = [self._concepts()] if self.plan.strategy.kinds.concept else []
        turned, weighed = self._postings(numbering), self._weighed(frequencies)
        self._together([*graphs, turned], [*learning, weighed])
        for stage in learning:
            found = {count.what: count.count for count in self._facts(stage)}
            self.summary.concepts = ConceptCounts(**found)
            self.summary.fitted = weigh.fitted(self.plan).changes_from(self.plan.strategy)

    def _small_sites(self) -> "_Stage[Count]":
        work = task(merge.small_graphs, self.plan)
        return _Stage("sites", Count, 1, lambda: report_facts(self._parts(1), work, Count))

    def _postings(self, numbering: merge.Numbering) -> "_Stage[Count]":
        plan = self.plan

        def frame() -> "DataFrame":
            parts = self._parts(plan.partitions)
            sent = send(parts, task(merge.turn_over, plan, numbering), plan.ranges)
            return report_facts(sent, task(merge.merge_postings, plan, numbering), Count)

        return _Stage("postings", Count, plan.partitions + plan.ranges, frame)

    def _concepts(self) -> "_Stage[Count]":
        work = task(weigh.find_concepts, self.plan, self._model_bags)
        return _Stage("concepts", Count, 1, lambda: report_facts(self._parts(1), work, Count))

    @property
    def _model_bags(self) -> int:
        """The number of bags that document frequencies are of."""
        model = self.plan.shared_model()
        return model.entry["bags"] if model else self.summary.bags

    def _weighed(self, frequencies: int) -> "_Stage[Count]":
        """Weight bags by a lexicon whose frequencies have this many bytes."""
        plan, bags = self.plan, self._model_bags

        def frame() -> "DataFrame":
            parts = self._parts(plan.partitions)
            if frequencies <= SMALL_LEXICON:
                return report_facts(parts, task(weigh.weigh, plan, bags), Count)
            requests = send(parts, task(weigh.ask, plan), plan.ranges)
            replies = send(requests, task(weigh.answer, plan), plan.partitions)
            return report_facts(replies, task(weigh.weigh_answered, plan, bags), Count)

        return _Stage("weigh", Count, plan.partitions, frame)

    def _shards(self, cut: shards.ShardCut) -> list[IndexFile]:
        plan = self.plan
        tasks = cut.shards * len(shards.TOGETHER)

        def frame() -> "DataFrame":
            sent = send(self._parts(tasks), task(shards.write_shards, plan, cut), cut.shards)
            return report_facts(sent, task(shards.seal, plan), IndexFile)

        return self._stage("shards", IndexFile, tasks + cut.shards, frame)

    def _parts(self, count: int) -> "DataFrame":
        """The numbers of this many parts, one per task."""
        return self.spark.range(0, count, 1, count)

    def _stage(
        self, name: str, kind: type[Fact], tasks: int, frame: Callable[[], "DataFrame"]
    ) -> list[Fact]:
        """The facts of a stage."""
        stage = _Stage(name, kind, tasks, frame)
        self._together([stage])
        return self._facts(stage)

    def _together(self, *chains: "Sequence[_Stage[Fact]]") -> None:
        """Run chains of stages in parallel, except for stages that are done."""
        left = [self._left(chain) for chain in chains]
        stages = [stage for chain in left for stage in chain]
        work = [partial(self._do, chain) for chain in left if chain]
        if work:
            name, tasks = ", ".join(one.name for one in stages), sum(one.tasks for one in stages)
            self.jobs.run(name, tasks, *work, *self._at_first)
            self._at_first = []

    def _left(self, chain: "Sequence[_Stage[Fact]]") -> "list[_Stage[Fact]]":
        return [stage for stage in chain if not self.plan.work.exists(mark_of(stage.name))]

    def _facts(self, stage: "_Stage[Fact]") -> list[Fact]:
        """The facts of a finished stage."""
        return from_json(self.plan.work.read(mark_of(stage.name)), stage.kind)

    def _do(self, chain: "Iterable[_Stage[Fact]]") -> None:
        """Run stages one after another."""
        for stage in chain:
            start = time.perf_counter()
            rows = [stage.kind(**row.asDict()) for row in stage.frame().collect()]
            self.plan.work.write(mark_of(stage.name), to_json(rows))
            self.summary.seconds[stage.name] = round(time.perf_counter() - start, 3)


@dataclass(frozen=True, slots=True)
class _Stage(Generic[Fact]):
    """A job, its number of tasks, and the kind of facts that they report."""

    name: str
    kind: type[Fact]
    tasks: int
    frame: Callable[[], "DataFrame"]


def _total(counts: Iterable[Count], what: str) -> int:
    return sum(count.count for count in counts if count.what == what)


def _firsts(counts: Iterable[Count]) -> tuple[int, ...]:
    """The number of each partition's first page, and how many pages there are."""
    bags = {count.part: count.count for count in counts if count.what == "bags"}
    return 0, *itertools.accumulate(bags[part] for part in sorted(bags))
