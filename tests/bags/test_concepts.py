"""Concepts: learning compared with NumPy, concepts of bags, and crawls with few concepts."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from scipy.linalg import hadamard

import pagekin
from pagekin import _core
from pagekin.bags.concepts import crawl_traits, learn_concepts, name_concepts, sample_pages
from pagekin.cli.commands.indexing import summary_text
from pagekin.index import IndexReader
from pagekin.strategy import Concept, CrawlTraits, Fit, Frequency, Kinds, Strategy, Window, Words
from tests.bags import concepts
from tests.crawls import bags, build_pages, read_table, rows

ABOUT = Strategy(kinds=Kinds(anchor=0.25, concept=2))
ALONE = Strategy(
    Kinds(0, 0, 0, 1),
    Window(distance=False),
    Words(stop_words="none"),
    Frequency("none"),
    concept=Concept(components=3, anchor=0),
)
"""Bags of nothing but concepts, which are made of plain counts of words."""


@pytest.mark.parametrize("power", [0.5, 1.0, 0.7])
def test_components_are_all_singular_vectors_but_the_first(power: float) -> None:
    """The sign is ours, so products with NumPy's vectors are 1 or -1, and 0 between them.

    A random start leaves a rest that falls with the power 2·4 of the ratio to the next strong
    value: about (1/1.4)^8 of what chance has put there.
    """
    made = concepts.subject_bags(6, 400)
    terms, values, vectors = concepts.decomposed(made, power)
    assert values[4] / values[5] > 1.3
    found = learn_concepts([concepts.batch_of(made)], Concept(components=4, power=power))
    known, loadings = concepts.loadings_of(found.loadings)
    assert known == terms
    products = np.abs(vectors[1:5] @ loadings)
    assert np.allclose(products, np.eye(4), atol=1e-2)


def test_largest_loading_of_a_component_is_positive() -> None:
    _, loadings = concepts.loadings_of(
        learn_concepts(
            [concepts.batch_of(concepts.subject_bags(4, 50))], Concept(components=3)
        ).loadings
    )
    heaviest = np.abs(loadings).argmax(axis=0)
    assert (loadings[heaviest, np.arange(3)] > 0).all()


@pytest.mark.parametrize("mixed", [2, 4, 8])
def test_mixed_components_are_sums_and_differences_of_the_strongest(mixed: int) -> None:
    batch = concepts.batch_of(concepts.subject_bags(9, 400))
    _, plain = concepts.loadings_of(learn_concepts([batch], Concept(components=8)).loadings)
    _, found = concepts.loadings_of(
        learn_concepts([batch], Concept(components=8, mixed=mixed)).loadings
    )
    assert (found[:, :8] == plain).all()
    signs = hadamard(mixed) / np.sqrt(mixed)
    assert np.allclose(found[:, 8:], plain[:, :mixed] @ signs, atol=0.51 / 32_768)


def test_loadings_do_not_depend_on_threads_or_batches() -> None:
    batch = concepts.batch_of(concepts.subject_bags(5, 300))
    whole = learn_concepts([batch], Concept(components=10))
    parts = [batch.slice(0, 7), batch.slice(7, 0), batch.slice(7)]
    for threads in (1, 2, 3, 100):
        assert learn_concepts(parts, Concept(components=10), threads=threads) == whole


def test_loadings_match_golden_file() -> None:
    """The same bits on every machine; if this fails, the format has changed."""
    assert concepts.golden() == json.loads(concepts.GOLDEN.read_text())


def test_sample_is_the_first_crawled_pages_by_id() -> None:
    def pages(ids: list[int]) -> pa.RecordBatch:
        crawled = pa.array([each % 3 > 0 for each in ids], pa.bool_())
        sites = pa.array([f"{each}.example" for each in ids], pa.string())
        return pa.RecordBatch.from_pydict(
            {"id": pa.array(ids, pa.uint64()), "crawled": crawled, "site": sites}
        )

    def sampled(most: int) -> list[int]:
        ids, sites = sample_pages(batches, most)
        found = [int(each) for each in ids]
        assert sites == [f"{each}.example" for each in found]
        return found

    batches = [pages([1, 2, 3, 4]), pages([]), pages([6, 7, 2**64 - 2])]
    assert sampled(4) == [1, 2, 4, 7]
    assert sampled(9) == [1, 2, 4, 7, 2**64 - 2]
    assert sampled(2) == [1, 2]
    assert sample_pages([], 2).ids.tolist() == []


def test_traits_are_those_of_the_sample() -> None:
    assert crawl_traits(["a", "b", "a", "a"]) == CrawlTraits(sites=16 / 10)
    assert crawl_traits(["a"] * 9) == crawl_traits([]) == CrawlTraits(sites=1.0)
    model = learn_concepts(
        [concepts.batch_of(concepts.subject_bags(9, 400))], Concept(components=8)
    )
    assert [model.share_of(Concept(components=wanted)) for wanted in (4, 8, 16)] == [1, 1, 0.5]
    assert learn_concepts([], Concept()).share_of(Concept()) == 0


def test_concepts_are_named_by_their_heaviest_words() -> None:
    lists = pa.array([[9, -1], [-8, 0], [7, -2], [6, 6]], pa.large_list(pa.int16()))
    terms = pa.array([3, 5, 7, _core.LINK_BIT | 9], pa.uint64())
    topics = pa.array([[0], [0], [3], [0]], pa.large_list(pa.int16()))
    loadings = pa.RecordBatch.from_pydict({"term": terms, "loadings": lists, "topics": topics})
    lexicon = [
        pa.RecordBatch.from_pydict({"term": pa.array(ids, pa.uint64()), "word": words})
        for ids, words in (
            ([1, 3], ["a", "oak"]),
            ([], []),
            ([4, 5, 6, 7, 8], ["b", "sea", "c", "elm", "d"]),
        )
    ]
    table = name_concepts(loadings, lexicon).to_pydict()
    assert dict(zip(table["concept"], table["words"], strict=True)) == {
        1: ["oak", "elm"],
        2: ["sea"],
        3: [],
        4: ["elm", "oak"],
        5: ["elm"],
        6: [],
    }
    assert table["term"] == sorted(map(_core.concept_term, range(1, 7)))


def test_concept_ids_and_numbers_convert_both_ways() -> None:
    assert _core.concept_term(1) == 1 << 62
    assert [_core.concept_number(_core.concept_term(each)) for each in (1, 2, 4095)] == [1, 2, 4095]
    assert _core.concept_number(_core.concept_term(5) | 1) is None
    assert _core.concept_number(_core.concept_term(5) | _core.LINK_BIT) is None
    for number in (0, 4096):
        with pytest.raises(ValueError, match="no concept"):
            _core.concept_term(number)


WOODS, WATERS = "oak elm ash beech lime yew holly larch", "sea lake pond river tide wave foam surf"


def two_subjects(pages: int) -> dict[str, str]:
    """Pages about woods and pages about waters, no two of the same words."""
    found = {}
    for number in range(pages):
        words = (WOODS if number % 3 else WATERS).split()
        text = [word for place, word in enumerate(words) if (number * 7 + place * 3) % 5]
        found[f"p{number}"] = " ".join([*text, *text[number % 4 :], "page"])
    return found


def test_bag_of_concepts_is_its_terms_times_the_loadings(tmp_path: Path) -> None:
    """Worked out again by NumPy from the counts of words: halves of x·L, which sum to 65,535."""
    pages = two_subjects(20)
    index = build_pages(tmp_path, pages, ALONE)
    table = read_table(index, "loadings").combine_chunks().to_batches()[0]
    terms, loadings = concepts.loadings_of(table)
    found = bags(index)
    core = _core.Strategy(ALONE.to_core())
    for name, text in pages.items():
        counts = dict.fromkeys(terms, 0)
        for word in text.split():
            term = _core.term_of(core, word)
            if term and term.id in counts:
                counts[term.id] += 1
        along = np.sqrt(list(counts.values())) @ loadings
        halves = np.stack([along, -along], axis=1).clip(0).ravel()
        expected = halves / halves.sum() * _core.TOTAL
        bag = found[_core.url_id(f"http://t.example/{name}.html")]
        got = [bag.get(_core.concept_term(each + 1), 0) for each in range(len(expected))]
        assert set(bag) <= {_core.concept_term(each + 1) for each in range(len(expected))}
        assert np.allclose(got, expected, atol=1.5)


def test_linked_pages_contribute_to_the_concepts_of_a_page(tmp_path: Path) -> None:
    """By NumPy: half of the sum of their directions, of weight 5 / (5 + place), is added.

    Every page links to itself, twice to the first of the others, and to one that was never fetched.
    """
    pages = two_subjects(20)
    names = [*pages]
    for place, name in enumerate(names):
        links = [name, names[-place], names[-place], f"unknown{place}", names[place // 2]]
        pages[name] += "".join(f' <a href="{link}.html"></a>' for link in links)
    strategy = replace(ALONE, concept=replace(ALONE.concept, cited=0.5))
    index, alone = (
        build_pages(tmp_path / name, pages, each)
        for name, each in (("cited", strategy), ("alone", ALONE))
    )
    halves = {key: directions(bag) for key, bag in bags(alone).items()}
    for place, name in enumerate(names):
        page, first, second = (
            _core.url_id(f"http://t.example/{each}.html")
            for each in (name, names[-place], names[place // 2])
        )
        cited = [each for each in (first, 0, second) if each != page]
        weights = [5 / (5 + number) for number in range(len(cited))]
        known = [
            (halves[each], weight) for each, weight in zip(cited, weights, strict=True) if each
        ]
        along = halves[page].copy()
        if known:
            around = sum(direction * weight for direction, weight in known)
            share = sum(weight for _, weight in known) / sum(weights)
            along += 0.5 * share * around / np.linalg.norm(around)
        got = directions(bags(index)[page])
        assert np.allclose(got, along / np.linalg.norm(along), atol=1e-3)


def directions(bag: dict[int, int]) -> concepts.Matrix:
    """The direction of a bag of nothing but halves of three components."""
    along = [
        bag.get(_core.concept_term(2 * each + 1), 0) - bag.get(_core.concept_term(2 * each + 2), 0)
        for each in range(3)
    ]
    return np.array(along, dtype=np.float64) / (np.linalg.norm(along) or 1)


def test_concept_weight_is_relative_to_all_other_kinds(tmp_path: Path) -> None:
    """Two parts of three, whatever the words' own weights are. With a fit, few pages give fewer
    components than wanted, and as much less weight."""
    about = replace(ABOUT, concept=Concept(components=5))
    index = build_pages(tmp_path, two_subjects(20), about)
    for bag in bags(index).values():
        concept = sum(weight for term, weight in bag.items() if _core.concept_number(term))
        assert concept == pytest.approx(_core.TOTAL * 2 / 3, abs=60)
    fitted = replace(ABOUT, fit=Fit(weights=True))
    few = build_pages(tmp_path / "few", two_subjects(20), fitted)
    assert pagekin.open(few).strategy == fitted
    assert pagekin.open(few).fitted == replace(ABOUT, kinds=replace(ABOUT.kinds, concept=0.2))
    for bag in bags(few).values():
        concept = sum(weight for term, weight in bag.items() if _core.concept_number(term))
        assert concept == pytest.approx(_core.TOTAL * 0.2 / 1.2, abs=60), "5 of 50 components"


def test_first_concept_separates_the_subjects(tmp_path: Path) -> None:
    index = pagekin.open(build_pages(tmp_path, two_subjects(30), ALONE))
    words = [index.reader.concept_words(number) for number in (1, 2)]
    assert {*words[0]} <= {*WATERS.split()} and {*words[1]} <= {*WOODS.split()}
    hits = index.related("http://t.example/p3.html", k=30).hits
    found = [int(url[18:-5]) % 3 for hit in hits for url in (hit.url, *hit.copies)]
    assert found[:9] == [0] * 9


@pytest.fixture(scope="module")
def index(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> pagekin.Index:
    folder = tmp_path_factory.mktemp("concepts")
    pagekin.build(crawl, folder, strategy=ABOUT)
    return pagekin.open(folder)


def test_only_crawled_pages_have_concepts_beside_words(index: pagekin.Index) -> None:
    crawled = {row["id"]: row["crawled"] for row in rows(index.path, "pages")}
    with_words = {
        key: any(map(_core.concept_number, bag))
        for key, bag in bags(index.path).items()
        if len(bag) > 3
    }
    fetched = [about for key, about in with_words.items() if crawled[key]]
    others = [about for key, about in with_words.items() if not crawled[key]]
    assert fetched and all(fetched)
    assert others and not any(others)


def test_text_of_a_page_has_the_concepts_of_the_page(index: pagekin.Index, tmp_path: Path) -> None:
    text = "roses and pruning, the garden in spring, compost for the beds"
    best = index.related_to_text(text).hits[0]
    assert best.why.concepts and "hedgerow" in best.url
    words = index.reader.words_of(_core.url_id("http://www.hedgerow.example/plants/roses.html"))
    (tmp_path / "copy.html").write_text(" ".join(words))
    copied = index.related_to_file(tmp_path / "copy.html").hits[0]
    assert copied.url.endswith("roses.html") and copied.why.concepts


def test_postings_and_lexicon_contain_no_concepts(
    index: pagekin.Index, crawl: Path, tmp_path: Path
) -> None:
    plain = replace(ABOUT, kinds=replace(ABOUT.kinds, concept=0), concept=Concept())
    pagekin.build(crawl, tmp_path / "index", strategy=plain)
    for table in ("postings", "lexicon", "sites", "arcs", "links"):
        assert read_table(tmp_path / "index", table).equals(read_table(index.path, table))
    assert rows(tmp_path / "index", "concepts") == rows(tmp_path / "index", "loadings") == []
    index.check()


HARDLY = {
    "three pages": ({"a": "oak elm", "b": "oak ash", "c": "elm ash yew"}, "no concepts learnt"),
    "few pages": (
        {"a": "oak elm", "b": "oak ash", "c": "elm ash yew", "d": "elm yew"},
        "2 concepts learnt from 4 crawled pages",
    ),
    "one page": (
        {"a": "oak elm ash"},
        "no concepts learnt from 1 crawled page: they need at least 4 pages",
    ),
    "identical pages": (
        dict.fromkeys("abcdef", "oak elm ash"),
        "nothing, or everything, in common",
    ),
    "no words": (dict.fromkeys("abcdef", "<p>1 2 3"), "no concepts"),
    "nothing shared": ({"a": "oak", "b": "elm", "c": "ash"}, "no concepts"),
    "two languages": (
        {
            **{f"e{each}": f"the oak and the elm stand w{each}" for each in range(9)},
            **{f"g{each}": f"der Wald und die See rauschen x{each}" for each in range(9)},
            **{f"c{each}": "森の中の湖 と 海" for each in range(3)},
        },
        "concepts learnt from 21 crawled pages",
    ),
}


@pytest.mark.parametrize("name", HARDLY)
@pytest.mark.parametrize("kinds", [Kinds(concept=1), Kinds(0, 0, 0, 1)], ids=["mixed", "alone"])
def test_crawl_with_few_or_no_concepts_is_indexed(name: str, kinds: Kinds, tmp_path: Path) -> None:
    pages, said = HARDLY[name]
    for path, text in pages.items():
        (tmp_path / f"{path}.html").write_text(f"<meta charset=utf-8>{text}")
    words = Words(stop_words="none")
    strategy = Strategy(kinds=kinds, words=words, frequency=Frequency("none"))
    source = pagekin.Source(str(tmp_path), "http://t.example/")
    summary = pagekin.build(source, tmp_path / "index", strategy=strategy)
    assert said in summary_text(summary, "index")
    opened = pagekin.open(tmp_path / "index")
    opened.check()
    url = f"http://t.example/{next(iter(pages))}.html"
    opened.related(url)
    opened.related_to_text("oak and sea")
    assert len(opened.show(url).concepts) <= 5
    assert len(rows(tmp_path / "index", "concepts")) == opened.reader.manifest.counts["concepts"]


def test_components_are_limited_by_number_of_pages(tmp_path: Path) -> None:
    strategy = replace(ALONE, concept=replace(ALONE.concept, components=500))
    index = build_pages(tmp_path, two_subjects(10), strategy)
    # Four pages a component.
    assert IndexReader(index).manifest.counts["concepts"] == 2 * 2


def test_mixed_components_are_limited_by_number_of_components(tmp_path: Path) -> None:
    plain = replace(ALONE, concept=replace(ALONE.concept, components=500))
    mixed = replace(plain, concept=replace(plain.concept, mixed=256))
    pages = two_subjects(10)
    found, more = (
        IndexReader(build_pages(tmp_path / name, pages, strategy)).manifest.counts["concepts"]
        for name, strategy in (("plain", plain), ("mixed", mixed))
    )
    assert more == found + 2 * (1 << (found // 2).bit_length() - 1)


def test_concept_of_a_page_is_shown_with_words_of_that_page(crawl: Path, tmp_path: Path) -> None:
    about = Strategy(kinds=Kinds(concept=1), concept=Concept(components=9))
    pagekin.build(crawl, tmp_path / "index", strategy=about)
    index = pagekin.open(tmp_path / "index")
    roses = "http://www.hedgerow.example/plants/roses.html"
    own = {term.term for term in index.show(roses, terms=10**6).terms}
    for hit in index.related(roses).hits:
        theirs = {term.term for term in index.show(hit.url, terms=10**6).terms}
        for concept in hit.why.concepts:
            assert concept.here
            assert own | theirs >= set(concept.here)
    assert all(own >= set(concept.here) for concept in index.show(roses).concepts)
