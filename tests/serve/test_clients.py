"""Clients that send too much, are too slow or disconnect: the service goes on."""

import itertools
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.running import Running, error_of

MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def hasty(index: Path) -> Iterator[Running]:
    """A service with a timeout of one second and room for fifty clients."""
    options = ("--max-seconds", "1", "--max-connections", "50")
    with Running(index, *options) as running:
        yield running


@pytest.fixture(autouse=True)
def goes_on(service: Running) -> Iterator[None]:
    """Whatever a test does, afterwards the service answers."""
    yield
    assert service.answer("/api/health") == {"status": "ok"}


def received(bare: socket.socket) -> bytes:
    """Everything received until the other side closes the connection."""
    parts = []
    while part := bare.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def answered(bare: socket.socket) -> bytes:
    """One JSON answer on a connection that stays open."""
    reply = b""
    while not reply.endswith(b"}"):
        reply += bare.recv(1 << 16)
    return reply


def ended(bare: socket.socket) -> bool:
    """Whether the other side ends it and says nothing more."""
    try:
        return received(bare) == b""
    except ConnectionResetError:
        return True


def error_in(reply: bytes) -> tuple[int, str]:
    """Status and code of an error in bytes."""
    head, _, body = reply.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]["code"]


class TestTooLarge:
    def test_text_of_10_mb_is_rejected(self, service: Running) -> None:
        text = "roses " * (10 * MEGABYTE // 6)
        posted = service.client.post("/api/related", json={"text": text})
        assert error_of(posted) == (413, "body_too_large")

    def test_text_of_10_mb_on_the_start_page_is_rejected_as_a_page(self, service: Running) -> None:
        posted = service.client.post("/", data={"q": "roses " * (10 * MEGABYTE // 6)})
        assert posted.status_code == 413
        assert posted.headers["content-type"].startswith("text/html")
        assert "body_too_large" in posted.text

    def test_chunked_body_beyond_the_limit_is_rejected(self, service: Running) -> None:
        def parts() -> Iterator[bytes]:
            yield from itertools.repeat(b"x" * 65536, 160)

        posted = service.client.post(
            "/api/related", content=parts(), headers={"content-type": "application/json"}
        )
        assert error_of(posted) == (413, "body_too_large")

    def test_body_of_a_get_beyond_the_limit_is_rejected(self, service: Running) -> None:
        asked = service.client.request("GET", "/api/health", content=b"x" * 3 * MEGABYTE)
        assert error_of(asked) == (413, "body_too_large")

    def test_connection_stays_usable_after_a_rejected_body(self, service: Running) -> None:
        with service.connected() as bare:
            body = b"x" * 3 * MEGABYTE
            head = b"POST /api/related HTTP/1.1\r\nhost: localhost\r\ncontent-length: %d\r\n\r\n"
            bare.sendall(head % len(body) + body)
            assert b" 413 " in bare.recv(1 << 16)
            bare.sendall(
                b"GET /api/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
            )
            assert b'"ok"' in received(bare)

    def test_text_limit_applies_below_the_body_limit(self, service: Running) -> None:
        posted = service.client.post("/api/related", json={"text": "x" * 200_001})
        assert error_of(posted) == (422, "bad_parameter")
        posted = service.client.post("/api/related", json={"text": "roses " * 33_000})
        assert posted.status_code == 200

    def test_url_of_a_million_letters_is_rejected(self, service: Running) -> None:
        with service.connected() as bare:
            bare.sendall(b"GET /api/page?url=http://a.example/" + b"x" * 1_000_000)
            bare.sendall(b" HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert error_in(received(bare)) == (414, "url_too_long")

    def test_long_url_in_a_body_is_rejected_briefly(self, service: Running) -> None:
        url = "http://a.example/" + "x" * 1_000_000
        posted = service.client.post("/api/related", json={"url": url})
        assert error_of(posted) == (400, "malformed_url")
        assert len(posted.content) < 1000

    def test_endless_head_is_rejected(self, service: Running) -> None:
        with service.connected() as bare:
            bare.sendall(b"GET /api/health HTTP/1.1\r\n")
            for number in range(2000):
                bare.sendall(b"x-%d: %s\r\n" % (number, b"y" * 50))
            assert error_in(received(bare)) == (431, "head_too_large")

    def test_endless_empty_lines_are_rejected(self, service: Running) -> None:
        with service.connected() as bare:
            bare.sendall(b"\r\n" * 40_000)
            assert error_in(received(bare)) == (431, "head_too_large")


class TestOddRequests:
    @pytest.mark.parametrize("half", ["raw", "encoded"])
    def test_odd_characters_in_a_url_get_an_error(self, service: Running, half: str) -> None:
        for number in range(1, 256):
            odd = bytes([number]) if half == "raw" else b"%%%02x" % number
            with service.connected() as bare:
                bare.sendall(b"GET /api/page?url=http://a.example/" + odd + b"x HTTP/1.1\r\n")
                bare.sendall(b"host: localhost\r\nconnection: close\r\n\r\n")
                status, code = error_in(received(bare))
            expected = {(404, "unknown_page"), (400, "malformed_url")}
            if half == "raw":
                expected |= {(400, "malformed_request"), (422, "unknown_parameter")}
            assert (status, code) in expected, odd

    @pytest.mark.parametrize(
        "sent",
        [
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500,
            b"\r\n\r\n\r\n\x00",
            b"GET\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET /\xff HTTP/1.1\r\nhost: localhost\r\n\r\n",
            b"POST /api/related HTTP/1.1\r\ncontent-length: -5\r\n\r\n",
            b"POST /api/related HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcde",
            b"POST /api/related HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        ],
    )
    def test_data_that_is_not_http_is_rejected(self, service: Running, sent: bytes) -> None:
        with service.connected() as bare:
            bare.sendall(sent)
            bare.shutdown(socket.SHUT_WR)
            reply = received(bare)
        assert not reply or error_in(reply) == (400, "malformed_request")

    def test_pipelined_requests_are_answered_in_order(self, service: Running) -> None:
        with service.connected() as bare:
            for path in (b"health", b"nothing", b"ready"):
                bare.sendall(b"GET /api/%s HTTP/1.1\r\nhost: localhost\r\n\r\n" % path)
            bare.sendall(b"GET /api/x HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            reply = received(bare)
        assert re.findall(rb"HTTP/1.1 (\d+)", reply) == [b"200", b"404", b"200", b"404"]

    @pytest.mark.parametrize("host", ["[::1", "", "a b", "x" * 9000, "\u00e9", "a:99999999"])
    @pytest.mark.parametrize(
        "path", ["/api/nothing", "/api/page?url=x", "/nothing", "/", "/api/docs"]
    )
    def test_invalid_host_header_is_tolerated(self, service: Running, host: str, path: str) -> None:
        with service.connected() as bare:
            head = f"GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
            bare.sendall(head.encode())
            assert int(received(bare).split()[1]) in (200, 400, 404, 421)

    def test_upgrade_request_is_ignored(self, service: Running) -> None:
        headers = {"connection": "upgrade", "upgrade": "websocket"}
        assert service.client.get("/api/health", headers=headers).status_code == 200


class TestSlow:
    def test_incomplete_head_times_out(self, hasty: Running) -> None:
        with hasty.connected() as bare:
            bare.sendall(b"GET /api/health HTTP/1.1\r\nhost")
            assert error_in(received(bare)) == (408, "slow_request")

    def test_slow_head_times_out(self, hasty: Running) -> None:
        with hasty.connected() as bare:
            reply = b""
            for letter in itertools.cycle(b"x"):
                try:
                    bare.sendall(b"GET / HTTP/1.1\r\nx: " if not reply else bytes([letter]))
                except OSError:
                    break
                bare.settimeout(0.1)
                try:
                    reply = received(bare)
                    break
                except TimeoutError:
                    reply = b" "
            assert error_in(reply) == (408, "slow_request")

    def test_incomplete_body_times_out(self, hasty: Running) -> None:
        with hasty.connected() as bare:
            bare.sendall(
                b"POST /api/related HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n{"
            )
            assert error_in(received(bare)) == (408, "slow_request")

    def test_silent_connection_is_closed(self, hasty: Running) -> None:
        with hasty.connected() as bare:
            assert received(bare) == b""

    def test_connection_with_only_an_empty_line_is_closed(self, hasty: Running) -> None:
        with hasty.connected() as bare:
            bare.sendall(b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert b'"ok"' in answered(bare)
            bare.sendall(b"\r\n")
            assert ended(bare)

    def test_connection_that_keeps_sending_a_rejected_body_is_closed(self, hasty: Running) -> None:
        with hasty.connected() as bare:
            body = b"x" * 3 * MEGABYTE
            head = b"POST /api/related HTTP/1.1\r\nhost: localhost\r\ncontent-length: %d\r\n\r\n"
            bare.sendall(head % len(body))
            assert b"body_too_large" in answered(bare)
            bare.sendall(body)
            assert ended(bare)

    def test_too_many_clients_are_rejected_and_the_others_stay(self, hasty: Running) -> None:
        bares = [socket.create_connection(("127.0.0.1", hasty.port)) for _ in range(60)]
        replies = []
        for bare in bares:
            with bare:
                replies.append(received(bare))
        assert b"" in replies
        assert {error_in(reply) for reply in replies if reply} == {(503, "overloaded")}
        assert hasty.answer("/api/health") == {"status": "ok"}

    def test_slow_clients_do_not_block_others(self, service: Running) -> None:
        """A hundred clients that send half a head and nothing more."""
        bares = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(100)]
        for bare in bares:
            bare.sendall(b"GET /api/health HTTP/1.1\r\nhost")
        for _ in range(20):
            assert service.answer("/api/search", q="roses")["hits"]
        for bare in bares:
            bare.close()

    def test_clients_that_do_not_read_do_not_block_others(self, service: Running) -> None:
        bares = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(20)]
        for bare in bares:
            bare.sendall(b"GET /api/search?q=garden&k=100 HTTP/1.1\r\nhost: localhost\r\n\r\n" * 50)
        assert service.answer("/api/search", q="plants")["hits"]
        for bare in bares:
            bare.close()


class TestGone:
    def test_disconnect_after_the_request_is_harmless(self, service: Running) -> None:
        for number in range(100):
            with service.connected() as bare:
                bare.sendall(b"GET /api/search?q=a%d HTTP/1.1\r\nhost: localhost\r\n\r\n" % number)

    def test_disconnect_within_the_request_is_harmless(self, service: Running) -> None:
        for _ in range(100):
            with service.connected() as bare:
                bare.sendall(
                    b"POST /api/related HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{"
                )

    def test_connection_reset_is_harmless(self, service: Running) -> None:
        for _ in range(100):
            with service.connected() as bare:
                bare.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                bare.sendall(b"GET /api/search?q=roses HTTP/1.1\r\nhost: localhost\r\n\r\n")
