"""Pages beside each other: pairs, two pages, a map, and the evaluation of strategies."""

from starlette.requests import Request
from starlette.responses import Response

from pagekin.api import Index
from pagekin.errors import InputError, UnknownWord
from pagekin.evaluation.selection.results_table import ranking
from pagekin.fields import options_of
from pagekin.pairs import PairsPart, PairsQuestion, split_keywords
from pagekin.query import Comparison, Filters, Neighbourhood
from pagekin.serve.errors import Problem, problem_of
from pagekin.serve.pages.drawings import charts, rings
from pagekin.serve.pages.forms import Form, PageState
from pagekin.serve.pages.rendering import render
from pagekin.serve.service import Asker

__all__ = ["compare", "evaluation", "neighbourhood", "pairs"]

MAP_CHOICES = (4, 6, 8, 10, 12)
PAIRS_CHOICES = (5, 10, 20, 50)


async def pairs(request: Request) -> Response:
    """The pairs for the keywords of `q`, one row per site."""
    asker, form = Asker.of(request), Form(request.query_params)
    (alpha,) = options_of(PairsQuestion, "alpha")
    q, weight = form.text("q"), form.value(alpha)
    sites = form.whole("sites", 10, 1, asker.settings.limits.k)
    answer, refused = await _pairs(asker, q, weight, sites) if q else (None, None)
    return render(
        asker.snapshot,
        "pairs.html",
        status=200 if refused is None else refused.status,
        q=q,
        alpha=weight,
        sites=sites,
        choices=PAIRS_CHOICES,
        answer=answer,
        refused=refused,
    )


async def _pairs(
    asker: Asker, q: str, alpha: float, sites: int
) -> tuple[PairsPart | None, Problem | None]:
    """The answer, or the problem with the question: the form stays, to correct it."""
    try:
        question = PairsQuestion(split_keywords(q), alpha, sites)
        return await asker.ask(Index.pairs_part, question), None
    except (InputError, UnknownWord) as error:
        return None, problem_of(error)


async def compare(request: Request) -> Response:
    """The pages `a` and `b` side by side."""
    asker, form = Asker.of(request), Form(request.query_params)
    a, b = form.text("a"), form.text("b")
    found = await asker.ask(_compare, a, b) if a and b else None
    most = _largest(found) if found else 1.0
    return render(asker.snapshot, "compare.html", a=a, b=b, found=found, most=most)


def _compare(index: Index, a: str, b: str) -> Comparison:
    return index.compare(index.best_match(a), index.best_match(b))


def _largest(found: Comparison) -> float:
    """The largest share, which sets the scale of all bars."""
    both = (*found.shared, *found.about)
    shared = [share for term in both for share in (term.one, term.other)]
    own = [term.share for term in (*found.own_one, *found.own_other)]
    return max([*shared, *own], default=0.0) or 1.0


async def neighbourhood(request: Request) -> Response:
    """The map around `url`: its related pages, and theirs."""
    asker, form = Asker.of(request), Form(request.query_params)
    depth, most = asker.settings.limits.depth, MAP_CHOICES[-1]
    url, state = form.text("url"), PageState.of(form, k=8, most=most, depth=depth)
    found = await asker.ask(_neighbourhood, url, state.filters) if url else None
    languages = await asker.ask(Index.languages)
    return render(
        asker.snapshot,
        "map.html",
        url=found.pages[0].url if found else url,
        state=state,
        controls=state.controls(MAP_CHOICES, languages, "min_score", "exclude_linked", "exact"),
        found=found,
        drawn=rings(found) if found else None,
        similar=_similar(found) if found else [],
    )


def _neighbourhood(index: Index, url: str, filters: Filters) -> Neighbourhood:
    return index.neighbourhood(index.best_match(url), filters=filters)


def _similar(found: Neighbourhood) -> list[list[tuple[int, float]]]:
    """For each page of the map its related pages, the most similar first."""
    similar: list[list[tuple[int, float]]] = [[] for _ in found.pages]
    for each in reversed(found.relations):
        similar[each.one].append((each.other, each.score))
        similar[each.other].append((each.one, each.score))
    return similar


async def evaluation(request: Request) -> Response:
    """The charts and the table of the sweep's report, if the service has one."""
    snapshot = Asker.of(request).snapshot
    report = snapshot.report
    return render(
        snapshot,
        "evaluation.html",
        figures=None if report is None else charts(report),
        strategies=[] if report is None else ranking(report).strategies,
        best=None if report is None else report.best,
    )
