"""A local S3 server, whose downloads break off on demand."""

import uuid
from collections.abc import Iterable, Iterator
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from pyarrow.fs import FileSelector, FileSystem, S3FileSystem
from werkzeug.serving import make_server

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


class Storage:
    """The server; downloads of keys in `torn` break off half-way."""

    def __init__(self) -> None:
        self.torn: set[str] = set()
        self._app = DomainDispatcherApplication(create_backend_app)
        self._server = make_server(
            "127.0.0.1", 0, self._answer, threaded=True, request_handler=MotoRequestHandler
        )
        self._thread = Thread(target=self._server.serve_forever)
        self._thread.start()

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def surroundings(self) -> dict[str, str]:
        """Credentials and endpoint in the usual environment variables."""
        return {
            "AWS_ENDPOINT_URL": f"http://{self.address}",
            "AWS_ACCESS_KEY_ID": "somebody",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_DEFAULT_REGION": "us-east-1",
        }

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, asked: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        answer: Iterable[bytes] = self._app(asked, start)
        key = asked["PATH_INFO"].rpartition("/")[2]
        if asked["REQUEST_METHOD"] == "GET" and key in self.torn:
            return _half(answer)
        return answer


def _half(answer: Iterable[bytes]) -> Iterator[bytes]:
    content = b"".join(answer)
    yield content[: len(content) // 2]
    raise ConnectionResetError("torn")


@pytest.fixture(scope="session")
def storage() -> Iterator[Storage]:
    """One server for all tests that use it."""
    started = Storage()
    yield started
    started.stop()


@pytest.fixture
def bucket(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URI of an empty bucket."""
    for name, value in storage.surroundings.items():
        monkeypatch.setenv(name, value)
    client = S3FileSystem(
        endpoint_override=storage.address, scheme="http", allow_bucket_creation=True
    )
    # A name of its own: who has the file system of a bucket keeps it.
    name = f"crawl-{uuid.uuid4().hex}"
    client.create_dir(name)
    return f"s3://{name}"


def listed(uri: str) -> set[str]:
    """The names in a remote folder."""
    system, path = FileSystem.from_uri(uri)
    return {info.base_name for info in system.get_file_info(FileSelector(path))}
