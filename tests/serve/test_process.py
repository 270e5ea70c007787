"""The processes of the service: start, stop, kill, and a new index."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

import pagekin
from pagekin.cli import main
from pagekin.cli.commands import serve
from tests.archives import command, run
from tests.crawls import build_pages
from tests.serve.running import PATIENCE, Load, Running, until

pytestmark = pytest.mark.slow

ROSES = "http://www.hedgerow.example/plants/roses.html"
Capture = pytest.CaptureFixture[str]
QUESTION = b'{"text": "old roses"}'


@pytest.fixture
def copy(index: Path, tmp_path: Path) -> Path:
    """An index that a test may damage."""
    return Path(shutil.copytree(index, tmp_path / "index"))


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of something else."""
    pages = {"": "<title>Roses of iron</title> <p>wrought iron roses", "b": "<p>iron roses"}
    return build_pages(tmp_path_factory.mktemp("other"), pages, pagekin.Strategy())


def publish(new: Path, place: Path) -> None:
    """Put an index where another is, as a build does: tables first, then the manifest."""
    folder = pagekin.open(new).reader.manifest.folder
    shutil.copytree(new / folder, place / folder)
    shutil.copy(new / "manifest.json", place / "manifest.new")
    (place / "manifest.new").replace(place / "manifest.json")


def urls(service: Running) -> int:
    count: int = service.answer("/api/ready")["urls"]
    return count


class TestNewIndex:
    @pytest.mark.parametrize("way", ["signal", "watch"])
    def test_is_loaded_without_a_failed_request(self, copy: Path, other: Path, way: str) -> None:
        options = ["--reload-index"] if way == "watch" else []
        with Running(copy, "--workers", "2", *options) as running:
            before = urls(running)
            with Load(running, "/api/search") as load:
                until(lambda: load.answers > 50)
                publish(other, copy)
                if way == "signal":
                    running.process.send_signal(signal.SIGHUP)
                until(lambda: running.log.count("as of now") == 2)
                after = load.answers
                until(lambda: load.answers > after + 50)
            assert load.failures == []
            assert {urls(running) for _ in range(20)} == {
                pagekin.open(other).reader.manifest.counts["bags"]
            }
            assert before != urls(running)
            hits = running.answer("/api/search", q="iron")["hits"]
            assert hits[0]["url"] == "http://t.example/"

    def test_that_is_damaged_is_rejected_and_the_old_one_stays(self, copy: Path) -> None:
        with Running(copy) as running:
            (copy / "manifest.json").write_text("{")
            assert running.answer("/api/ready")["on_disk"] == "damaged"
            running.process.send_signal(signal.SIGHUP)
            until(lambda: "the new index is refused" in running.log)
            assert running.answer("/api/related", url=ROSES)["hits"]

    def test_is_reported_before_it_is_loaded(self, copy: Path, other: Path) -> None:
        with Running(copy) as running:
            publish(other, copy)
            assert running.answer("/api/ready")["on_disk"] == "changed"
            running.process.send_signal(signal.SIGHUP)
            until(lambda: running.answer("/api/ready")["on_disk"] == "same")


def test_deleted_index_is_still_served(copy: Path, index: Path) -> None:
    expected = pagekin.open(index)
    with Running(copy, "--cache", "1KB") as running:
        shutil.rmtree(copy)
        assert running.answer("/api/ready")["on_disk"] == "missing"
        for hit in expected.related(ROSES, k=20).hits:
            assert running.answer("/api/related", url=hit.url)["hits"]
            assert running.answer("/api/page", url=hit.url)["terms"]
        assert running.answer("/api/pairs", q="garden roses pruning")["sites"]
        assert running.answer("/api/search", q="gliders")["hits"]
        assert running.get("/api/page", url=f"{ROSES}x").status_code == 404
        running.process.send_signal(signal.SIGHUP)
        until(lambda: "the new index is refused" in running.log)
        assert running.answer("/api/health") == {"status": "ok"}


