"""`pagekin related` on the sample crawl: what people read, what programs read, exit codes."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pagekin
from pagekin.strategy import Concept, Kinds, Strategy, presets
from tests.archives import SAFETY_NET, CommandResult, run, spawn
from tests.crawls import build_pages

ROSES = "http://www.hedgerow.example/plants/roses.html"
HELLEBORES = "http://www.hedgerow.example/plants/hellebores.html"
LIGHTNING = "http://www.skywatch.example/storms/lightning.html"
MIRROR = "http://mirror.oldnet.example/hedgerow/plants/roses.html"
NOT_CRAWLED = "http://www.national-soaring-centre.example/"

Related = Callable[..., CommandResult]


@pytest.fixture
def related(capfd: pytest.CaptureFixture[str], index: Path) -> Related:
    return lambda *words: run(capfd, "related", index, *words)


def document(ran: CommandResult) -> dict[str, Any]:
    """The one JSON document on stdout."""
    assert (ran.code, ran.err, ran.out.count("\n")) == (0, "", 1)
    found: dict[str, Any] = json.loads(ran.out)
    return found


def urls(ran: CommandResult) -> list[str]:
    return [hit["url"] for hit in document(ran)["hits"]]


def test_text_output_shows_scores_titles_and_reasons(related: Related) -> None:
    ran = related(ROSES, "-k", "2")
    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert lines[:4] == [
        "related to Old roses without fear",
        f"           {ROSES}",
        f"copied at  {MIRROR}",
        "",
    ]
    garden = "Hellebores for the dark end of the garden"
    assert lines[4] == f"  1  0.194  ██········  {garden}"
    assert lines[5] == " " * lines[4].index("Hell") + HELLEBORES
    shown = " ".join(line.strip() for line in lines[6:9])
    assert shown.startswith("This shows off the flowers and, more to the point, removes the black")
    assert shown.endswith("alba roses.")
    assert lines[9].strip().startswith("both about: roses, flower, shade, kitchen ")
    assert lines[10].strip().startswith("shared: roses 1.1%, ")
    assert lines[10].endswith(" more")
    assert lines[11].strip() == f"copy: {MIRROR.replace('roses', 'hellebores')}"
    assert lines[12].strip().startswith("linked together by http://")
    assert lines[13].strip().startswith("“") and lines[13].endswith("”")
    assert lines[13].count("[") == lines[13].count("]") == 2
    linked = lines.index("linked to, not in this crawl")
    assert lines[linked + 2].strip().startswith("http://")
    assert lines[-1].startswith("2 pages in ") and lines[-1].endswith(" ms")


def test_last_line_says_that_only_candidates_were_compared(related: Related) -> None:
    ran = related(ROSES, "-k", "2", "--min-agreement", "0.01")
    said = " ms; only likely candidates were compared; --exact compares every page"
    assert ran.out.splitlines()[-1].endswith(said)


def test_json_has_the_documented_fields(related: Related) -> None:
    found = document(related(ROSES, "-k", "3", "--json"))
    assert found["query"]["url"] == ROSES
    assert found["query"]["title"] == "Old roses without fear"
    assert len(found["hits"]) == 3
    assert isinstance(found["took_ms"], float)
    assert found["exact"] is True
    for hit in found["hits"]:
        assert {"url", "title", "site", "score", "crawled", "why"} <= hit.keys()
        assert 0 < hit["score"] <= 1
        assert hit["crawled"] is True
        assert hit["url"].split("/")[2] == hit["site"]
        why = hit["why"]
        assert all(term.keys() == {"term", "share"} for term in why["terms"])
        assert all(cited.keys() == {"url", "words"} for cited in why["cited_together_by"])
        shares = [each["share"] for each in (*why["terms"], *why["concepts"])]
        others = why["other_terms"]["share"] + why["other_concepts"]["share"]
        assert sum(shares) + others == pytest.approx(why["intersection"], abs=1e-5)
    scores = [hit["score"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True)


def test_uncrawled_page_can_be_query_and_hit(related: Related) -> None:
    ran = related(NOT_CRAWLED)
    name = "National Soaring Centre"
    assert ran.out.startswith(f"related to {name}\n           {NOT_CRAWLED}\n\n  1  ")
    first = document(related(NOT_CRAWLED, "--json", "-k", "1"))["hits"][0]["url"]
    hits = document(related(first, "--json", "-k", "30", "--pages", "all"))["hits"]
    assert (NOT_CRAWLED, name, False) in [
        (hit["url"], hit["title"], hit["crawled"]) for hit in hits
    ]
    apart = document(related(first, "--json", "--pages", "uncrawled"))["hits"]
    assert not any(hit["crawled"] for hit in apart)


def test_query_of_several_pages_minus_an_unlike_page(related: Related) -> None:
    ran = related(ROSES, LIGHTNING, "--unlike", HELLEBORES, "-k", "1")
    assert ran.out.splitlines()[1:4] == [
        f"           {ROSES}",
        f"           {LIGHTNING}",
        f"but unlike {HELLEBORES}",
    ]
    found = document(related(ROSES, LIGHTNING, "--unlike", HELLEBORES, "--json", "-k", "200"))
    assert found["query"] == {
        "url": ROSES,
        "title": "Old roses without fear",
        "also": [LIGHTNING],
        "unlike": [HELLEBORES],
        "word_share": None,
        "language": None,
    }
    assert not {ROSES, LIGHTNING, HELLEBORES} & {hit["url"] for hit in found["hits"]}


def test_text_is_a_query(related: Related) -> None:
    ran = related("--text", "Pruning the OLD roses", "-k", "1")
    assert ran.code == 0
    assert ran.out.startswith("related to the text\n\n  1  ")
    assert document(related("--text", "old roses", "--json"))["query"]["url"] is None


def test_text_and_page_come_from_standard_input(index: Path) -> None:
    text = "pruning the old roses"
    expected = [hit.url for hit in pagekin.open(index).related_to_text(text)]
    for option, given in (("--text", text), ("--file", f"<p>{text}")):
        ran = spawn("related", index, option, "-", "--json", stdin=[given.encode()])
        assert urls(ran) == expected


def test_pages_and_texts_are_mixed(related: Related, index: Path) -> None:
    words = [LIGHTNING, "--text", "old roses", "--unlike-text", "hail"]
    lines = related(*words, "-k", "1").out.splitlines()
    assert lines[1:3] == [f"           {LIGHTNING}", "           the text"]
    (scores,) = (line for line in lines if "by words " in line)
    assert ", by similarity " in scores
    question = pagekin.Question((LIGHTNING,), text="old roses", unlike_text="hail")
    assert urls(related(*words, "--json")) == [
        hit.url for hit in pagekin.open(index).related(question)
    ]


@pytest.mark.parametrize(
    ("encoding", "head"),
    [
        ("utf-8", ""),
        ("utf-8-sig", ""),
        ("utf-16", ""),
        ("windows-1251", "<meta charset=windows-1251>"),
        ("koi8-r", '<meta http-equiv=content-type content="text/html; charset=koi8-r">'),
    ],
)
def test_file_query_is_decoded_in_any_encoding(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, encoding: str, head: str
) -> None:
    pages = {"a": "<meta charset=utf-8>старые розы сада", "b": "<meta charset=utf-8>гроза и молния"}
    index = build_pages(tmp_path, pages, presets()["content"])
    path = tmp_path / "asked.html"
    path.write_bytes(f"{head}<title>Розы</title><p>старые розы".encode(encoding))
    ran = run(capfd, "related", index, "--file", path, "--json")
    found = document(ran)
    assert (found["query"]["url"], found["query"]["title"]) == (None, "Розы")
    assert [hit["url"] for hit in found["hits"]] == ["http://t.example/a.html"]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (Path.exists, "cannot be read (No such file or directory); give an HTML file"),
        (Path.mkdir, "cannot be read (Is a directory); give an HTML file"),
        (
            lambda path: path.write_bytes(b" " * ((64 << 20) + 1)),
            "larger than 64 MiB; give a smaller page",
        ),
    ],
)
def test_bad_query_file_is_rejected(
    related: Related, tmp_path: Path, make: Callable[[Path], Any], said: str
) -> None:
    make(tmp_path / "page.html")
    ran = related("--file", tmp_path / "page.html")
    assert (ran.code, ran.out) == (2, "")
    assert ran.last == f"pagekin: {tmp_path / 'page.html'}: {said}"


@pytest.mark.parametrize("content", [b"", b"\x00" * 99, bytes(range(256)), b"<" * 10_000, b"%PDF"])
def test_file_without_known_words_has_no_related_pages(
    related: Related, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "page.html").write_bytes(content)
    ran = related("--file", tmp_path / "page.html")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        "pagekin: the index knows no word of this text, so no page is related to it\n"
    )


def _with_copies(ran: CommandResult) -> set[str]:
    hits = document(ran)["hits"]
    return {url for hit in hits for url in (hit["url"], *hit["copies"])}


def test_filter_options_select_hits(related: Related) -> None:
    plain = document(related(ROSES, "--json"))["hits"]
    assert len(plain) == 10
    least = plain[3]["score"]
    assert urls(related(ROSES, "--json", "--min-score", str(least))) == [
        hit["url"] for hit in plain[:4]
    ]
    others = document(related(ROSES, "--json", "--exclude-site"))["hits"]
    assert "www.hedgerow.example" not in {hit["site"] for hit in others}
    grouped = document(related(ROSES, "--json", "--group-by-site"))["hits"]
    assert len({hit["site"] for hit in grouped}) == len(grouped) == 10
    linked = _with_copies(related(ROSES, "--json", "-k", "1000"))
    unlinked = _with_copies(related(ROSES, "--json", "-k", "1000", "--exclude-linked"))
    assert unlinked < linked
    assert urls(related(ROSES, "--json", "--exact")) == [hit["url"] for hit in plain]
    assert 0 < len(urls(related(ROSES, "--json", "--min-agreement", "0.15"))) < 10


def test_filter_that_shortens_the_answer_is_named(related: Related) -> None:
    ran = related(ROSES, "--min-score", "0.15")
    assert ran.code == 0
    assert ran.out.splitlines()[-2] == (
        "only 5 related pages: 99 below the minimum score, 1 copy of the page itself left out"
    )
    assert ran.out.splitlines()[-1].startswith("5 pages in ")


def test_pandas_is_not_imported_for_an_answer(index: Path) -> None:
    """Where it is installed it would take longer than all the rest."""
    code = "import sys; from pagekin.cli import main; main(sys.argv[1:]); "
    code += "sys.exit('pandas' in sys.modules)"
    words = [sys.executable, "-c", code, "related", str(index), ROSES]
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True, timeout=SAFETY_NET)


def test_filter_that_empties_the_answer_is_named(related: Related) -> None:
    ran = related(ROSES, "--min-score", "0.9")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "pagekin: no related page: 105 below the minimum score\n"
    ran = related(ROSES, "--min-score", "0.9", "--json", "--exact")
    assert (ran.code, ran.err) == (1, "")
    assert json.loads(ran.out)["hits"] == []
    assert json.loads(ran.out)["note"] == "no related page: 105 below the minimum score"
    ran = related(ROSES, "--min-agreement", "0.9")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        "pagekin: no related page: "
        "only pages whose sketches agree in more than 90% of positions were compared\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "the question: no question given; give URLs, a text or an HTML page"),
        (["--unlike-text", "roses"], "the question: only what pages should be unlike"),
        (["--text", "-", "--file", "-"], "standard input: asked for twice"),
        (["--unlike", ROSES], "the question: only what pages should be unlike; give URLs"),
        (["roses.html"], "roses.html: not a valid URL; give an http or https URL"),
        (["ftp://www.hedgerow.example/"], "not a valid URL; give"),
        (["www.hedgerow.example"], "; did you mean http://www.hedgerow.example/? give an http or"),
        ([ROSES.removeprefix("http://")], f"; did you mean {ROSES}? give an http or https URL"),
        (
            ["--txet", "roses"],
            'related: error: unknown option: --txet roses; did you mean "--text"?',
        ),
        ([ROSES, "--best=3"], "unknown option: --best=3; pagekin related --help lists all options"),
        ([""], "not a valid URL"),
        (["\udcff"], "not a valid URL"),
        ([ROSES, "--unlike", "roses"], "roses: not a valid URL"),
        ([ROSES, "-k", "0"], "argument -k: '0' is not a whole number of at least 1"),
        ([ROSES, "-k", "-1"], "argument -k"),
        ([ROSES, "-k", "x"], "argument -k: 'x' is not a whole number of at least 1"),
        ([ROSES, "-k", "1.5"], "argument -k"),
        ([ROSES, "--min-score", "2"], "argument --min-score: '2' is not a number from 0 to 1"),
        ([ROSES, "--min-score", "nan"], "argument --min-score"),
        ([ROSES, "--pages", "some"], "--pages: 'some' is not one of crawled, uncrawled, all"),
        ([ROSES, "--min-agreement", "x"], "--min-agreement: 'x' is not a number from 0 to 1"),
        ([ROSES, "--alpha", "0.5"], "unknown option: --alpha 0.5; it is called --min-agreement"),
        ([ROSES, "--alpha=0.5"], "it is called --min-agreement now"),
    ],
)
def test_bad_arguments_are_rejected(related: Related, words: list[str], said: str) -> None:
    ran = related(*words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.last


def test_unknown_page_exits_with_1_and_a_suggestion(related: Related) -> None:
    ran = related(ROSES.replace("http:", "https:"), "--json")
    assert (ran.code, ran.out) == (1, "")
    assert "no page or link of the crawl has this URL" in ran.last
    assert f"did you mean {ROSES}?" in ran.last
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("k", ["1000000000", "99999999999999999999999"])
def test_k_beyond_all_pages_returns_all_pages(related: Related, k: str) -> None:
    found = document(related(ROSES, "--json", "-k", k, "--pages", "all"))
    pages = [url for hit in found["hits"] for url in (hit["url"], *hit["copies"])]
    assert len(pages) + len(found["copies_of_query"]) == 141


def test_page_without_terms_has_no_related_pages(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pages = {"a": "<p>garden roses", "b": "<p>the of", "c": "garden"}
    index = build_pages(tmp_path, pages, presets()["content"])
    for flags in ((), ("--exact",), ("--json",)):
        ran = run(capfd, "related", index, "http://t.example/b.html", *flags)
        assert ran.code == 1
        assert (
            "the index knows nothing about this page, so no page is related to it"
            in ran.out + ran.err
        )
    hits = urls(run(capfd, "related", index, "http://t.example/a.html", "--json"))
    assert hits == ["http://t.example/c.html"]


def test_index_of_links_alone_relates_pages_but_not_texts(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pages = {"hub": "<a href=a.html>x</a> <a href=b.html>y</a>", "a": "roses", "b": "tulips"}
    index = build_pages(tmp_path, pages, presets()["links"])
    assert urls(run(capfd, "related", index, "http://t.example/a.html", "--json")) == [
        "http://t.example/b.html"
    ]
    ran = run(capfd, "related", index, "http://t.example/hub.html")
    assert (ran.code, ran.out) == (1, "")
    ran = run(capfd, "related", index, "--text", "roses")
    assert (ran.code, ran.out) == (2, "")
    assert "this index has no words: it represents pages by their inlinks" in ran.last
    assert "ask about a page of the crawl" in ran.last


def test_copies_are_listed_under_their_hit(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pages = {
        "a": "garden roses tulips",
        "b": "garden roses lightning",
        "c": "roses garden lightning",
    }
    index = build_pages(tmp_path, pages, presets()["content"])
    ran = run(capfd, "related", index, "http://t.example/a.html")
    assert ran.out.count("http://t.example/b.html") == ran.out.count("http://t.example/c.html") == 1
    assert "copy: http://t.example/" in ran.out
    (hit,) = document(run(capfd, "related", index, "http://t.example/a.html", "--json"))["hits"]
    assert len(hit["copies"]) == 1


def test_shared_concepts_are_listed(
    capfd: pytest.CaptureFixture[str], crawl: Path, tmp_path: Path
) -> None:
    about = Strategy(kinds=Kinds(concept=1), concept=Concept(components=9))
    pagekin.build(crawl, tmp_path / "index", strategy=about)
    found = document(run(capfd, "related", tmp_path / "index", ROSES, "-k", "1", "--json"))
    why = found["hits"][0]["why"]
    assert all(each.keys() == {"concept", "words", "here", "share"} for each in why["concepts"])
    assert all(term.keys() == {"term", "share"} for term in why["terms"])
    parts = (*why["terms"], *why["concepts"], why["other_terms"], why["other_concepts"])
    assert sum(part["share"] for part in parts) == pytest.approx(why["intersection"], abs=1e-5)
    lines = run(capfd, "related", tmp_path / "index", ROSES, "-k", "1").out.splitlines()
    first = why["concepts"][0]["here"][:2]
    (named,) = (line.strip() for line in lines if "both about: " in line)
    assert named.startswith(f"both about: {', '.join(first)}")
    assert lines[lines.index(f"{' ' * 24}{named}") + 1].strip().startswith("shared: ")
