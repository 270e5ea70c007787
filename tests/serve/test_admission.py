"""Who may ask: attacks by foreign host names and origins, tokens, and a rate for each client."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pagekin.serve.admission import CLIENTS, RateLimit, is_loopback
from tests.archives import run
from tests.serve.running import Running, error_of

EVIL = "http://evil.example"
TOKEN = "0123456789abcdef0123456789abcdef"
TEXT = {"text": "old roses"}


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("LOCALHOST.", True),
        ("app.localhost", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("[::1]", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("10.0.0.1", False),
        ("0.0.0.0", False),
        ("", False),
    ],
)
def test_names_of_this_machine_are_recognised(host: str, local: bool) -> None:
    assert is_loopback(host) is local


@pytest.mark.parametrize("path", ["/", "/api/search?q=roses", "/api/health", "/static/pagekin.css"])
def test_rebound_name_reads_nothing_from_loopback(service: Running, path: str) -> None:
    for host in ("evil.example", f"evil.example:{service.port}", "127.0.0.1.evil.example"):
        response = service.client.get(path, headers={"host": host})
        assert response.status_code == 421
        assert "roses" not in response.text.lower()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "a.localhost"])
def test_names_of_this_machine_are_answered(service: Running, host: str) -> None:
    for name in (host, f"{host}:{service.port}"):
        assert service.client.get("/api/health", headers={"host": name}).status_code == 200


@pytest.mark.parametrize("origin", [EVIL, "null", "http://localhost:1", "https://127.0.0.1"])
def test_post_of_a_foreign_page_is_refused(service: Running, origin: str) -> None:
    response = service.client.post("/api/related", json=TEXT, headers={"origin": origin})
    assert error_of(response) == (403, "foreign_origin")
    assert "access-control-allow-origin" not in response.headers


def test_post_of_an_own_page_is_answered(service: Running) -> None:
    response = service.client.post("/api/related", json=TEXT, headers={"origin": service.base})
    assert response.status_code == 200


@pytest.fixture(scope="module")
def guarded(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service with a token, a host name and an origin."""
    file = tmp_path_factory.mktemp("token") / "token"
    file.write_text(f"{TOKEN}\n")
    options = ("--token-file", str(file), "--allow-host", "related.example")
    with Running(index, *options, "--allow-origin", "https://a.example") as running:
        yield running


def bearing(service: Running, path: str, token: str, **headers: str) -> httpx.Response:
    return service.client.get(path, headers={"authorization": token, **headers})


def test_allowed_host_is_answered_and_others_are_not(guarded: Running) -> None:
    for host, status in (
        ("related.example", 200),
        ("Related.Example:443", 200),
        ("b.example", 421),
    ):
        assert guarded.client.get("/api/health", headers={"host": host}).status_code == status


@pytest.mark.parametrize("path", ["/", "/api/search?q=roses", "/api/ready", "/metrics", "/nothing"])
@pytest.mark.parametrize("token", ["", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer"])
def test_request_without_the_token_is_refused(guarded: Running, path: str, token: str) -> None:
    response = bearing(guarded, path, token)
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"


def test_request_with_the_token_is_answered(guarded: Running) -> None:
    assert bearing(guarded, "/api/search?q=roses", f"Bearer {TOKEN}").status_code == 200
    assert guarded.get("/api/health").status_code == 200


def test_allowed_origin_may_read(guarded: Running) -> None:
    asked = {"origin": "https://a.example"}
    response = bearing(guarded, "/api/search?q=roses", f"Bearer {TOKEN}", **asked)
    assert response.headers["access-control-allow-origin"] == "https://a.example"
    assert response.headers["vary"] == "origin"
    other = bearing(guarded, "/api/search?q=roses", f"Bearer {TOKEN}", origin=EVIL)
    assert "access-control-allow-origin" not in other.headers
    preflight = {**asked, "access-control-request-method": "POST"}
    allowed = guarded.client.options("/api/related", headers=preflight)
    assert allowed.status_code == 204
    assert "authorization" in allowed.headers["access-control-allow-headers"]
    refused = guarded.client.options("/api/related", headers={**preflight, "origin": EVIL})
    assert "access-control-allow-methods" not in refused.headers


@pytest.mark.parametrize("content", [None, "", "short", "é" * 20])
def test_unusable_token_file_is_refused_before_the_start(
    index: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], content: str | None
) -> None:
    path = tmp_path / "token"
    if content is not None:
        path.write_text(content)
    ran = run(capfd, "serve", index, "--port", "0", "--token-file", path)
    assert ran.code == 2
    assert f"{path}: the token " in ran.last


def test_rate_of_a_client_is_limited_and_recovers() -> None:
    limit = RateLimit(5)
    assert [limit.admit("one", 0.0) for _ in range(12)] == [True] * 10 + [False] * 2
    assert limit.admit("two", 0.0)
    assert [limit.admit("one", 0.4) for _ in range(3)] == [True, True, False]


def test_many_clients_take_bounded_memory() -> None:
    limit = RateLimit(1)
    for number in range(2 * CLIENTS):
        limit.admit(str(number), 0.0)
    assert len(limit._clients) == CLIENTS


def test_client_beyond_its_rate_has_to_wait(index: Path) -> None:
    with Running(index, "--max-rate", "2") as running:
        answers = [running.get("/api/search", q="roses") for _ in range(30)]
        refused = [each for each in answers if each.status_code != 200]
        assert 4 <= len(answers) - len(refused) < 30
        assert error_of(refused[0]) == (429, "too_many_requests")
        assert refused[0].headers["retry-after"] == "5"
        assert running.get("/api/health").status_code == 200
