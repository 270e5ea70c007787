"""The drawing of a neighbourhood: no overlaps, nothing outside, deterministic."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from pagekin.query.explore.neighbourhood import Neighbour, Neighbourhood, Relation
from pagekin.serve.pages.drawings import HALF_WIDTH, MapSpot, rings

LETTER = 7.0
"""An upper bound for the average width of a letter."""
LINE = 14.0


@st.composite
def neighbourhoods(draw: st.DrawFn) -> Neighbourhood:
    """A page, up to twelve related pages, and up to four related to each of them."""
    heads = draw(st.integers(0, 12))
    brought = [draw(st.integers(0, 4)) for _ in range(heads)]
    steps = [0, *[1] * heads, *[2] * sum(brought)]
    titles = st.text("abcdefgh ", min_size=1, max_size=60)
    pages = [
        Neighbour(f"http://a.example/{at}", draw(titles), "a.example", True, step)
        for at, step in enumerate(steps)
    ]
    scores = st.floats(0.001, 1)
    kin = {(0, head): draw(scores) for head in range(1, heads + 1)}
    parents = [head for head, count in enumerate(brought, 1) for _ in range(count)]
    kin |= {(head, heads + 1 + at): draw(scores) for at, head in enumerate(parents)}
    others = (
        draw(st.lists(st.tuples(st.integers(1, heads), st.integers(1, heads)))) if heads else []
    )
    kin |= {(min(pair), max(pair)): draw(scores) for pair in others if pair[0] != pair[1]}
    return Neighbourhood(pages, [Relation(*ends, score) for ends, score in kin.items()], None)


def box(spot: MapSpot) -> tuple[float, float, float, float]:
    """The bounding box of a page and its label: left, top, right, bottom."""
    reach = spot.size + 6 + LETTER * len(spot.name)
    left, right = (spot.x - spot.size, spot.x + reach) if spot.side > 0 else (0.0, 0.0)
    if spot.side < 0:
        left, right = spot.x - reach, spot.x + spot.size
    return left, spot.y - spot.size, right, spot.y + spot.size


@given(neighbourhoods())
def test_pages_and_labels_do_not_overlap_and_stay_inside(found: Neighbourhood) -> None:
    drawn = rings(found)
    assert [spot.place for spot in drawn.spots] == [*range(len(found.pages))]
    assert (drawn.spots[0].x, drawn.spots[0].y) == (0, 0)
    outside = [spot for spot in drawn.spots if spot.page.step == 2]
    for spot in outside:
        left, top, right, bottom = box(spot)
        assert max(-left, right) <= HALF_WIDTH
        assert drawn.top <= top and bottom <= drawn.bottom - LINE
    for one, other in combinations(outside, 2):
        if one.side == other.side:
            assert abs(one.y - other.y) >= LINE
    for one, other in combinations(drawn.spots, 2):
        apart = (one.x - other.x) ** 2 + (one.y - other.y) ** 2
        assert apart >= (one.size + other.size) ** 2 / 2, (one, other)


def label(spot: MapSpot) -> tuple[float, float, float, float]:
    """The bounding box of a label alone, beneath a page between the rings, else beside it."""
    width = LETTER * len(spot.name)
    if spot.page.step == 1:
        line = spot.y + spot.size + 13
        return spot.x - width / 2, line - 10, spot.x + width / 2, line + 3
    left, _, right, _ = box(spot)
    near = spot.size + 6
    ends = (spot.x + near, right) if spot.side > 0 else (left, spot.x - near)
    return ends[0], spot.y - 6, ends[1], spot.y + 6


@given(neighbourhoods())
def test_labels_do_not_collide(found: Neighbourhood) -> None:
    labels = [label(spot) for spot in rings(found).spots if spot.place]
    for one, other in combinations(labels, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)


@given(neighbourhoods())
def test_same_answer_gives_the_same_drawing(found: Neighbourhood) -> None:
    assert rings(found) == rings(found)


@given(neighbourhoods())
def test_relations_are_lines_whose_width_follows_the_score(found: Neighbourhood) -> None:
    drawn = rings(found)
    assert [line.relation for line in drawn.lines] == found.relations
    lines = sorted(drawn.lines, key=lambda line: line.relation.score)
    assert [line.width for line in lines] == sorted(line.width for line in lines)
    for line in drawn.lines:
        one, other = drawn.spots[line.relation.one], drawn.spots[line.relation.other]
        assert line.path.startswith(f"M{one.x:.1f} {one.y:.1f}Q")
        assert line.path.endswith(f" {other.x:.1f} {other.y:.1f}")
        assert line.relation.other in one.near and line.relation.one in other.near
