"""Batches of questions, and chosen fields of hits."""

import json
from dataclasses import fields
from typing import Any

import httpx
import pytest

from pagekin.query.search import SearchHit
from pagekin.types import Hit
from tests.serve.running import Running, error_of

ROSES = "http://www.hedgerow.example/plants/roses.html"
SPADES = "http://www.hedgerow.example/tools/spades.html"
UNKNOWN = "http://www.hedgerow.example/plants/rose.html"


def posted(service: Running, questions: list[Any], **more: Any) -> httpx.Response:
    return service.client.post("/api/batch", json={"questions": questions, **more})


def untimed(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "took_ms"}


class TestBatch:
    def test_answers_like_single_questions(self, service: Running) -> None:
        questions: list[dict[str, Any]] = [
            {"url": ROSES},
            {"text": "a thunderstorm with hail", "k": 3},
            {"url": [ROSES, SPADES], "unlike": ROSES, "exact": True},
            {"url": SPADES, "offset": 5, "exclude_site": True},
            {"page": "<title>Pruning</title><p>how to prune old roses"},
        ] * 5
        answers = posted(service, questions).json()
        assert [*answers] == ["answers", "took_ms"] and answers["took_ms"] > 0
        for question, answer in zip(questions, answers["answers"], strict=True):
            single = service.client.post("/api/related", json=question).json()
            assert untimed(answer) == untimed(single)

    def test_questions_without_an_answer_do_not_fail_the_others(self, service: Running) -> None:
        bad: list[dict[str, Any]] = [
            {"url": UNKNOWN},
            {"url": "no address"},
            {},
            {"url": ROSES, "k": 101},
            {"url": ROSES, "offset": 5000},
            {"text": "x" * 200_001},
        ]
        mixed = [each for one in bad for each in (one, {"url": ROSES, "k": 1})]
        answers = posted(service, mixed).json()["answers"]
        for question, answer in zip(bad, answers[::2], strict=True):
            single = service.client.post("/api/related", json=question)
            assert single.status_code >= 400 and answer == single.json(), question
        assert all(answer["hits"][0]["score"] > 0 for answer in answers[1::2])

    @pytest.mark.parametrize(
        ("body", "where"),
        [
            ({}, "questions"),
            ({"questions": []}, "questions"),
            ({"questions": {"url": ROSES}}, "questions"),
            ({"questions": [{"url": ROSES}, 5]}, "questions[1]"),
            ({"questions": [{"url": ROSES}, {"url": ROSES, "k": "many"}]}, "questions[1].k"),
            ({"questions": [{"url": ROSES, "fields": "url"}]}, "questions[0].fields"),
            ({"questions": [{"url": ROSES}], "fields": "colour"}, "fields"),
            ({"questions": [{"url": ROSES}], "k": 3}, "k"),
            ({"questions": [{"url": ROSES}] * 101}, "number of questions"),
            ({"questions": [{"url": ROSES, "k": 100}] * 21}, "k of all questions together"),
        ],
    )
    def test_malformed_batch_is_refused(
        self, service: Running, body: dict[str, Any], where: str
    ) -> None:
        response = service.client.post("/api/batch", json=body)
        assert error_of(response)[0] == 422
        assert response.json()["error"]["message"].startswith(f"{where}: ")

    def test_batch_is_json(self, service: Running) -> None:
        response = service.client.post("/api/batch", data={"questions": "[]"})
        assert error_of(response) == (415, "unsupported_media_type")
        assert error_of(service.get("/api/batch")) == (405, "method_not_allowed")

    def test_operator_sets_the_size(self, service: Running, index: Any) -> None:
        with Running(index, "--max-batch", "2") as small:
            assert posted(small, [{"url": ROSES}] * 2).status_code == 200
            assert error_of(posted(small, [{"url": ROSES}] * 3)) == (422, "bad_parameter")
        assert posted(service, [{"url": ROSES}] * 3).status_code == 200


class TestFields:
    @pytest.mark.parametrize("path", ["/api/related", "/api/search"])
    def test_hits_have_the_chosen_fields_alone(self, service: Running, path: str) -> None:
        asked = {"url": ROSES} if path == "/api/related" else {"q": "roses"}
        whole = service.answer(path, **asked)
        chosen = service.answer(path, **asked, fields="url,score")
        assert [*chosen] == [*whole]
        assert chosen["hits"] == [
            {name: hit[name] for name in ("url", "score")} for hit in whole["hits"]
        ]
        again = service.answer(path, **asked, fields=["url", "score"])
        assert untimed(again) == untimed(chosen)

    def test_choice_in_a_body(self, service: Running) -> None:
        for names in ("url,title", ["url", "title"]):
            response = service.client.post("/api/related", json={"url": ROSES, "fields": names})
            assert {tuple(hit) for hit in response.json()["hits"]} == {("url", "title")}
            response = posted(service, [{"url": ROSES}, {"url": SPADES}], fields=names)
            for answer in response.json()["answers"]:
                assert {tuple(hit) for hit in answer["hits"]} == {("url", "title")}

    @pytest.mark.parametrize("names", ["colour", "url,colour", "", "url,", "URL"])
    def test_unknown_fields_are_refused(self, service: Running, names: str) -> None:
        response = service.get("/api/related", url=ROSES, fields=names)
        assert error_of(response) == (422, "bad_parameter")
        assert "one of url, title" in response.json()["error"]["message"]

    def test_every_field_can_be_chosen(self, service: Running) -> None:
        for path, kind, asked in (
            ("/api/related", Hit, {"url": ROSES}),
            ("/api/search", SearchHit, {"q": "roses"}),
        ):
            names = ",".join(each.name for each in fields(kind))
            whole = service.answer(path, **asked)
            assert service.answer(path, **asked, fields=names)["hits"] == whole["hits"]

    def test_document_says_so(self, service: Running) -> None:
        document = service.answer("/api/openapi.json")
        operation = document["paths"]["/api/related"]["get"]
        (described,) = (each for each in operation["parameters"] if each["name"] == "fields")
        assert described["explode"] is False
        assert "url" in described["schema"]["items"]["enum"]
        assert "required" not in document["components"]["schemas"]["Hit"]
        body = document["paths"]["/api/batch"]["post"]["requestBody"]["content"]
        assert [*body] == ["application/json"], json.dumps(body)
