"""Secrets in the names of sources: refused, and repeated neither on the screen nor on the disk."""

from pathlib import Path

import pytest

from pagekin.crawl import remote, resolve_sources
from pagekin.errors import InputError
from tests.archives import run

SECRET = "wJalrXUtnFEMI"


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        (f"s3://KEY:{SECRET}@bucket/crawl.warc.gz", "s3://***@bucket/crawl.warc.gz"),
        (f"s3://{SECRET}@bucket/crawl.warc.gz", "s3://***@bucket/crawl.warc.gz"),
        (f"https://user:{SECRET}@a.example/x.warc", "https://***@a.example/x.warc"),
        (f"https://:{SECRET}@a.example/x.warc", "https://***@a.example/x.warc"),
        (f"hdfs://me:{SECRET}@name:9000/x", "hdfs://***@name:9000/x"),
        (
            f"https://b.example/x?X-Amz-Date=1&X-Amz-Signature={SECRET}",
            "https://b.example/x?X-Amz-Date=1&X-Amz-Signature=***",
        ),
        (f"https://b.example/x?sv=1&sig={SECRET}&e=1", "https://b.example/x?sv=1&sig=***&e=1"),
        (f"s3://bucket/x?secret_key={SECRET}", "s3://bucket/x?secret_key=***"),
    ],
)
def test_secret_in_a_source_is_refused_and_not_repeated(
    uri: str, shown: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list.txt").write_text(uri)
    for source in (uri, f"@{uri}", f"@{tmp_path / 'list.txt'}"):
        ran = run(capfd, "index", source, "-o", tmp_path / "index")
        assert ran.code == 2
        assert f"{shown}: contains a secret, which would be printed and stored" in ran.last
        assert "leave it out; set AWS_ACCESS_KEY_ID" in ran.last
        assert SECRET not in ran.out + ran.err
    assert not (tmp_path / "index").exists()


def test_secret_in_a_base_url_is_refused(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("words")
    with pytest.raises(InputError, match="contains a secret") as raised:
        resolve_sources(tmp_path, f"https://user:{SECRET}@a.example/")
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    "name",
    [
        "s3://bucket/a@b.warc.gz",
        "hdfs://me@name:9000/x.warc",
        "abfs://container@account.dfs.core.windows.net/x.warc",
        "crawl:1@home.warc.gz",
        "https://a.example/x:y@z?page=2",
        "s3://bucket/x?region=eu-west-1",
    ],
)
def test_name_without_a_secret_is_accepted(name: str) -> None:
    remote.refuse_secrets(name)
