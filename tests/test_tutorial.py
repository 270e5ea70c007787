"""The tutorial, executed: each command prints what the page says it prints."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial.md"
ANYTHING = "…"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", TUTORIAL.read_text(), re.MULTILINE | re.DOTALL)


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Each command with the output that follows it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def pattern_of(output: str) -> str:
    """`…` alone on a line stands for any lines, within a line for any text."""
    lines = []
    for line in output.splitlines():
        if line == ANYTHING:
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(re.escape(line).replace(re.escape(ANYTHING), ".*") + "\n")
    return "".join(lines)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tutorial")


def test_the_commands_print_what_the_page_says(folder: Path) -> None:
    shown = [pair for block in blocks("console") for pair in commands(block)]
    assert len(shown) >= 8
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command, output in shown:
        done = subprocess.run(
            ["bash", "-c", command],
            check=False,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        errors = [line for line in done.stderr.splitlines() if line.startswith("pagekin:")]
        printed = done.stdout + "".join(f"{line}\n" for line in errors)
        if done.returncode:
            printed += f"[exit code {done.returncode}]\n"
        assert re.fullmatch(pattern_of(output), printed), f"$ {command}\n{printed}{done.stderr}"


def test_the_python_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    code = "\n".join(blocks("python"))
    assert "pagekin.open" in code
    exec(compile(code, str(TUTORIAL), "exec"), {})
