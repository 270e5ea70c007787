"""Addresses, forms and quotations."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagekin.errors import InputError
from pagekin.query import Filters
from pagekin.serve.pages.forms import Form, PageState, outward, root_of, to
from pagekin.serve.pages.rendering import QuotePart, quote_parts

CHARACTERS = st.characters(exclude_categories=["Cs"])


@given(st.text(CHARACTERS, min_size=1))
def test_url_of_a_page_can_contain_any_text(text: str) -> None:
    found = urlsplit(to("related", url=text, k=5, exact=True, offset=0, none=None))
    assert found.path == "related"
    fields = parse_qs(found.query, strict_parsing=True, keep_blank_values=True)
    assert fields == {"url": [text], "k": ["5"], "exact": ["1"]}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.example/", True),
        ("https://a.example/", True),
        ("javascript:alert(1)", False),
        (" javascript:alert(1)", False),
        ("HTTP://a.example/", False),
        ("data:text/html,x", False),
        ("//a.example/", False),
        ("", False),
    ],
)
def test_only_http_urls_become_links(url: str, expected: bool) -> None:
    assert outward(url) == (url if expected else None)


@pytest.mark.parametrize(
    ("path", "root"), [("/", "./"), ("/map", "./"), ("/a/", "../"), ("/a/b/c", "../../")]
)
def test_root_is_relative_to_the_path(path: str, root: str) -> None:
    assert root_of(path) == root


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("", []),
        ("no anchor", [("no anchor", False)]),
        ("a [b c] d", [("a ", False), ("b c", True), (" d", False)]),
        ("[a] [b]", [("a", True), (" ", False), ("b", True)]),
        ("x [] y", [("x ", False), ("a link without words", True), (" y", False)]),
        ("[a b] c]", [("a b", True), (" c", False)]),
        ("[a [b] c", [("a ", False), ("b", True), (" c", False)]),
    ],
)
def test_quotation_is_split_at_its_anchors(words: str, parts: list[tuple[str, bool]]) -> None:
    assert quote_parts(words) == [QuotePart(*part) for part in parts]


def test_empty_field_counts_as_missing() -> None:
    form = Form({"k": "", "min_score": " ", "exact": "", "url": " x "})
    assert PageState.of(form, k=7, most=100, depth=1000) == PageState(Filters(k=7))
    assert (form.text("url"), form.text("text")) == ("x", "")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("k", bad) for bad in ("0", "101", "x", "1.5", "nan", "inf", "1e9")),
        *(("min_score", bad) for bad in ("-0.1", "1.1", "nan", "x")),
        *(("offset", bad) for bad in ("-1", "1001", "x", "1e300")),
    ],
)
def test_number_out_of_bounds_is_rejected(field: str, value: str) -> None:
    with pytest.raises(InputError) as told:
        PageState.of(Form({field: value}), k=10, most=100, depth=1000)
    assert told.value.source == field


@given(
    st.builds(
        Filters,
        k=st.integers(1, 100),
        min_score=st.floats(0, 1),
        exact=st.booleans(),
        exclude_site=st.booleans(),
        exclude_linked=st.booleans(),
        group_by_site=st.booleans(),
    )
)
def test_page_state_survives_its_url(filters: Filters) -> None:
    state = PageState(filters)
    query = urlsplit(state.part("related", 20, url="http://a.example/?b=c&d")).query
    fields = {name: values[0] for name, values in parse_qs(query).items()}
    assert fields.pop("url") == "http://a.example/?b=c&d"
    assert PageState.of(Form(fields), k=10, most=100, depth=1000) == PageState(filters, 20)
    there = urlsplit(state.at("map", "http://a.example/")).query
    assert (
        PageState.of(
            Form({k: v[0] for k, v in parse_qs(there).items()}), k=10, most=100, depth=1000
        )
        == state
    )
