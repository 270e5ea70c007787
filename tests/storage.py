"""A server that speaks S3, on this machine."""

import uuid
from collections.abc import Iterator

import pytest
from moto.server import ThreadedMotoServer
from pyarrow.fs import FileSelector, FileSystem, S3FileSystem


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URI of an empty bucket; credentials and endpoint are where anybody would put them."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    storage = S3FileSystem(
        endpoint_override=f"{host}:{port}", scheme="http", allow_bucket_creation=True
    )
    # A name of its own: who has the file system of a bucket keeps it.
    name = f"crawl-{uuid.uuid4().hex}"
    storage.create_dir(name)
    yield f"s3://{name}"
    server.stop()


def listed(uri: str) -> set[str]:
    """What a folder there holds."""
    system, path = FileSystem.from_uri(uri)
    return {info.base_name for info in system.get_file_info(FileSelector(path))}
