"""The error tree: the fields of each error, and its exit code."""

import pickle
from pathlib import Path

import pytest

from pagekin import errors
from pagekin.errors import (
    CrawlError,
    EngineError,
    ExitCode,
    IndexCorrupt,
    IndexVersion,
    NotAnIndex,
    PagekinError,
    StrategyError,
    StrategyMismatch,
    UnknownPage,
    exit_code,
    nearest,
)

EXAMPLES: list[PagekinError] = [
    StrategyError("window.size", -1, "a whole number from 0 to 1000", where="my.toml"),
    CrawlError("not a WARC", source="a.warc.gz", offset=17, advice="give a WARC file"),
    errors.DirectoryError("no TAB", source=Path("d.tsv"), advice="write class, TAB, URL"),
    NotAnIndex("no manifest.json", path="web.idx", advice="give the folder `index -o` wrote"),
    IndexVersion(path="web.idx", found=9, expected=1),
    IndexCorrupt("checksum differs", path="web.idx/bags", advice="build the index again"),
    StrategyMismatch("made by another strategy", path="web.idx", advice="build it again"),
    UnknownPage("http://a.example/", advice="ask for a URL of the crawl"),
    EngineError("no Java found", advice="install a Java runtime, or use --engine local"),
    errors.Defect("index out of bounds", where="web.idx"),
]


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
class TestEveryError:
    def test_says_what_where_and_what_to_do(self, error: PagekinError) -> None:
        for part in (error.what, error.where, error.advice):
            assert part in str(error)

    def test_survives_pickling(self, error: PagekinError) -> None:
        revived = pickle.loads(pickle.dumps(error))
        assert type(revived) is type(error)
        assert vars(revived) == vars(error)
        assert str(revived) == str(error)

    def test_has_one_json_shape(self, error: PagekinError) -> None:
        assert list(error.as_dict()) == ["kind", "what", "where", "advice"]
        assert error.as_dict()["kind"] == type(error).__name__


def test_input_error_names_source_and_offset() -> None:
    error = CrawlError("truncated", source=Path("a.warc"), offset=512, advice="fetch it again")
    assert str(error) == "a.warc at offset 512: truncated; fetch it again"


def test_error_without_a_place_starts_with_what_happened() -> None:
    assert str(EngineError("no Java", advice="install one")) == "no Java; install one"


def test_long_value_is_abbreviated() -> None:
    assert len(str(StrategyError("words.stop_words", ["x" * 10_000] * 99, "words"))) < 1000


def test_unknown_page_exits_with_1_defects_with_3_and_other_errors_with_2() -> None:
    others: dict[type[PagekinError], ExitCode] = {
        UnknownPage: ExitCode.ANSWER_IS_NO,
        errors.Defect: ExitCode.DEFECT,
    }
    for error in EXAMPLES:
        assert exit_code(error) == others.get(type(error), ExitCode.BAD_INPUT)


def test_exit_codes_are_0_to_3() -> None:
    assert [int(code) for code in ExitCode] == [0, 1, 2, 3]


@pytest.mark.parametrize(("word", "hint"), [("contnet", 'did you mean "content"? '), ("xyz", "")])
def test_nearest_suggests_only_similar_words(word: str, hint: str) -> None:
    assert nearest(word, ["content", "anchor"]) == hint
