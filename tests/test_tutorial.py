"""README and tutorial, executed: each command prints what the page shows, and the Python runs."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "docs" / "tutorial.md")
ANYTHING = "…"


def blocks(page: Path, kind: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_shows_the_output_of_its_commands(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = [pair for block in blocks(page, "console") for pair in commands(block)]
    assert len(shown) >= 3
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command, output in shown:
        done = subprocess.run(
            ["bash", "-c", command],
            check=False,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        errors = [line for line in done.stderr.splitlines() if line.startswith("pagekin:")]
        printed = done.stdout + "".join(f"{line}\n" for line in errors)
        if done.returncode:
            printed += f"[exit code {done.returncode}]\n"
        assert re.fullmatch(pattern_of(output), printed), f"$ {command}\n{printed}{done.stderr}"
    monkeypatch.chdir(tmp_path)
    code = "\n".join(blocks(page, "python"))
    assert "pagekin.open" in code
    exec(compile(code, str(page), "exec"), {})
