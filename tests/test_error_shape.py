"""Guard: the error tree matches its drawing, and the package raises and catches only its errors."""

import ast
import builtins
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pagekin
from pagekin import errors
from pagekin.errors import PagekinError

PACKAGE = Path(pagekin.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
# The two edges, where whatever went wrong becomes an exit code or an HTTP status.
EDGES = {"cli/__init__.py", "serve/__init__.py"}
# What a protocol of Python itself asks for.
PROTOCOL = {"AttributeError", "KeyError", "IndexError", "StopIteration", "SystemExit"}
OUTSIDE_THE_TREE = {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
} - PROTOCOL


def tree(kind: type[PagekinError] = PagekinError) -> Iterator[type[PagekinError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from tree(child)


def name_of(node: ast.expr | None) -> str:
    return ast.unparse(node.func if isinstance(node, ast.Call) else node) if node else ""


def test_drawing_shows_the_error_tree() -> None:
    drawn = re.findall(r"^[ │├└─]*── (\w+)", inspect.getdoc(errors) or "", re.MULTILINE)
    assert ["PagekinError", *drawn] == [kind.__name__ for kind in tree()]


def test_errors_are_defined_in_one_file_and_exported() -> None:
    for kind in tree():
        assert kind.__module__ == "pagekin.errors"
        assert kind.__name__ in errors.__all__


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_modules_raise_pagekin_errors_and_catch_narrowly(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text())):
        place = f"{module}:{getattr(node, 'lineno', 0)}"
        assert not isinstance(node, ast.Assert), f"{place}: raise an error of the tree instead"
        if isinstance(node, ast.Raise):
            assert name_of(node.exc) not in OUTSIDE_THE_TREE, f"{place}: not of the tree"
        if isinstance(node, ast.ExceptHandler) and name_of(node.type) in {
            "",
            "Exception",
            "BaseException",
        }:
            assert module.relative_to(PACKAGE).as_posix() in EDGES, f"{place}: catches too much"
