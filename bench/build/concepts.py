"""What concepts add to the build of schools.

    concepts.py [ROUNDS] [--write]    both builds in turn; --write puts them into BENCHMARKS.md
    concepts.py child WHICH FOLDER    one build, with concepts or without

Seconds are those on the core, of one thread, the best of the rounds.
"""

import resource
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pagekin
from bench.build.stages import Watch
from bench.measure import DATA, OUT, Sample, child_sample, emit
from bench.tables import put_table
from pagekin.strategy import DEFAULT, Concept, presets

__all__ = ["main"]

SCHOOLS = DATA / "schools.warc.gz"
WITH = presets()[DEFAULT]
STRATEGIES = {
    "words": replace(WITH, kinds=replace(WITH.kinds, concept=0), concept=Concept()),
    "words and concepts": WITH,
}
MAX_RATIO = 1.3
"""Target: maximum time of a build with concepts, as a multiple of one without."""


def child(which: str, folder: Path) -> Sample:
    """One build; its parts are its stages and, in megabytes, its peak of memory."""
    watch = Watch()
    strategy, settings = STRATEGIES[which], pagekin.Settings(threads=1)
    pagekin.build(SCHOOLS, folder / "index", strategy=strategy, settings=settings, progress=watch)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    wall, cpu = (sum(each.values()) for each in (watch.wall, watch.cpu))
    return Sample(wall, cpu, {**watch.cpu, "peak": peak})


def compared(rounds: int) -> dict[str, list[Sample]]:
    """Samples of both builds, made in turn."""
    samples: dict[str, list[Sample]] = {name: [] for name in STRATEGIES}
    OUT.mkdir(exist_ok=True)
    for _ in range(rounds):
        for name in STRATEGIES:
            with TemporaryDirectory(prefix="concepts-", dir=OUT) as folder:
                samples[name].append(child_sample("build.concepts", "child", name, folder))
    return samples


def markdown(samples: dict[str, list[Sample]]) -> str:
    """The table."""
    best = {name: min(taken, key=lambda each: each.cpu) for name, taken in samples.items()}
    plain, about = best.values()
    lines = [
        f"A build of schools with concepts takes {about.cpu / plain.cpu:.2f} of one without "
        f"(target: at most {MAX_RATIO}).",
        "",
        "| build of schools | seconds on the core | concepts | weigh | peak memory, MB |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, sample in best.items():
        parts = [sample.parts.get(part, 0.0) for part in ("concepts", "weigh")]
        lines.append(
            f"| {name} | {sample.cpu:.2f} | {parts[0]:.2f} | {parts[1]:.2f} | "
            f"{sample.parts['peak']:.0f} |"
        )
    return "\n".join(lines)


def main(words: list[str]) -> int:
    """Measure, and print the table."""
    if words[:1] == ["child"]:
        emit(child(words[1], Path(words[2])))
        return 0
    if not SCHOOLS.exists():
        print(f"{SCHOOLS} is missing: nothing is measured", file=sys.stderr)
        return 1
    rounds = [int(word) for word in words if word.isdecimal()]
    text = markdown(compared(rounds[0] if rounds else 3))
    print(text)
    if "--write" in words:
        put_table("bench.build.concepts", text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
