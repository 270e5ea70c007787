"""Stems, word by word: Porter against his published vocabulary, the others against Snowball."""

import gzip
import re
from pathlib import Path

import pytest
import Stemmer

from pagekin import _core
from pagekin.sample import sample_sites
from pagekin.strategy import STEMMERS, Strategy, Words

DATA = Path(__file__).parent.parent / "data"
# Enough of each language to meet its suffixes; the sample's English words are added to each.
TEXTS = dict(
    line.split("\t") for line in (DATA / "snowball-words.tsv").read_text("utf-8").splitlines()
)


def stems(words: list[str], stemmer: str) -> list[str]:
    strategy = Strategy(words=Words(stemmer=stemmer, stop_words="none"))
    core = _core.Strategy(strategy.to_core())
    terms = [_core.term_of(core, word) for word in words]
    return [term.text if term else "" for term in terms]


def sample_words() -> list[str]:
    text = " ".join(
        page.read_text(encoding="utf-8", errors="ignore")
        for page in sorted(sample_sites().rglob("*.html"))[:20]
    )
    return sorted(set(re.findall(r"[a-z]+", text.lower())))


def test_porter_matches_the_published_vocabulary() -> None:
    lines = gzip.decompress((DATA / "porter-vocabulary.tsv.gz").read_bytes()).decode().splitlines()
    pairs = [tuple(line.split("\t")) for line in lines]
    assert len(pairs) == 23_531
    words = [word for word, _ in pairs]
    assert list(zip(words, stems(words, "porter"), strict=True)) == pairs


def test_every_stemmer_has_a_test_text() -> None:
    assert set(TEXTS) | {"porter", "english"} == set(STEMMERS) == set(_core.stemmers())


@pytest.mark.parametrize("language", sorted({*TEXTS, "english"}))
def test_other_stemmers_match_snowball(language: str) -> None:
    words = [*TEXTS.get(language, "").split(), *sample_words()]
    assert len(words) > 300
    expected = Stemmer.Stemmer(language).stemWords(words)
    assert stems(words, language) == expected


def test_inflected_forms_share_a_stem() -> None:
    assert stems(["gärten", "garten"], "german") == ["gart", "gart"]
    assert stems(["jardins", "jardin"], "french") == ["jardin", "jardin"]
    assert stems(["садами", "сад"], "russian") == ["сад", "сад"]
