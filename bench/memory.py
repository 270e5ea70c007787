"""Peak memory of `pagekin index` for a crawl and for ten times as much.

    memory.py [MEMORY]                     both peaks, and their ratio
    memory.py child INDEX MEMORY ARCHIVE   the peak of one run

The larger crawl is the smaller one under ten hosts: other URLs, the same pages. Their links are
relative and stay within each host, so that every table grows tenfold except the lexicon.
"""

import gzip
import json
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.measure import DATA, OUT, child_output
from pagekin.cli import main as pagekin_command

__all__ = ["Peaks", "peaks"]

HOST = b"WARC-Target-URI: http://schools-wikipedia.org/"
COPIES = 10
CHUNK = 1 << 16
ROOM = 8 << 30
"""Disk for ten copies of schools, their runs and their index, with some to spare."""


@dataclass(frozen=True, slots=True)
class Peaks:
    """Bytes resident at the highest, for one copy and for ten."""

    memory: str
    one: int
    ten: int

    @property
    def ratio(self) -> float:
        """How much more memory ten times the input takes."""
        return self.ten / self.one


def peaks(memory: str, cores: int = 2) -> Peaks:
    """Make the crawls, index each in a process of its own, and clean up."""
    free = shutil.disk_usage(OUT).free
    if free < ROOM:
        raise RuntimeError(f"{ROOM >> 30} GiB of disk are needed in {OUT}, {free >> 30} are free")
    with tempfile.TemporaryDirectory(prefix="memory-", dir=OUT) as folder:
        place = Path(folder)
        copies = [write_copy(number, place) for number in range(COPIES)]
        index = place / "index"
        one = peak(copies[:1], index, memory, cores)
        return Peaks(memory, one, peak(copies, index, memory, cores))


def write_copy(number: int, folder: Path) -> Path:
    """Schools under another host."""
    path = folder / f"{number}.warc.gz"
    host = HOST.replace(b"schools", b"c%d.schools" % number)
    with path.open("wb") as out:
        for member in members(DATA / "schools.warc.gz"):
            if HOST not in member[:2000]:
                raise RuntimeError("a record of schools.warc.gz has another host")
            out.write(gzip.compress(member.replace(HOST, host, 1), compresslevel=1, mtime=0))
    return path


def members(path: Path) -> Iterator[bytes]:
    """The gzip members of a file, one record each, inflated."""
    with path.open("rb") as file:
        while held := file.read(CHUNK):
            while held:
                inflate = zlib.decompressobj(wbits=31)
                member = inflate.decompress(held)
                while not inflate.eof:
                    member += inflate.decompress(file.read(CHUNK))
                yield member
                held = inflate.unused_data


def peak(archives: list[Path], index: Path, memory: str, cores: int) -> int:
    """Peak of one run, in bytes."""
    words = [str(index), memory, *map(str, archives)]
    told = child_output([sys.executable, "-m", "bench.memory", "child", *words], cores)
    return int(json.loads(told)["peak"])


def child(index: str, memory: str, *archives: str) -> None:
    """Run the command here, and print the peak of this process."""
    code = pagekin_command(["index", *archives, "-o", index, "--memory", memory])
    if code:
        sys.exit(code)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    kilobytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    print(json.dumps({"peak": int(kilobytes) * 1024}))


def main(words: list[str]) -> None:
    """One run as a child, or both."""
    if words[:1] == ["child"]:
        child(*words[1:])
        return
    found = peaks(words[0] if words else "1GB")
    print(f"{found.one / 1e6:.0f} MB, {found.ten / 1e6:.0f} MB: {found.ratio:.2f} times")


if __name__ == "__main__":
    main(sys.argv[1:])
