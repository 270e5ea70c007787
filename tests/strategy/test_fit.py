"""The fit of weights to a crawl: bounds, direction, and that it can be switched off."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pagekin.errors import StrategyError
from pagekin.strategy import CrawlTraits, Fit, Kinds, Sketch, Strategy, presets

ONE = CrawlTraits(sites=1.0)
TRAITS = some.builds(CrawlTraits, some.floats(1, 1e6), some.floats(0, 1))
WEIGHTS = some.floats(0.001, 1000)


def fitted(traits: CrawlTraits) -> tuple[float, float, float]:
    found = presets()["concepts"].fitted(traits)
    return found.kinds.concept, found.kinds.topic, found.topic.link


def test_one_site_has_the_weights_of_the_strategy() -> None:
    given_ = presets()["concepts"]
    assert fitted(ONE) == (1.0, 0.3, 0.5)
    assert given_.fitted(ONE) == given_.unfitted()


def test_several_sites_weigh_topics_and_links_more_up_to_a_bound() -> None:
    assert [fitted(CrawlTraits(sites)) for sites in (2, 3, 500)] == [
        (1.0, 0.9, 1.0),
        (1.0, 1.5, 1.5),
        (1.0, 1.5, 1.5),
    ]


def test_few_components_weigh_little() -> None:
    assert fitted(CrawlTraits(1.0, 0.1)) == (0.1, 0.03, 0.5)
    assert fitted(CrawlTraits(9.0, 0.1)) == (0.1, 0.15, 1.5)


@given(TRAITS, WEIGHTS, some.just(0.0) | WEIGHTS)
def test_fitted_strategy_is_valid_and_not_fitted_again(
    traits: CrawlTraits, concept: float, topic: float
) -> None:
    given_ = Strategy(kinds=Kinds(concept=concept, topic=topic), fit=Fit(weights=True))
    found = given_.fitted(traits)
    assert Strategy.from_toml(found.to_toml()) == found
    assert found.fitted(traits) == found
    assert bool(found.kinds.topic) == bool(topic)
    assert found.is_fit_of(given_)
    assert not replace(found, sketch=Sketch(seed=1)).is_fit_of(given_)


@given(TRAITS)
def test_strategy_without_fit_stays_as_it_is(traits: CrawlTraits) -> None:
    for each in map(Strategy.unfitted, presets().values()):
        assert each.fitted(traits) == each


def test_changes_are_the_weights_that_differ() -> None:
    given_ = presets()["concepts"]
    assert given_.fitted(ONE).changes_from(given_) == {}
    assert given_.fitted(CrawlTraits(3.0)).changes_from(given_) == {
        "kinds.topic": 1.5,
        "topic.link": 1.5,
    }


def test_fit_without_concepts_is_refused() -> None:
    with pytest.raises(StrategyError, match=r"fit\.weights"):
        Strategy(fit=Fit(weights=True))
