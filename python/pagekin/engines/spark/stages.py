"""The stages of the Spark engine: the kernels of the local engine as steps over DataFrames.

    sources -> segments -> merged partitions -> lexicon -> bags and sketches -> shards
                                             -> site graphs -> postings

Each stage is one job that reads what the stages before it left in a work folder, and leaves its
own there, with a mark when all of it is there. Lost executors repeat tasks of one stage at most,
and a build that failed goes on where it stopped.
"""

import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import TYPE_CHECKING, Generic

from pagekin import _core
from pagekin.engines.outcome import nothing_found
from pagekin.engines.spark.cluster.job import Jobs
from pagekin.engines.spark.cluster.session import configured
from pagekin.engines.spark.cluster.task import Task, task
from pagekin.engines.spark.exchange import SCHEMA
from pagekin.engines.spark.graph import site_graphs
from pagekin.engines.spark.outcome import OUTCOME, unpacked
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.portions import Portion
from pagekin.engines.spark.rows import Count, Fact, TableFile, from_json, to_json
from pagekin.engines.spark.tasks import concepts, merge, postings, read, shards, sites, weigh
from pagekin.engines.spark.work.columns import columns_of
from pagekin.engines.spark.work.frames import MANY_ROWS, stored, table_frame
from pagekin.engines.spark.work.stored import store_nothing
from pagekin.types import BuildSummary, ConceptsFound

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Stages", "mark_of"]

