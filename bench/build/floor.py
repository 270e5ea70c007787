"""The floor: the Rust program of `floor/`, built and timed."""

import ctypes.util
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bench.measure import BENCH, OUT, Sample, child_output

__all__ = ["Floor", "build_floor", "floor"]

PASSES = 3
TARGET = OUT / "floor"


@dataclass(frozen=True, slots=True)
class Floor:
    """What the archive holds, and the best pass of each library in this build."""

    records: int
    bytes: int
    libraries: dict[str, Sample]

    @property
    def fastest(self) -> str:
        """The library that makes the floor."""
        return min(self.libraries, key=lambda name: self.libraries[name].cpu)

    @property
    def sample(self) -> Sample:
        """The pass that everything is compared with."""
        return self.libraries[self.fastest]


def build_floor() -> None:
    """Compile the program, with ISA-L where the machine has it."""
    words = ["--features", "isal"] if ctypes.util.find_library("isal") else []
    manifest = str(BENCH / "floor" / "Cargo.toml")
    subprocess.run(
        ["cargo", "build", "--release", "--quiet", "--locked", "--manifest-path", manifest, *words],
        env={**os.environ, "CARGO_TARGET_DIR": str(TARGET)},
        check=True,
    )


def floor(archive: Path) -> Floor:
    """Inflate and walk the archive on one core; the best of a few passes in one process."""
    program = str(TARGET / "release" / "floor")
    told = json.loads(child_output([program, str(archive), str(PASSES)], cores=1))
    best = {library["name"]: _best(library["passes"]) for library in told["libraries"]}
    return Floor(told["records"], told["bytes"], best)


def _best(passes: list[dict[str, float]]) -> Sample:
    return Sample(min(p["wall"] for p in passes), min(p["cpu"] for p in passes))
