"""Crawls of several languages: terms, the languages of questions, and which pages are hits."""

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import pagekin
from pagekin.errors import InputError
from pagekin.query.languages import languages_of, main_languages
from pagekin.strategy import Strategy, Words
from tests.archives import http, members, record

HOST = "http://a.example"
TEXTS = {
    "en": "The server reads the files of the garden when it starts and again after every change.",
    "fr": "Le serveur lit les fichiers du jardin quand il démarre et après chaque changement.",
    "de": "Der Server liest die Dateien des Gartens, wenn er startet, und nach jeder Änderung.",
}
MORE = {
    "en": "All of these pages are about roses number {} and what you should do with them.",
    "fr": "Toutes ces pages sont sur les roses numéro {} et ce que vous pouvez en faire.",
    "de": "Alle diese Seiten sind über die Rosen Nummer {} und was man mit ihnen machen kann.",
}
NUMBERS = ("one", "two", "three", "four")


def url(language: str, number: int) -> str:
    return f"{HOST}/{language}/{number}"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> pagekin.Index:
    folder = tmp_path_factory.mktemp("languages")
    pages = {
        url(language, number): f"<title>Roses {word}</title><p>{TEXTS[language]} "
        f"{MORE[language].format(word)} postgresql {word}"
        for language in TEXTS
        for number, word in enumerate(NUMBERS)
    }
    pages[f"{HOST}/short"] = "<title>Roses</title><p>roses postgresql"
    crawl = folder / "crawl.warc.gz"
    crawl.write_bytes(members(*(record(http(html.encode()), at) for at, html in pages.items())))
    strategy = replace(Strategy.load("concepts"), words=Words(stemmer="auto", stop_words="auto"))
    pagekin.build(crawl, folder / "index", strategy=strategy)
    return pagekin.open(folder / "index")


def test_pages_have_their_language(index: pagekin.Index) -> None:
    assert {code: index.show(url(code, 0)).language for code in TEXTS} == {
        code: code for code in TEXTS
    }
    assert index.show(f"{HOST}/short").language is None
    assert sorted(main_languages(index.reader)) == ["de", "en", "fr"]


def test_stop_words_follow_the_language_of_the_page(index: pagekin.Index) -> None:
    terms = {term.term for term in index.show(url("fr", 0), terms=100).terms}
    assert not terms & {"le", "les", "du", "il", "et", "sur", "ce", "vous"}
    assert {"serveur", "fichiers", "jardin"} <= terms


def test_hits_are_in_the_language_of_the_page(index: pagekin.Index) -> None:
    found = index.related(url("fr", 0), k=20)
    assert found.query.language == "fr"
    assert {hit.language for hit in found} <= {"fr", None}
    assert len(found) == 4
    assert found.note is not None and "8 left out by language fr" in found.note


def test_other_languages_on_demand(index: pagekin.Index) -> None:
    everything = index.related(url("fr", 0), k=20, language="any")
    assert {hit.language for hit in everything} == {"en", "fr", "de", None}
    german = index.related(url("fr", 0), k=20, language="de")
    assert {hit.language for hit in german} == {"de", None}
    assert index.related(url("fr", 0), k=20, language="de-AT").hits == german.hits
    with pytest.raises(InputError, match="klingon"):
        index.related(url("fr", 0), language="klingon")


def test_language_that_no_page_has_leaves_pages_of_none(index: pagekin.Index) -> None:
    found = index.related(url("fr", 0), k=20, language="pl")
    assert [hit.url for hit in found] == [f"{HOST}/short"]
    assert found.note is not None and "left out by language pl" in found.note


def test_text_is_answered_in_its_language(index: pagekin.Index) -> None:
    found = index.related_to_text("Quand le serveur lit les fichiers du jardin après un changement")
    assert {hit.language for hit in found} <= {"fr", None} and found.hits
    polish = "Serwer czyta pliki ogrodu, kiedy się uruchamia, i potem po każdej zmianie postgresql"
    unknown = index.related_to_text(polish)
    assert unknown.query.language is None
    assert {hit.language for hit in unknown} >= {"en", "fr", "de"}


def test_short_queries_are_read_in_every_main_language(index: pagekin.Index) -> None:
    assert len(languages_of(index.reader, ["postgresql"])) == 3
    assert languages_of(index.reader, ["les", "roses"]) == ["fr"]
    assert {hit.language for hit in index.search("postgresql", k=20)} >= {"en", "fr", "de"}
    # Each has another stem by the rules of another language.
    for word, code in (("fichiers", "fr"), ("dateien", "de"), ("gardens", "en")):
        assert {hit.language for hit in index.search(word, k=20)} == {code}
    assert {hit.language for hit in index.search('"les fichiers"', k=20)} == {"fr"}


def test_stop_words_alone_get_an_honest_answer(index: pagekin.Index) -> None:
    found = index.related_to_text("le la les")
    assert not found.hits and found.note is not None
    assert index.search("le la les").note is not None


def test_precomputed_answers_equal_those_of_questions(index: pagekin.Index, tmp_path: Path) -> None:
    index.precompute(tmp_path / "answers.parquet", k=10)
    table = pq.read_table(tmp_path / "answers.parquet")
    rows = [row["related"] for row in table.to_pylist() if row["url"] == url("de", 1)]
    assert rows == [hit.url for hit in index.related(url("de", 1), k=10)]