SMALL_GRAPH = 20_000_000
"""Pages and links of which one task makes the site graphs: it holds 45 bytes a page, 12 a link."""
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

    def run(self, crawl: Sequence[Portion], shard_urls: int) -> list[TableFile]:
        """Everything up to the files of the index."""
        found = self._read(crawl)
        plan, summary = self.plan, self.summary
        if not summary.pages:
            raise nothing_found(summary)
        summary.superseded = _total(found, read.REPLACED)
        summary.pages -= summary.superseded
        merged = self._merge(summary.superseded)
        summary.bags, summary.links = _total(merged, "bags"), _total(merged, "links")
        summary.terms = _total(merged, "terms")
        graph_bits = self._sites()
        self._turn(postings.Numbering(_firsts(merged), graph_bits))
        self._weigh(_total(merged, "frequencies"))
        parts = dict.fromkeys(("pages", "words", "links", "bags", "sketches"), plan.bits)
        parts |= dict.fromkeys(("lexicon", "postings"), plan.term_bits)
        parts |= dict.fromkeys(GRAPHS, graph_bits) | dict.fromkeys(concepts.CONCEPTS, 0)
        shard_bits = (_total(found, "urls") // shard_urls).bit_length()
        is_small = summary.bags <= _core.FEW_BAGS
        return self._shards(shards.Cut(shard_bits, parts, is_small))

    def _read(self, crawl: Sequence[Portion]) -> list[Count]:
        plan = self.plan

        def frame() -> "DataFrame":
            portions = [portion.to_json() for portion in crawl]
            parts = self._parts(len(crawl))
            sent = _sent(parts, task(read.extract, plan, portions), plan.partitions + 1)
            return _told(sent, task(read.gather, plan), Count)

        found = self._stage("read", Count, len(crawl) + plan.partitions + 1, frame)
        seconds = self.summary.seconds
        self.summary = replace(unpacked(plan.work.read(OUTCOME)), seconds=seconds)
        return found

    def _merge(self, replaced: int) -> list[Count]:
        plan = self.plan
        if replaced:
            join = task(read.join_replaced, plan)
            self._stage("compare", Count, 1, lambda: _told(self._parts(1), join, Count))

        def frame() -> "DataFrame":
            parts = self._parts(plan.partitions)
            sent = _sent(parts, task(merge.merge, plan, replaced), plan.ranges + 1)
            return _told(sent, task(merge.lexicon, plan), Count)

        return self._stage("merge", Count, plan.partitions + plan.ranges + 1, frame)

    def _sites(self) -> int:
        """Make the site graphs; returns by how many bits their tables are cut."""
        if self.summary.bags + self.summary.links <= SMALL_GRAPH:
            work = task(sites.small_graphs, self.plan)
            self._stage("sites", Count, 1, lambda: _told(self._parts(1), work, Count))
            return 0
        with configured(self.spark, MANY_ROWS):
            told = self._stage("sites", Count, 3 * self.plan.partitions, self._large_graphs)
        for count in told:
            if not count.count:
                store_nothing(self.plan.work, count.what, count.part)
        return self.plan.bits

    def _large_graphs(self) -> "DataFrame":
        """The site graphs of a crawl that no task can hold; tells of every part, if empty too."""
        plan = self.plan
        pages = table_frame(self.spark, plan, "pages", ["id", "site", "crawled"])
        links = table_frame(self.spark, plan, "links", ["target", "source"])
        graphs = site_graphs(pages, links, plan.work, plan.partitions)
        told = [stored(getattr(graphs, table), plan, table) for table in GRAPHS]
        tables = ", ".join(f"'{table}'" for table in GRAPHS)
        none = self._parts(plan.partitions).selectExpr(
            f"explode(array({tables})) as what", "id as part", "0L as count"
        )
        together = reduce(lambda one, other: one.union(other), [*told, none])
        return together.groupBy("what", "part").agg({"count": "max"}).toDF("what", "part", "count")

    def _turn(self, numbering: postings.Numbering) -> None:
        """Make postings, and learn concepts meanwhile if there are any: that is one task's work."""
        if not self.plan.strategy.kinds.concept:
            self._together(self._postings(numbering))
            return
        told, _ = self._together(self._concepts(), self._postings(numbering))
        self.summary.concepts = ConceptsFound(**{count.what: count.count for count in told})

    def _postings(self, numbering: postings.Numbering) -> "_Stage[Count]":
        plan = self.plan

        def frame() -> "DataFrame":
            parts = self._parts(plan.partitions)
            sent = _sent(parts, task(postings.turn_over, plan, numbering), plan.ranges)
            return _told(sent, task(postings.merge_postings, plan, numbering), Count)

        return _Stage("postings", Count, plan.partitions + plan.ranges, frame)

    def _concepts(self) -> "_Stage[Count]":
        work = task(concepts.find_concepts, self.plan, self.summary.bags)
        return _Stage("concepts", Count, 1, lambda: _told(self._parts(1), work, Count))

    def _weigh(self, frequencies: int) -> None:
        """Weigh by a lexicon whose frequencies have so many bytes."""
        plan, bags = self.plan, self.summary.bags

        def frame() -> "DataFrame":
            parts = self._parts(plan.partitions)
            if frequencies <= SMALL_LEXICON:
                return _told(parts, task(weigh.weigh, plan, bags), Count)
            asked = _sent(parts, task(weigh.ask, plan), plan.ranges)
            answered = _sent(asked, task(weigh.answer, plan), plan.partitions)
            return _told(answered, task(weigh.weigh_answered, plan, bags), Count)

        self._stage("weigh", Count, plan.partitions, frame)

    def _shards(self, cut: shards.Cut) -> list[TableFile]:
        plan = self.plan
        tasks = cut.shards * len(shards.TOGETHER)

        def frame() -> "DataFrame":
            sent = _sent(self._parts(tasks), task(shards.write_shards, plan, cut), cut.shards)
            return _told(sent, task(shards.seal, plan), TableFile)

        return self._stage("shards", TableFile, tasks + cut.shards, frame)

    def _parts(self, count: int) -> "DataFrame":
        """The numbers of so many parts, one a task."""
        return self.spark.range(0, count, 1, count)

    def _stage(
        self, name: str, kind: type[Fact], tasks: int, frame: Callable[[], "DataFrame"]
    ) -> list[Fact]:
        """What a stage tells."""
        (facts,) = self._together(_Stage(name, kind, tasks, frame))
        return facts

    def _together(self, *stages: "_Stage[Fact]") -> list[list[Fact]]:
        """What stages tell: of their marks if they were done before, else they are done now."""
        work = self.plan.work
        left = [stage for stage in stages if not work.exists(mark_of(stage.name))]
        if left:
            name = ", ".join(stage.name for stage in left)
            tasks = sum(stage.tasks for stage in left)
            self.jobs.run(name, tasks, *(partial(self._do, stage) for stage in left))
        return [from_json(work.read(mark_of(stage.name)), stage.kind) for stage in stages]

    def _do(self, stage: "_Stage[Fact]") -> None:
        start = time.perf_counter()
        facts = [stage.kind(**row.asDict()) for row in stage.frame().collect()]
        self.plan.work.write(mark_of(stage.name), to_json(facts))
        self.summary.seconds[stage.name] = round(time.perf_counter() - start, 3)


@dataclass(frozen=True, slots=True)
class _Stage(Generic[Fact]):
    """A job, and the kind of facts that so many tasks of it tell."""

    name: str
    kind: type[Fact]
    tasks: int
    frame: Callable[[], "DataFrame"]


def _sent(frame: "DataFrame", task: Task, destinations: int) -> "DataFrame":
    """The packets of a task, each where its destination is."""
    return frame.mapInArrow(task, columns_of(SCHEMA)).repartition(destinations, "postcode")


def _told(frame: "DataFrame", task: Task, kind: type[Fact]) -> "DataFrame":
    """The facts that a task tells."""
    return frame.mapInArrow(task, columns_of(kind.SCHEMA))


def _total(counts: Iterable[Count], what: str) -> int:
    return sum(count.count for count in counts if count.what == what)


def _firsts(counts: Iterable[Count]) -> tuple[int, ...]:
    """The number of each partition's first page, and how many pages there are."""
    bags = {count.part: count.count for count in counts if count.what == "bags"}
    return 0, *itertools.accumulate(bags[part] for part in sorted(bags))
