"""Strategies survive their TOML form; errors name their field."""

from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pagekin.strategy import (
    DEFAULT,
    STEMMERS,
    Concept,
    Fit,
    Frequency,
    Kinds,
    Lead,
    Mix,
    Site,
    Sketch,
    Strategy,
    Template,
    Topic,
    Window,
    Words,
    presets,
)

WEIGHTS = some.just(0.0) | some.floats(0.001, 1000)
WORD = some.text(some.characters(exclude_categories=["Cc", "Cs", "Z"]), min_size=1, max_size=9)
KINDS = (
    some.tuples(WEIGHTS, WEIGHTS, WEIGHTS, WEIGHTS).filter(any).map(lambda weights: Kinds(*weights))
)
WINDOWS = some.builds(
    Window,
    some.sampled_from(["basic", "syntactic", "topical"]),
    some.integers(0, 1000),
    some.booleans(),
)
STOP_WORDS = some.just("english") | some.lists(WORD, min_size=1, max_size=9).map(tuple)
WORDS = (
    some.builds(Words, some.just("nostem"), some.just("porter"), STOP_WORDS | some.just("none"))
    | some.builds(
        Words, some.just("stem"), some.sampled_from(STEMMERS), STOP_WORDS | some.just("none")
    )
    | some.builds(Words, some.just("stopstem"), some.sampled_from(STEMMERS), STOP_WORDS)
)
SKETCHES = some.builds(
    Sketch, some.integers(1, 4096), some.integers(0, 2**63 - 1), some.integers(0, 2**32 - 1)
)
COMPONENTS = some.tuples(some.integers(1, 500), some.just(0)) | some.integers(1, 8).flatmap(
    lambda power: some.tuples(some.integers(1 << power, 500), some.just(1 << power))
)
CONCEPTS = some.builds(
    lambda components, kinds, *others: Concept(*components, *kinds, *others),
    COMPONENTS,
    some.tuples(WEIGHTS, WEIGHTS, WEIGHTS).filter(any),
    some.floats(0.1, 2),
    some.floats(0, 10),
    some.integers(2, 1 << 16),
    some.integers(2, 1 << 17),
)
TOPICS = some.builds(
    lambda components, kinds: Topic(*components, *kinds),
    COMPONENTS,
    some.tuples(WEIGHTS, WEIGHTS, WEIGHTS).filter(any),
)
FREQUENCIES = some.builds(Frequency, some.sampled_from(["none", "log", "sqrt"])) | some.builds(
    Frequency, some.just("nmdf"), some.floats(0, 1), some.floats(0.01, 10)
)


@some.composite
def strategies(draw: some.DrawFn) -> Strategy:
    kinds, window = draw(KINDS), draw(WINDOWS)
    concept = draw(CONCEPTS) if kinds.concept else Concept()
    topic = Topic()
    if kinds.concept and draw(some.booleans()):
        kinds, topic = replace(kinds, topic=draw(some.floats(0.001, 1000))), draw(TOPICS)
    if not (kinds.anchor or (kinds.concept and concept.anchor) or (kinds.topic and topic.anchor)):
        window = replace(window, distance=False)
    mix, sketch = Mix(draw(some.booleans())), draw(SKETCHES)
    site = draw(some.sampled_from([Site(), Site("domain")]))
    learnt = (kinds.concept and concept.content) or (kinds.topic and topic.content)
    lead = Lead(draw(some.integers(0, 1000)) if kinds.content or learnt else 0)
    template = Template(draw(some.sampled_from([0, 2, 10, 2**32 - 1])))
    words, frequency = draw(WORDS), draw(FREQUENCIES)
    sections = window, words, frequency, mix, sketch, site, concept, lead, template, topic
    return Strategy(kinds, *sections, Fit(bool(kinds.concept) and draw(some.booleans())))


@given(strategies())
def test_strategy_survives_toml(strategy: Strategy) -> None:
    again = Strategy.from_toml(strategy.to_toml())
    assert again == strategy
    assert again.to_toml() == strategy.to_toml()
    assert again.fingerprint == strategy.fingerprint


@given(strategies(), strategies())
def test_fingerprints_are_equal_if_and_only_if_strategies_are(
    one: Strategy, other: Strategy
) -> None:
    assert (one == other) == (one.fingerprint == other.fingerprint)


@given(strategies())
def test_core_receives_plain_values(strategy: Strategy) -> None:
    plain = strategy.to_core()
    stop_words = plain["stop_words"]
    assert stop_words is None or all(type(word) is str for word in stop_words)
    for name, value in plain.items():
        assert name == "stop_words" or type(value) in {bool, float, int, str, tuple}


