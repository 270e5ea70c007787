"""The audit of small sites whose findings are known."""

import json
from pathlib import Path

import pytest

import pagekin
from pagekin.audit import KINDS, Audit, AuditQuestion, render
from pagekin.errors import InputError, UnknownPage
from pagekin.strategy import DEFAULT, presets
from tests.crawls import build_pages

SITE = "t.example"
MIN_SCORE = 0.02
MENU = '<ul><li><a href="/">home</a></li><li><a href="/menued.html">menued</a></li></ul>'


def page(title: str, body: str, menu: str = MENU) -> str:
    return f"<title>{title}</title><body>{menu}<p>{body}</p>"


def text(words: str) -> str:
    """Text that resembles no other page."""
    return " ".join(f"{word}{number}" for word in words.split() for number in range(12))


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    roses = "Red, white and yellow: the pruning of climbers needs a sharp knife and dry weather."
    pages = {
        "": page("Home", 'All about <a href="roses.html">rose gardens</a> and '
                 '<a href="tulips.html">tulips</a>, <a href="gone.html">lost page</a>, '
                 '<a href="photo.jpg">photo</a>, <a href="https://else.example/x">elsewhere</a>'),
        "roses": page("Roses", f'{roses} {text("thorn")} <a href="/">home page</a>'),
        "tulips": page("Tulips", f'{text("bulb")} unlike rose gardens. <a href="/">back</a>'),
        "menued": page("In the menu", f'{text("menu")} <a href="roses.html">rose gardens</a>'),
        "orphan": page("Orphan", f'{text("lonely")} <a href="tulips.html">tulips</a>'),
        "one": page("Copy", f'{text("same")} <a href="two.html">other</a>'),
        "two": page("Copy", f'{text("same")} <a href="one.html">other</a>'),
        "end": page("End", text("cul de sac"), menu=""),
        "links": page("Links", f'{text("list")} <a href="end.html">end</a> '
                      '<a href="one.html">copy</a> <a href="links.html">self</a>'),
        "noexit": page("No exit", text("room")),
    }  # fmt: skip
    index = build_pages(tmp_path_factory.mktemp("site"), pages, presets()[DEFAULT])
    return pagekin.open(index).audit(AuditQuestion(SITE, min_score=MIN_SCORE))


def found(audit: Audit, kind: str) -> list[tuple[str, str | None]]:
    def path(url: str | None) -> str | None:
        return None if url is None else url.removeprefix(f"http://{SITE}/")

    return [(str(path(each.url)), path(each.target)) for each in audit if each.kind == kind]


def test_orphans_differ_from_near_orphans(audited: Audit) -> None:
    assert found(audited, "orphan") == [
        (f"{name}.html", None) for name in ("links", "noexit", "orphan")
    ]
    assert found(audited, "near-orphan") == [("menued.html", None)]


def test_dead_ends_differ_from_near_dead_ends(audited: Audit) -> None:
    assert found(audited, "dead-end") == [("end.html", None)]
    assert found(audited, "near-dead-end") == [("noexit.html", None)]


def test_pages_that_are_not_in_the_crawl_are_broken_links_and_files_are_counted(
    audited: Audit,
) -> None:
    (broken,) = (each for each in audited if each.kind == "broken-link")
    assert found(audited, "broken-link") == [("", "gone.html")]
    assert "[lost page]" in (broken.words or "")
    assert audited.files == 1


def test_pages_of_the_same_text_are_near_duplicates(audited: Audit) -> None:
    assert found(audited, "near-duplicate") == [("two.html", "one.html")]


def test_names_of_pages_outside_of_links_are_missing_links(audited: Audit) -> None:
    links = [each for each in audited if each.kind == "missing-link"]
    assert ("tulips.html", "roses.html") in found(audited, "missing-link")
    named = next(each for each in links if each.target == f"http://{SITE}/roses.html")
    assert "[rose gardens]" in (named.words or "").lower()
    assert all(each.url != each.target for each in links)
    scores = [each.score or 0 for each in links]
    assert scores == sorted(scores, reverse=True) and min(scores) >= MIN_SCORE


def test_an_earlier_audit_hides_what_it_has(audited: Audit) -> None:
    assert not audited.since(audited).findings
    orphans = audited.of_kinds(["orphan"])
    assert {each.kind for each in audited.since(orphans)} == {each.kind for each in audited} - {
        "orphan"
    }


def test_pages_without_any_link_are_orphans_and_dead_ends(tmp_path: Path) -> None:
    pages = {name: page(name, text(name), menu="") for name in ("", "a", "b")}
    audit = pagekin.open(build_pages(tmp_path, pages, presets()[DEFAULT])).audit()
    assert audit.counts["dead-end"] == 3
    assert audit.counts["orphan"] == 2  # the home page needs no link
    for form in ("text", "csv", "html", "markdown", "json", "sarif"):
        assert render(audit, form).endswith("\n")


def test_unknown_sites_and_kinds_are_errors_that_name_the_known(index: Path) -> None:
    opened = pagekin.open(index)
    with pytest.raises(InputError, match=r"no page of this site was crawled.*the crawl has"):
        opened.audit("nowhere.example")
    with pytest.raises(InputError, match=r"sites were crawled.*--site"):
        opened.audit()
    with pytest.raises(InputError, match='did you mean "orphan"'):
        Audit("s", 0, 0, 0, [], 0.0).of_kinds(["orphans"])
    with pytest.raises(InputError):
        AuditQuestion(per_page=-1)
    assert not issubclass(InputError, UnknownPage)


def test_sarif_has_a_rule_for_each_kind_and_a_result_for_each_finding(audited: Audit) -> None:
    (run,) = json.loads(render(audited, "sarif"))["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [*KINDS]
    assert [each["ruleId"] for each in run["results"]] == [each.kind for each in audited]
    assert {each["level"] for each in run["results"]} <= {"error", "warning", "note"}
