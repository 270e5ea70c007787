"""Ctrl-C before the work has begun: exit code 130, one line, no traceback."""

import importlib
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from tests.archives import page, run

COMMAND = """
import os, signal, sys

class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, getattr(signal, sys.argv[2]))
sys.meta_path.insert(0, Impatient())
from pagekin_command import main
main()
"""

STARTING = """
import sys, threading
from pagekin.cli import main

def interrupt(*_):
    raise KeyboardInterrupt

new = hasattr(threading, "_start_joinable_thread")
setattr(threading, "_start_joinable_thread" if new else "_start_new_thread", interrupt)
sys.exit(main())
"""


def interrupted_at(module: str, handler: str) -> "subprocess.CompletedProcess[str]":
    """The command, with Ctrl-C when it imports a module."""
    words = [sys.executable, "-c", COMMAND, module, handler]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    "module", ["pagekin", "numpy", "pyarrow.lib", "pagekin._core", "pagekin.cli.commands.evaluate"]
)
def test_ctrl_c_during_imports_exits_with_130(module: str) -> None:
    ended = interrupted_at(module, "default_int_handler")
    assert (ended.returncode, ended.stderr) == (130, "pagekin: interrupted\n")


def test_ignored_ctrl_c_stays_ignored() -> None:
    assert interrupted_at("numpy", "SIG_IGN").stderr.startswith("usage: ")


def test_ctrl_c_while_parsing_arguments_exits_with_130(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def impatient(_words: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module("pagekin.cli.main"), "parser", impatient)
    ran = run(capfd, "check", "index")
    assert (ran.code, ran.last[:21]) == (130, "pagekin: interrupted;")


def test_while_a_thread_is_being_started(tmp_path: Path) -> None:
    (tmp_path / "crawl.warc").write_bytes(page("one"))
    words = ["index", str(tmp_path / "crawl.warc"), "-o", str(tmp_path / "index")]
    ended = subprocess.run(
        [sys.executable, "-c", STARTING, *words], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, "Traceback" in ended.stderr) == (130, False)
    assert ended.stderr.endswith("pagekin: interrupted; an existing index is whole, old or new\n")
    assert not (tmp_path / "index").exists()
