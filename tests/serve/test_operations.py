"""What an operator sees: metrics, request ids, the access log, and clients that leave."""

import json
import re
import socket
import struct
import threading
from pathlib import Path

import pytest

from pagekin.serve.api import PATHS
from pagekin.serve.metrics import Metrics, create_memory
from pagekin.serve.service import ServedIndex
from tests.serve.running import PATIENCE, Running, until
from tests.serve.test_errors import asked


def value(text: str, name: str) -> float:
    return sum(float(found) for found in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.M))


def test_metrics_count_requests_of_all_workers(index: Path) -> None:
    with Running(index, "--workers", "2", "--no-ahead") as running:
        for number in range(40):
            running.answer("/api/search", q=f"roses {number % 4}")
        running.get("/api/page", url="http://no.example/")
        text = running.get("/metrics").text
    assert 'pagekin_requests_total{path="/api/search",status="2xx"} 40' in text
    assert 'pagekin_requests_total{path="/api/page",status="4xx"} 1' in text
    assert value(text, "pagekin_request_seconds_count") == 41
    assert 'pagekin_request_seconds_bucket{le="+Inf"} 41' in text
    assert value(text, "pagekin_cache_hits_total") >= 40 - 2 * 4
    assert value(text, "pagekin_index_pages") == 106
    assert value(text, "pagekin_workers") == 2
    assert value(text, "pagekin_requests_running") == 1


def test_metrics_have_the_text_format_of_prometheus(service: Running) -> None:
    response = service.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    typed = set(re.findall(r"^# TYPE (\w+) (?:counter|gauge|histogram)$", response.text, re.M))
    for line in response.text.splitlines():
        if not line.startswith("#"):
            found = re.fullmatch(r'(\w+)(\{\w+="[^"\\]*"(,\w+="[^"\\]*")*\})? [0-9.]+', line)
            assert found, line
            assert re.sub("_(bucket|sum|count)$", "", found[1]) in typed or found[1] in typed


def test_invented_paths_do_not_fill_the_metrics() -> None:
    metrics = Metrics(create_memory(1), 0)
    for number in range(1000):
        metrics.end(f"/{number}", 404, 0.1, 10, cached=False)
    assert 'path="other",status="4xx"} 1000' in metrics.text(1, 1, "x")


def test_every_path_of_the_api_has_a_counter() -> None:
    metrics = Metrics(create_memory(1), 0, PATHS)
    for path in PATHS:
        metrics.end(path, 200, 0.1, 10, cached=False)
    text = metrics.text(1, 1, "x")
    for path in PATHS:
        assert f'path="{path}",status="2xx"}} 1\n' in text


def test_counters_go_on_when_a_worker_is_replaced() -> None:
    memory = create_memory(2)
    for _ in range(2):
        Metrics(memory, 0, PATHS).end("/api/page", 200, 0.1, 10, cached=True)
    text = Metrics(memory, 1, PATHS).text(1, 1, "x")
    assert 'path="/api/page",status="2xx"} 2' in text
    assert "pagekin_request_seconds_sum 0.200000" in text


@pytest.mark.parametrize("given", ["abc-1.2_3", "x" * 128])
def test_request_id_is_kept(service: Running, given: str) -> None:
    response = service.client.get("/api/health", headers={"x-request-id": given})
    assert response.headers["x-request-id"] == given


@pytest.mark.parametrize("given", [None, "", "a b", "x" * 129, 'x"y', "x%0ay"])
def test_other_request_ids_are_replaced(service: Running, given: str | None) -> None:
    headers = {} if given is None else {"x-request-id": given}
    found = service.client.get("/nothing", headers=headers).headers["x-request-id"]
    assert re.fullmatch("[0-9a-f]{16}", found)


def test_access_log_has_a_line_for_each_request_and_no_query(index: Path) -> None:
    with Running(index) as running:
        running.client.get("/api/search?q=private", headers={"x-request-id": "me"})
        running.client.get("/a%22%0aforged%20line")
        until(lambda: "forged" in running.log)
        log = running.log
    assert re.search(r'Z 127\.0\.0\.1 "GET /api/search" 200 \d+ \d+\.\dms me$', log, re.M)
    assert '"GET /a%22%0aforged%20line" 404' in log
    assert "private" not in log


def test_access_log_as_json_lines(index: Path) -> None:
    with Running(index, "--json-log", "--no-ahead") as running:
        running.answer("/api/health")
        until(lambda: "/api/health" in running.log)
        line = json.loads(running.log.splitlines()[-1])
    assert list(line) == ["time", "client", "method", "path", "status", "bytes", "ms", "id"]
    assert (line["path"], line["status"]) == ("/api/health", 200)


def test_access_log_can_be_turned_off(index: Path) -> None:
    with Running(index, "--no-access-log") as running:
        running.answer("/api/health")
        running.process.terminate()
        running.process.wait(PATIENCE)
        assert "GET" not in running.log


def test_clients_that_leave_cause_no_traceback(index: Path) -> None:
    with Running(index) as running:
        for number in range(60):
            with running.connected() as bare:
                if number % 2:
                    bare.sendall(
                        b"GET /api/search?q=%d HTTP/1.1\r\nhost: localhost\r\n\r\n" % number
                    )
                else:
                    bare.sendall(b"POST /api/related HTTP/1.1\r\nhost: localhost\r\n")
                    bare.sendall(b"content-type: application/json\r\ncontent-length: 9\r\n\r\n{")
                bare.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        until(lambda: running.log.count("/api/search") >= 30)
        assert "Traceback" not in running.log
        assert running.answer("/api/health") == {"status": "ok"}


def test_ready_looks_at_the_disk_in_another_thread(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def noted(_: ServedIndex) -> str:
        threads.append(threading.current_thread())
        return "same"

    monkeypatch.setattr(ServedIndex, "on_disk", noted)
    assert asked(index, "/api/ready").json()["on_disk"] == "same"
    assert threading.main_thread() not in threads


def test_etag_spares_the_answer_until_the_index_changes(service: Running) -> None:
    first = service.get("/api/search", q="roses")
    again = service.client.get(
        "/api/search?q=roses", headers={"if-none-match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    other = service.client.get(
        "/api/search?q=tulips", headers={"if-none-match": first.headers["etag"]}
    )
    assert other.status_code == 200
    assert other.headers["etag"] != first.headers["etag"]
    assert "etag" not in service.get("/api/page", url="http://no.example/").headers
