"""Guard: imports flow one way, so that a stage knows only the stages to its left."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pagekin

PACKAGE = Path(pagekin.__file__).parent
GROUND = {
    "_core",
    "arrays",
    "dates",
    "errors",
    "fields",
    "replay",
    "sample",
    "strategy",
    "tabular",
    "types",
    "url",
    "work",
}
LINE = ["crawl", "bags", "sketches", "index", "query"]
BESIDE = {"audit", "engines", "evaluation", "pairs"}
ROOF = {"__init__", "__main__", "api", "cli", "export", "generators", "mcp", "serve"}
KNOWN = GROUND | {*LINE} | BESIDE | ROOF


def may_import(importer: str, imported: str) -> bool:
    if importer == imported or importer in ROOF:
        return True
    if importer in LINE:
        return imported in GROUND or imported in LINE[: LINE.index(importer)]
    return imported in GROUND or (importer in BESIDE and imported in LINE)


def part_of(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: write imports in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("module", sorted(PACKAGE.rglob("*.py")), ids=str)
def test_modules_import_only_from_their_left(module: Path) -> None:
    part = part_of(module)
    assert part in KNOWN, f"{module}: give {part} its place in this test"
    for name in imports(module):
        package, _, rest = name.partition(".")
        if package == "pagekin" and rest:
            imported = rest.partition(".")[0]
            assert imported in KNOWN, f"{module} imports {name}: import the part that makes it"
            assert may_import(part, imported), f"{module} imports {name}, which is not to its left"


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("bags", "crawl", True),
        ("crawl", "bags", False),
        ("strategy", "errors", True),
        ("errors", "crawl", False),
        ("pairs", "index", True),
        ("index", "pairs", False),
        ("cli", "query", True),
        ("query", "cli", False),
    ],
)
def test_import_rule_examples(importer: str, imported: str, allowed: bool) -> None:
    assert may_import(importer, imported) is allowed
