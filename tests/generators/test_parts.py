"""The parts that both plugins share, without a generator."""

import os
import signal
from pathlib import Path

import pytest

from pagekin.errors import EngineError, InputError, PagekinError
from pagekin.export.reasons import reason_words
from pagekin.generators.documents import Document
from pagekin.generators.html import has_words, nav, plain_text
from pagekin.generators.list_settings import ListSettings
from pagekin.generators.place import PLACE, set_list
from pagekin.generators.process import RelatingProcess
from pagekin.generators.relate import relate
from pagekin.generators.versions import version_folders

ROSES = (
    "<p>Roses are pruned at the end of winter, when their buds begin to redden in the garden.</p>"
)
SHARES = "<p>A share is a part of a company, and its price at the exchange changes every day.</p>"


def documents() -> list[Document]:
    bodies = {"roses": ROSES * 2, "buds": f"{ROSES}<p>Buds.</p>" * 2, "shares": SHARES * 2}
    return [Document(f"{name}/", name, name.title(), body) for name, body in bodies.items()]


def test_documents_are_related() -> None:
    found = relate(documents(), ListSettings())
    assert [each.path for each in found.by_path["roses/"]] == ["buds/"]
    assert not found.failed and "shares/" not in found.by_path


def test_process_answers_like_the_function() -> None:
    process = RelatingProcess()
    process.ask(documents(), ListSettings(), "http://site.example/")
    assert process.answer() == relate(documents(), ListSettings(), "http://site.example/")


def test_process_passes_errors_on() -> None:
    too_large = [Document(f"{n}/", f"{n}", "Large", "some words " * 2_000_000) for n in range(2)]
    process = RelatingProcess()
    process.ask(too_large, ListSettings(), None)
    with pytest.raises(PagekinError, match="too large"):
        process.answer()


def test_document_that_cannot_be_indexed_is_named() -> None:
    large = Document("large/", "large.md", "Large", "some words " * 2_000_000)
    found = relate([*documents(), large], ListSettings())
    assert found.failed == ["large.md"] and found.by_path["roses/"]


@pytest.mark.parametrize("base", ["http://site.example/docs", "/docs/", "docs", "ftp://a/", ""])
def test_any_address_of_the_site_will_do(base: str) -> None:
    assert relate(documents(), ListSettings(), base).by_path.keys() == {"roses/", "buds/"}


def test_absolute_links_are_links_of_the_site() -> None:
    link = '<a href="http://site.example/docs/shares/">shares</a>'
    linking = Document("roses/", "roses", "Roses", f"{ROSES * 2}{link}")
    given = [linking, *documents()[1:]]
    settings = ListSettings(exclude_linked=True, min_score=0)
    paths = {}
    for base in ("http://site.example/docs", "http://other.example/docs"):
        found = relate(given, settings, base).by_path["roses/"]
        paths[base] = {each.path for each in found}
    assert paths == {
        "http://site.example/docs": {"buds/"},
        "http://other.example/docs": {"buds/", "shares/"},
    }


def test_process_that_is_killed_is_an_error() -> None:
    process = RelatingProcess()
    os.kill(process._child.pid, signal.SIGKILL)
    process.ask(documents() * 1000, ListSettings(), None)
    with pytest.raises(EngineError, match="ended with code -9"):
        process.answer()


def test_process_ends_without_a_question() -> None:
    process = RelatingProcess()
    process.end()
    assert process._child.returncode is not None


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["v1/a", "v1/b", "v2/a", "v2/c", "a"], {"v1/a": "v1/", "v2/a": "v2/", "v1/b": "v1/"}),
        (["en/1.0/a", "en/latest/a"], {"en/1.0/a": "en/1.0/", "en/latest/a": "en/latest/"}),
        (["api/a", "guide/a"], {}),
        (["2023/spring", "2023/index", "2023/x", "2024/index", "2024/y", "2024/z"], {}),
        (["v1/a"], {}),
    ],
)
def test_version_folders(paths: list[str], found: dict[str, str]) -> None:
    told = version_folders(paths)
    assert {path: told.get(path) for path in found} == found
    assert bool(told) == bool(found)


@pytest.mark.parametrize(
    ("body", "enough"),
    [
        ("<p>one two three</p>", True),
        ("<p>one two</p>", False),
        ("<a href='x'>one two three</a>", False),
        ("<p>one <a href='x'>of</a> two <b>three</b>", True),
        ("<script>one two three</script>", False),
        ("<!-- one two three -->", False),
        ("<abbr>one two three</abbr>", True),
        ("<a>one</a></a></a> one two three", True),
        ("", False),
        ("日本語です", True),
        ("<<<<< one two three", True),
    ],
)
def test_words_outside_of_links_are_counted(body: str, enough: bool) -> None:
    assert has_words(body, 3) is enough
    assert has_words("<p>x.</p>" * 2000 + body, 2000)


def test_titles_are_plain_text() -> None:
    assert plain_text('The <code class="x">a &lt; b</code>\n operator') == "The a < b operator"


def test_list_escapes_what_it_shows() -> None:
    shown = nav("<Related>", [('a"b', "<script>", "x & y"), ("c", "d", "")])
    assert "<script>" not in shown and "<Related>" not in shown
    assert '<a href="a&quot;b">&lt;script&gt;</a><br><small>x &amp; y</small>' in shown
    assert '<li><a href="c">d</a></li>' in shown


def test_list_is_set_again_in_its_place(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(f"before {PLACE} after")
    assert set_list(file, b"<nav>1</nav>") is True
    assert set_list(file, b"<nav>1</nav>") is False
    assert set_list(file, b"<nav>2</nav>") is True
    assert file.read_text() == f"before {'--><nav>2</nav><!--'.join(PLACE.split('--><!--'))} after"
    file.write_text(PLACE.replace("!--!", "!--"))
    assert set_list(file, b"<nav>3</nav>") is True
    file.write_text("no place")
    assert set_list(file, b"<nav></nav>") is None
    assert set_list(tmp_path / "missing.html", b"") is None


def test_reasons_are_words_that_readers_know() -> None:
    assert reason_words(["db", "aggregate", "x", "日本", "model", "query"]) == [
        "aggregate",
        "日本",
        "model",
    ]


@pytest.mark.parametrize(
    ("name", "aside"),
    [("404.md", True), ("en/search", True), ("news/one", True), ("news", False), ("a", False)],
)
def test_pages_that_take_no_part(name: str, aside: bool) -> None:
    assert ListSettings(exclude=("news/*",)).excludes(name) is aside


def test_one_pattern_is_a_list_of_one() -> None:
    given = {"exclude": "news/*"}
    assert ListSettings.of(given).exclude == ("news/*",)
    with pytest.raises(InputError, match="k"):
        ListSettings.of({"k": "many", "exclude": []})
