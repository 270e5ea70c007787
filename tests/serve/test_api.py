"""The API over real HTTP: it answers what the library and the command line answer."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import pagekin
from pagekin import Filters
from pagekin.cli import main
from tests.serve.running import Running, error_of

ROSES = "http://www.hedgerow.example/plants/roses.html"
PAGE = "<html><title>Pruning</title><p>how to prune old roses and hellebores in a wet spring"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """The JSON output of a command, without its time."""
    capsys.readouterr()
    main([*words, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return without(found, "took_ms")


def without(answer: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in names}


def as_json(answer: Any) -> Any:
    """An answer of the library as it comes over HTTP: tuples are lists there."""
    return json.loads(json.dumps(asdict(answer)))


class TestRelated:
    def test_equals_the_json_of_the_command(
        self, service: Running, index: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked = service.answer("/api/related", url=ROSES)
        assert without(asked, "took_ms", "paging") == printed(capsys, "related", str(index), ROSES)
        assert asked["took_ms"] > 0

    @pytest.mark.parametrize(
        "filters",
        [
            Filters(k=3),
            Filters(k=25),
            Filters(pages="uncrawled"),
            Filters(pages="all", k=40),
            Filters(min_score=0.2),
            Filters(exclude_site=True),
            Filters(group_by_site=True, k=20),
            Filters(exact=True, k=40),
            Filters(exclude_site=True, exclude_linked=True),
        ],
    )
    def test_accepts_every_filter(self, service: Running, index: Path, filters: Filters) -> None:
        names = (
            "k",
            "pages",
            "min_score",
            "exclude_site",
            "exclude_linked",
            "group_by_site",
            "exact",
        )
        given = {name: getattr(filters, name) for name in names}
        expected = pagekin.open(index).related(ROSES, filters=filters)
        asked = service.answer("/api/related", url=ROSES, **given)
        assert asked["hits"] == as_json(expected)["hits"]
        posted = service.client.post("/api/related", json={"url": ROSES, **given})
        assert posted.json()["hits"] == asked["hits"]

    def test_accepts_a_text_by_get_and_post(self, service: Running, index: Path) -> None:
        expected = as_json(pagekin.open(index).related_to_text("old roses"))["hits"]
        assert service.answer("/api/related", text="old roses")["hits"] == expected
        posted = service.client.post("/api/related", json={"text": "old roses"})
        assert posted.json()["hits"] == expected

    def test_accepts_a_page_as_json_and_as_an_upload(self, service: Running, index: Path) -> None:
        expected = as_json(pagekin.open(index).related_to_page(PAGE.encode()))
        for posted in (
            service.client.post("/api/related", json={"page": PAGE, "k": 10}),
            service.client.post("/api/related", files={"page": PAGE.encode()}, data={"k": "10"}),
        ):
            assert posted.status_code == 200, posted.text
            assert posted.json()["hits"] == expected["hits"]
            assert posted.json()["query"] == expected["query"]

    def test_decodes_an_upload_by_its_own_encoding(self, service: Running) -> None:
        page = '<meta charset="iso-8859-1"><title>Café</title><p>roses'
        posted = service.client.post("/api/related", files={"page": page.encode("latin-1")})
        assert posted.json()["query"]["title"] == "Café"
        posted = service.client.post("/api/related", json={"page": page})
        assert posted.json()["query"]["title"] == "Café"

    def test_accepts_several_pages_and_unlike(self, service: Running, index: Path) -> None:
        others = [hit["url"] for hit in service.answer("/api/related", url=ROSES)["hits"]]
        expected = pagekin.open(index).related([ROSES, others[0]], unlike=[others[1]])
        given = {"url": [ROSES, others[0]], "unlike": others[1]}
        assert service.answer("/api/related", **given)["hits"] == as_json(expected)["hits"]
        posted = service.client.post("/api/related", json=given)
        assert posted.json()["query"] == as_json(expected)["query"]

    @pytest.mark.parametrize("more", [{}, {"exact": True}, {"group_by_site": True}])
    def test_pages_of_results_are_consistent(self, service: Running, more: dict[str, Any]) -> None:
        """Parts of any size give one list, each hit once, best first."""
        whole = service.answer("/api/related", url=ROSES, k=60, **more)["hits"]
        parts: list[Any] = []
        offset: int | None = 0
        while offset is not None and len(parts) < len(whole):
            answer = service.answer("/api/related", url=ROSES, k=7, offset=offset, **more)
            parts += answer["hits"]
            offset = answer["paging"]["next"]
        assert parts[: len(whole)] == whole
        assert len({hit["url"] for hit in whole}) == len(whole) > 10
        assert [hit["score"] for hit in whole] == sorted(
            (hit["score"] for hit in whole), reverse=True
        )

    def test_last_part_has_no_next_offset(self, service: Running, index: Path) -> None:
        everything = pagekin.open(index).related(ROSES, filters=Filters(k=1000, exact=True)).hits
        last = service.answer("/api/related", url=ROSES, k=100, offset=len(everything), exact=True)
        assert last["hits"] == []
        assert last["paging"]["next"] is None
        before = service.answer(
            "/api/related", url=ROSES, k=100, offset=len(everything) - 100, exact=True
        )
        assert len(before["hits"]) == 100
        assert before["paging"]["next"] is None

    def test_empty_answer_has_a_reason(self, service: Running) -> None:
        answer = service.answer("/api/related", url=ROSES, min_score=1)
        assert answer["hits"] == []
        assert "minimum score" in answer["note"]


class TestOtherQuestions:
    def test_page_equals_the_json_of_show(
        self, service: Running, index: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked = service.answer("/api/page", url=ROSES, terms=4)
        assert without(asked, "took_ms") == printed(
            capsys, "show", str(index), ROSES, "--terms", "4"
        )

    def test_comparison_equals_the_json_of_compare(
        self, service: Running, index: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        other = "http://www.hedgerow.example/plants/hellebores.html"
        asked = service.answer("/api/compare", one=ROSES, other=other)
        assert without(asked, "took_ms") == printed(capsys, "compare", str(index), ROSES, other)
        assert asked["rank"] == 1
        refused = service.get("/api/compare", one=ROSES, other="http://nowhere.example/")
        assert error_of(refused) == (404, "unknown_page")

    def test_pairs_equal_the_json_of_the_command(
        self, service: Running, index: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked = service.answer("/api/pairs", q='garden winter "flower show"')
        expected = printed(capsys, "pairs", str(index), "garden", "winter", "flower show")
        assert without(asked, "took_ms", "paging") == expected
        assert len(expected["sites"]) > 1
        parts = [
            service.answer("/api/pairs", q='garden winter "flower show"', k=1, offset=offset)
            for offset in range(len(expected["sites"]))
        ]
        assert [part["sites"][0] for part in parts] == expected["sites"]
        assert [part["paging"]["next"] for part in parts] == [
            *range(1, len(parts)),
            None,
        ]

    def test_evaluation_returns_the_report(self, service: Running, report: Path) -> None:
        answer = service.answer("/api/evaluation")
        assert [each["name"] for each in answer["strategies"]] == [
            "content + anchor, W 32, distance, stem, nmdf",
            "co-citation",
        ]
        best = answer["strategies"][0]["sibling"]
        assert best["low"] <= best["strict"] <= best["high"]
        assert answer["best"] == (report / "best.toml").read_text()

    def test_health_and_ready_report_the_state(self, service: Running, index: Path) -> None:
        assert service.answer("/api/health") == {"status": "ok"}
        ready = service.answer("/api/ready")
        counts = pagekin.open(index).reader.manifest.counts
        assert (ready["pages"], ready["urls"]) == (counts["pages"], counts["bags"])
        assert (ready["status"], ready["on_disk"]) == ("ready", "same")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/api/related?url=http://nowhere.example/", (404, "unknown_page")),
        ("/api/related?url=nonsense", (400, "malformed_url")),
        ("/api/related?url=javascript:alert(1)", (400, "malformed_url")),
        ("/api/related?url=", (400, "malformed_url")),
        ("/api/related", (422, "bad_parameter")),
        ("/api/related?unlike_text=x", (422, "bad_parameter")),
        ("/api/related?url=http://a.example/&text=x", (404, "unknown_page")),
        ("/api/related?text=x&unlike=http://a.example/", (404, "unknown_page")),
        ("/api/search?q=x&pages=some", (422, "bad_parameter")),
        ("/api/related?text=x&k=0", (422, "bad_parameter")),
        ("/api/related?text=x&k=-1", (422, "bad_parameter")),
        ("/api/related?text=x&k=ten", (422, "bad_parameter")),
        ("/api/related?text=x&k=101", (422, "bad_parameter")),
        ("/api/related?text=x&k=99999999999999999999999", (422, "bad_parameter")),
        ("/api/related?text=x&offset=-1", (422, "bad_parameter")),
        ("/api/related?text=x&offset=1001", (422, "bad_parameter")),
        ("/api/related?text=x&min_score=nan", (422, "bad_parameter")),
        ("/api/related?text=x&min_score=2", (422, "bad_parameter")),
        ("/api/related?text=x&exact=maybe", (422, "bad_parameter")),
        ("/api/related?text=x&k=1&k=2", (422, "bad_parameter")),
        ("/api/related?text=x&kk=1", (422, "unknown_parameter")),
        ("/api/related?text=x&K=1", (422, "unknown_parameter")),
        ("/api/page", (422, "bad_parameter")),
        ("/api/page?url=http://nowhere.example/", (404, "unknown_page")),
        ("/api/page?url=%00", (400, "malformed_url")),
        ("/api/page?url=http://a.example/&terms=101", (422, "bad_parameter")),
        ("/api/page?url=http://a.example/&url=http://a.example/", (422, "bad_parameter")),
        ("/api/page?url=http://a.example/&x=1&x=1", (422, "bad_parameter")),
        ("/api/pairs?q=roses", (422, "bad_parameter")),
        ("/api/pairs?q=roses+qwzx", (404, "unknown_word")),
        ("/api/pairs?q=roses+the", (422, "bad_parameter")),
        ("/api/pairs?q=roses+garden&alpha=0.4", (422, "bad_parameter")),
        ("/api/pairs?q=roses+garden&alpha=nan", (422, "bad_parameter")),
        ("/api/search", (422, "bad_parameter")),
        ("/api/search?q=x&offset=1001", (422, "bad_parameter")),
        ("/api/health?x=1", (422, "unknown_parameter")),
        ("/api/ready?x=1", (422, "unknown_parameter")),
        ("/api/evaluation?x=1", (422, "unknown_parameter")),
        ("/api/nothing", (404, "not_found")),
        ("/api/related/", (404, "not_found")),
        ("/api", (404, "not_found")),
        ("/api/", (404, "not_found")),
    ],
)
def test_errors_have_one_shape(service: Running, path: str, expected: tuple[int, str]) -> None:
    assert error_of(service.get(path)) == expected


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        (b"", "application/json", (400, "malformed_request")),
        (b"{", "application/json", (400, "malformed_request")),
        (b"[" * 100_000, "application/json", (400, "malformed_request")),
        (b"\xff\xfe", "application/json", (400, "malformed_request")),
        (b"[]", "application/json", (422, "bad_parameter")),
        (b"{}", "application/json", (422, "bad_parameter")),
        (b'{"text": 1}', "application/json", (422, "bad_parameter")),
        (b'{"text": "x", "k": "1"}', "application/json", (422, "bad_parameter")),
        (b'{"text": "x", "k": true}', "application/json", (422, "bad_parameter")),
        (b'{"text": "x", "k": 1.5}', "application/json", (422, "bad_parameter")),
        (b'{"text": "x", "exact": 1}', "application/json", (422, "bad_parameter")),
        (b'{"text": "x", "kk": 1}', "application/json", (422, "unknown_parameter")),
        (b'{"text": "\\ud800"}', "application/json", (400, "malformed_request")),
        (b'{"url": "\\ud800"}', "application/json", (400, "malformed_request")),
        (b'{"url": ["x", 1]}', "application/json", (422, "bad_parameter")),
        (b"text=x", "application/x-www-form-urlencoded", (415, "unsupported_media_type")),
        (b"x", "text/html", (415, "unsupported_media_type")),
        (b"x", "multipart/form-data", (400, "malformed_request")),
        (b"x", "multipart/form-data; boundary=a", (400, "malformed_request")),
    ],
)
def test_malformed_bodies_are_rejected(
    service: Running, body: bytes, kind: str, expected: tuple[int, str]
) -> None:
    posted = service.client.post("/api/related", content=body, headers={"content-type": kind})
    assert error_of(posted) == expected


def test_post_rejects_query_parameters(service: Running) -> None:
    posted = service.client.post("/api/related?k=1", json={"text": "old roses"})
    assert error_of(posted) == (422, "unknown_parameter")


def test_wrong_method_lists_the_allowed_ones(service: Running) -> None:
    response = service.client.delete("/api/related")
    assert error_of(response) == (405, "method_not_allowed")
    assert set(response.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}


def test_unknown_page_suggests_the_nearest_one(service: Running) -> None:
    response = service.get("/api/related", url=ROSES.replace("roses", "rosse"))
    assert ROSES in response.json()["error"]["hint"]


def test_evaluation_without_a_report_is_not_found(index: Path) -> None:
    with Running(index) as running:
        assert error_of(running.get("/api/evaluation")) == (404, "no_report")


def test_search_and_mixed_questions_are_those_of_the_library(service: Running, index: Path) -> None:
    opened = pagekin.open(index)
    found = service.get('/api/search?q="old roses" garden&pages=all&k=5').json()
    expected = opened.search('"old roses" garden', k=5, pages="all")
    assert found["hits"] == [as_json(hit) for hit in expected]
    wanted = "site=hedgerow.example&prefix=www.hedgerow.example/plants/&from=2000&min_length=20"
    found = service.get(f"/api/search?q=roses&{wanted}").json()
    filtered = opened.search(
        "roses",
        site="hedgerow.example",
        prefix="www.hedgerow.example/plants/",
        from_date="2000",
        min_length=20,
    )
    assert found["hits"] == [as_json(hit) for hit in filtered]
    assert filtered.hits
    related = service.get(f"/api/related?text=roses&{wanted}").json()["hits"]
    assert related
    assert all(hit["url"].startswith("http://www.hedgerow.example/plants/") for hit in related)
    for wrong in ("from=x", "to=2024-13", "site=a b", "from=2024&to=2023", "min_length=-1"):
        name = wrong.partition("=")[0]
        problem = service.get(f"/api/search?q=roses&{wrong}")
        assert problem.status_code == 422
        assert problem.json()["error"]["message"].startswith(f"{name}: ")
    url = expected.hits[0].url
    given = {"url": [url], "text": "hail", "unlike_text": "winter"}
    mixed = service.client.post("/api/related", json=given).json()
    question = pagekin.Question((url,), text="hail", unlike_text="winter")
    assert mixed["hits"] == [as_json(hit) for hit in opened.related(question)]


def test_responses_have_security_headers(service: Running) -> None:
    for path in ("/api/health", "/api/related?url=x", "/nothing", "/api/search?q=roses", "/api/x"):
        for _ in range(2):
            headers = service.get(path).headers
            policy = headers["content-security-policy"]
            assert policy.startswith("default-src 'none';")
            assert "unsafe" not in policy
            assert "*" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers.get_list("content-security-policy", split_commas=False) == [policy]
