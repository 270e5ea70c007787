"""Builds that end early, and input that is too large: bounded memory, and the old index stays."""

import contextlib
import os
import signal
import subprocess
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import pagekin
from tests.archives import FEW_PARTS, CommandResult, command, http, page, record, spawn

MB = 1 << 20
MOST_MEMORY = 700 * MB
OLD = "http://old.example/"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """An index that must survive."""
    (tmp_path / "old.warc").write_bytes(page("old"))
    pagekin.build(tmp_path / "old.warc", tmp_path / "index")
    return tmp_path / "index"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl whose build takes a second and some megabytes."""
    path = tmp_path_factory.mktemp("large") / "large.warc"
    with path.open("wb") as out:
        for number in range(3000):
            words = " ".join(f"w{chr(97 + n % 26)}x{chr(97 + n // 26 % 26)}" for n in range(300))
            out.write(page(f"s{number}", f'{words} <a href="http://t{number}.example/">on</a>'))
    return path


def assert_untouched(index: Path) -> None:
    assert pagekin.open(index).show(OLD).crawled
    names = sorted(path.name for path in index.iterdir())
    assert names == ["manifest.json", pagekin.open(index).reader.manifest.folder]


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here; the limit on files is tested instead")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("size", [10_000, MB])
def test_file_size_limit_ends_the_build_and_keeps_the_old_index(
    old: Path, large: Path, size: int
) -> None:
    ran = spawn("index", large, "-o", old, under=["prlimit", f"--fsize={size}"])
    assert ran.code == 2
    assert f"pagekin: {old}: the index cannot be written ([Errno 27]" in ran.last
    assert "raise the limit on the size of files, or choose another place" in ran.last
    assert_untouched(old)


@pytest.mark.parametrize("size", ["256k", "1m", "3m", "5m", "8m"])
def test_full_disk_ends_the_build_and_keeps_the_old_index(
    tmp_path: Path, old: Path, large: Path, size: str
) -> None:
    with small_disk(tmp_path / "disk", size) as disk:
        subprocess.run(["cp", "-r", old, disk / "index"], check=True)
        ran = spawn("index", large, "-o", disk / "index", "--threads", "2")
        assert ran.code == 2
        assert f"pagekin: {disk}/index: the index cannot be written ([Errno 28]" in ran.last
        assert "free some space there, or choose another place" in ran.last
        assert_untouched(disk / "index")
        assert spawn("index", large, "-o", disk / "new" / "index").code == 2
        assert not (disk / "new").exists()


def begin(index: Path, *sources: Path | str) -> "subprocess.Popen[bytes]":
    """Start a build and wait until it writes.

    It listens to Ctrl-C even if the tests themselves run where that is switched off.
    """
    pipe = subprocess.PIPE
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    child = subprocess.Popen(
        command("index", *sources, "-o", index, *FEW_PARTS), stdin=pipe, stdout=pipe, stderr=pipe
    )
    signal.signal(signal.SIGINT, before)
    while not list(index.glob(".building-*")) and child.poll() is None:
        time.sleep(0.01)
    return child


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.2, 0.4])
def test_killed_build_keeps_the_old_index(old: Path, large: Path, delay: float) -> None:
    child = begin(old, large)
    time.sleep(delay)
    child.kill()
    child.communicate()
    index = pagekin.open(old)
    assert index.show(
        OLD if index.reader.manifest.counts["pages"] == 1 else "http://s1.example/"
    ).crawled
    pagekin.build(old.parent / "old.warc", old)
    assert_untouched(old)


@pytest.mark.parametrize("source", ["a file", "a pipe that stands still"])
def test_ctrl_c_exits_with_130_and_keeps_the_old_index(old: Path, large: Path, source: str) -> None:
    child = begin(old, "-" if source != "a file" else large)
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=60) == 130
    _, err = child.communicate()
    assert err.endswith(b"pagekin: interrupted; an existing index is whole, old or new\n")
    assert b"Traceback" not in err
    assert_untouched(old)


def test_second_build_of_an_index_is_refused(old: Path) -> None:
    first = begin(old, "-")
    ran = spawn("index", old.parent / "old.warc", "-o", old)
    assert ran.code == 2
    assert f"pagekin: {old}: another build is writing here; wait until it" in ran.last
    _, err = first.communicate(page("old"), timeout=60)
    assert first.returncode == 0, err
    assert_untouched(old)


def zeros(count: int, begin: bytes = b"") -> bytes:
    """A gzip member that inflates to `begin` and `count` zero bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    head = packer.compress(begin) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(MB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + block * (count // MB) + packer.flush()


def index(tmp_path: Path, archive: bytes, *words: str) -> CommandResult:
    (tmp_path / "x.warc.gz").write_bytes(archive)
    return checked(spawn("index", tmp_path / "x.warc.gz", "-o", tmp_path / "new", *words))


def checked(ran: CommandResult) -> CommandResult:
    assert 0 < ran.peak < MOST_MEMORY
    return ran


def head_of(size: int) -> bytes:
    """What stands before a body of this size."""
    http_head = http(b"")
    return record(b"", Content_Length=str(len(http_head) + size))[:-4] + http_head


TEN_GB = 10 << 30


def test_decompression_bomb_in_a_record_is_skipped(tmp_path: Path) -> None:
    good, two = (zlib.compress(page(name), wbits=31) for name in ("good", "two"))
    ran = index(tmp_path, good + zeros(TEN_GB, head_of(TEN_GB)) + two)
    assert (ran.code, ran.out.splitlines()[1]) == (0, "skipped: 1 too large")
    assert ran.out.startswith("2 pages")


def test_decompression_bomb_as_a_file_is_reported(tmp_path: Path) -> None:
    ran = index(tmp_path, zeros(TEN_GB, page("good") + head_of(TEN_GB)))
    assert ran.code == 2
    assert ran.out.startswith("1 page ")
    assert "x.warc.gz at offset " in ran.last
    assert "over 1 GiB without a record inflated from it" in ran.last
    assert ran.last.endswith("leave it out, or compress it by record")


def test_decompression_bomb_in_a_body_is_skipped(tmp_path: Path) -> None:
    once = record(http(zeros(TEN_GB), "Content-Encoding: gzip"))
    twice = zlib.compress(zeros(TEN_GB), 9, wbits=31)
    assert len(twice) < MB
    ran = index(tmp_path, once + record(http(twice, "Content-Encoding: gzip, gzip")) + page("two"))
    assert (ran.code, ran.out.splitlines()[1]) == (0, "skipped: 2 too large")
    assert ran.out.startswith("1 page ")


def write_large(path: Path, size: int, begin: bytes, end: bytes) -> None:
    """A page whose body is mostly x, and another page."""
    with path.open("wb") as out:
        out.write(head_of(len(begin) + size + len(end)) + begin)
        for _ in range(size // MB):
            out.write(b"x" * MB)
        out.write(end + b"\r\n\r\n" + page("good"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("begin", "end"),
    [
        (b'<p class="', b'">words</p>'),
        (b'<a href="', b'">words</a>'),
        (b'<img alt="', b'">words'),
        (b"<p ", b">words"),
        (b"<", b">words"),
        (b'<p class="', b""),
        (b'<base href="', b'"><a href=y>words</a>'),
        (b"<title>", b"</title>words"),
        (b"<!--", b"-->words"),
    ],
)
def test_page_with_a_token_of_100_mb_is_bounded_in_memory(
    tmp_path: Path, begin: bytes, end: bytes
) -> None:
    path = tmp_path / "x.warc"
    write_large(path, 100 * MB, begin, end)
    ran = checked(spawn("index", path, "-o", tmp_path / "new"))
    assert (ran.code, ran.out.splitlines()[1]) == (0, "skipped: 1 too large")
    ran = checked(spawn("index", path, "-o", tmp_path / "new", "--max-body", "200MB"))
    assert (ran.code, ran.out.splitlines()[1]) == (0, "skipped: nothing")
    assert ran.out.startswith("2 pages")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("link", "links"),
    [(b'<a href="/">me</a> ', 0), (b'<a href="http://b.example/">you</a> ', 10_000)],
)
def test_links_of_a_page_are_limited_to_10_000(tmp_path: Path, link: bytes, links: int) -> None:
    (tmp_path / "x.warc").write_bytes(record(http(link * 1_000_000)) + page("good"))
    ran = checked(spawn("index", tmp_path / "x.warc", "-o", tmp_path / "new", "--max-body", "64MB"))
    assert ran.code == 0
    assert ran.out.startswith("2 pages")
    assert f", {links:,} links" in ran.out


@pytest.mark.slow
def test_body_of_2_gb_is_skipped(tmp_path: Path) -> None:
    head = page("good") + head_of(2 << 30)
    tail = b"\r\n\r\n" + page("two")

    def stream() -> Iterator[bytes]:
        yield head
        yield from (b"x" * MB for _ in range(2 << 10))
        yield tail

    with (tmp_path / "hole.warc").open("wb") as out:
        out.write(head)
        out.seek(2 << 30, os.SEEK_CUR)
        out.write(tail)
    for ran in (
        spawn("index", tmp_path / "hole.warc", "-o", tmp_path / "new"),
        spawn("index", "-", "-o", tmp_path / "new", stdin=stream()),
    ):
        assert (ran.code, ran.out.splitlines()[1]) == (0, "skipped: 1 too large")
        assert checked(ran).out.startswith("2 pages")