class TestStop:
    @pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
    def test_waits_for_running_requests(self, index: Path, told: signal.Signals) -> None:
        with Running(index, "--workers", "2") as running, running.connected() as bare:
            workers = running.workers()
            begin(bare)
            running.process.send_signal(told)
            until(lambda: not accepts(running.port))
            bare.sendall(QUESTION)
            reply = bare.recv(1 << 16)
            assert reply.startswith(b"HTTP/1.1 200 OK\r\n")
            assert b"connection: close" in reply
            assert running.process.wait(PATIENCE) == 0
            assert not any(map(alive, workers))

    def test_is_immediate_after_a_second_signal(self, index: Path) -> None:
        with Running(index) as running, running.connected() as bare:
            begin(bare)
            running.process.send_signal(signal.SIGINT)
            until(lambda: not accepts(running.port))
            running.process.send_signal(signal.SIGINT)
            begun = time.monotonic()
            assert running.process.wait(PATIENCE) == 0
            assert time.monotonic() - begun < 8

    def test_during_the_start_is_not_an_error(self, index: Path) -> None:
        words = command("serve", index, "--port", "0")
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
            until(lambda: bool(children.read_text()))
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=PATIENCE) == (b"", b"")
            assert process.returncode == 0

    def test_of_the_parent_ends_its_workers(self, index: Path) -> None:
        with Running(index, "--workers", "2") as running:
            workers = running.workers()
            assert len(workers) == 2
            running.process.kill()
            until(lambda: not any(map(alive, workers)))

    def test_of_a_worker_starts_another(self, index: Path) -> None:
        with Running(index, "--workers", "2") as running:
            until(lambda: len(running.workers()) == 2)
            old = running.workers()
            for worker in old:
                os.kill(worker, signal.SIGKILL)
            until(lambda: len(set(running.workers()) - set(old)) == 2)
            assert running.answer("/api/search", q="roses")["hits"]
            assert running.log.count("is replaced") == 2


def begin(bare: socket.socket) -> None:
    """Start a request; afterwards the service waits for its body."""
    head = b"POST /api/related HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    head += b"expect: 100-continue\r\ncontent-length: %d\r\n\r\n" % len(QUESTION)
    bare.sendall(head)
    assert bare.recv(1 << 16).startswith(b"HTTP/1.1 100 ")


def accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def alive(process: int) -> bool:
    """Whether it is there and more than a name that nobody has asked after."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


class TestFailedStart:
    def test_without_an_index(self, capfd: Capture, tmp_path: Path) -> None:
        ran = run(capfd, "serve", str(tmp_path / "nothing"))
        assert ran.code == 2
        assert "no such folder; build an index with pagekin index" in ran.err

    def test_with_an_invalid_report(self, capfd: Capture, index: Path, tmp_path: Path) -> None:
        ran = run(capfd, "serve", str(index), "--report", str(tmp_path))
        assert ran.code == 2
        assert "give the folder that pagekin sweep wrote" in ran.err

    def test_with_a_port_in_use(self, capfd: Capture, index: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            ran = run(capfd, "serve", str(index), "--port", str(taken.getsockname()[1]))
        assert ran.code == 2
        assert "it is in use" in ran.err
        assert ran.err.count("\n") == 1

    @pytest.mark.parametrize(
        ("option", "value"),
        [
            ("--port", "99999"),
            ("--port", "-1"),
            ("--host", "203.0.113.77"),
            ("--host", "no.such.host.invalid"),
            ("--host", "x" * 300),
        ],
    )
    def test_on_an_impossible_address(
        self, capfd: Capture, index: Path, option: str, value: str
    ) -> None:
        ran = run(capfd, "serve", str(index), option, value)
        assert ran.code == 2
        assert "cannot listen" in ran.err

    @pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "x"])
    def test_with_an_invalid_timeout(self, index: Path, value: str) -> None:
        with pytest.raises(SystemExit) as raised:
            main(["serve", str(index), "--max-seconds", value])
        assert raised.value.code == 2

    def test_without_the_packages(
        self, index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(serve, "find_spec", lambda name: None if name == "starlette" else name)
        assert main(["serve", str(index)]) == 2
        assert "starlette" in (said := capsys.readouterr().err)
        assert "pip install 'pagekin[serve]'" in said