def test_omitted_fields_default_to_paper_best() -> None:
    assert Strategy() == Strategy.load("paper-best") == Strategy.from_toml("")
    assert Strategy().to_toml() == (
        "[kinds]\ncontent = 1.0\nanchor = 1.0\nlink = 0.0\nconcept = 0.0\ntopic = 0.0\n\n"
        '[window]\nkind = "basic"\nsize = 32\ndistance = true\n\n'
        '[words]\nstemming = "stem"\nstemmer = "porter"\nstop_words = "english"\n\n'
        '[frequency]\nweight = "nmdf"\nmu = 0.474\nsigma = 0.178\n\n'
        "[mix]\nnormalise_kinds = false\n\n"
        "[sketch]\npositions = 80\nseed = 0\nmin_inlinks = 0\n\n"
        '[site]\nkind = "host"\n\n'
        "[concept]\ncomponents = 50\nmixed = 0\ncontent = 1.0\nanchor = 0.25\nlink = 0.0\n"
        "power = 0.5\ncited = 0.0\npages = 4096\nterms = 8192\n\n"
        "[lead]\nhalf = 0\n\n"
        "[template]\npages = 0\n\n"
        "[topic]\ncomponents = 20\nmixed = 16\ncontent = 1.0\nanchor = 1.0\nlink = 1.5\n\n"
        "[fit]\nweights = false\n"
    )


def test_default_has_concepts_topics_templates_and_a_lead() -> None:
    assert next(iter(presets())) == DEFAULT
    default = Strategy.load(DEFAULT)
    assert default.kinds == Kinds(anchor=0.2, concept=1.0, topic=0.3)
    assert (default.lead, default.template) == (Lead(30), Template(10))
    assert (default.topic, default.fit) == (Topic(link=0.5), Fit(weights=True))
    assert default.concept == Concept(256, cited=0.4) and default.mix.normalise_kinds


def test_paper_best_as_passed_to_the_core() -> None:
    assert Strategy().to_core() == {
        "kinds": (1.0, 1.0, 0.0),
        "window_kind": "basic",
        "window_size": 32,
        "distance": True,
        "lead": 0,
        "template_pages": 0,
        "stemming": "stem",
        "stemmer": "porter",
        "stop_words": None,
        "language_stop_words": False,
        "frequency": "nmdf",
        "mu": 0.474,
        "sigma": 0.178,
        "normalise_kinds": False,
        "concept_weight": 0.0,
        "concept_kinds": (1.0, 0.25, 0.0),
        "concept_power": 0.5,
        "concept_cited": 0.0,
        "topic_weight": 0.0,
        "topic_kinds": (1.0, 1.0, 1.5),
    }


def test_no_stop_words_is_an_empty_list_for_the_core() -> None:
    assert Strategy(words=Words(stop_words="none")).to_core()["stop_words"] == []


def test_fingerprint_is_stable() -> None:
    """It is stored in every index: if this fails, old indexes no longer match."""
    assert Strategy().fingerprint == "d6c627cd30fb1480"


def test_strategy_is_immutable() -> None:
    for name, value in (("kind", "topical"), ("size", 8)):
        with pytest.raises(FrozenInstanceError):
            setattr(Strategy().window, name, value)


@pytest.mark.parametrize("name", presets())
def test_preset_is_loaded_by_name(name: str) -> None:
    assert Strategy.load(name) == presets()[name]


def test_presets_differ_from_each_other() -> None:
    assert len({preset.fingerprint for preset in presets().values()}) == len(presets())


def test_paper_worst_matches_figure_2() -> None:
    worst = presets()["paper-worst"]
    assert (worst.window.size, worst.words.stemming) == (0, "nostem")
    assert (worst.window.distance, worst.frequency.weight) == (False, "none")


def test_distance_weights_default_to_on_only_with_anchors() -> None:
    assert not Strategy.from_toml("[kinds]\nanchor = 0").window.distance
    assert Strategy.from_toml("[kinds]\nlink = 1").window.distance


def test_integers_are_accepted_as_weights() -> None:
    assert Strategy.from_toml("[kinds]\ncontent = 2").kinds.content == 2.0


def test_stop_words_are_lower_cased_sorted_and_unique() -> None:
    assert Words(stop_words=("The", "a", "the")).stop_words == ("a", "the")


def test_strategy_of_the_concept_matrix_has_its_own_kinds_and_no_concepts() -> None:
    strategy = Strategy(kinds=Kinds(0, 2, 0, 1), concept=Concept(components=7, content=3, anchor=0))
    matrix = strategy.matrix
    assert matrix.kinds == Kinds(3, 0, 0, 0)
    assert (matrix.window.distance, matrix.frequency) == (False, strategy.frequency)
