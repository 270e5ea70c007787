"""Bad sources, options and output folders."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import pagekin
from pagekin.errors import PagekinError
from tests.archives import FEW_PARTS, CommandResult, page, run

Capture = pytest.CaptureFixture[str]


def index(capfd: Capture, tmp_path: Path, *words: str | Path) -> CommandResult:
    return run(capfd, "index", *words, "-o", tmp_path / "index")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.warc", "none.warc at offset 0: no such file; check the path"),
        ("dangling", "dangling at offset 0: no such file; check the path"),
        ("loop", "loop at offset 0: cannot be read: "),
        ("a" * 300, " at offset 0: cannot be read: File name too long"),
        ("crawl.warc/x", "crawl.warc/x at offset 0: cannot be read: Not a directory"),
    ],
)
def test_unreadable_file_is_reported_and_the_rest_is_indexed(
    capfd: Capture, tmp_path: Path, one_page: Path, name: str, said: str
) -> None:
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    ran = index(capfd, tmp_path, tmp_path / name, one_page)
    assert ran.code == 2
    assert said in ran.last and "; " in ran.last
    assert ran.out.startswith("1 page ")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/proc/self/mem"])
def test_device_as_source_is_reported(
    capfd: Capture, tmp_path: Path, one_page: Path, device: str
) -> None:
    ran = index(capfd, tmp_path, device, one_page, *FEW_PARTS)
    assert ran.code == 2
    assert f"pagekin: {device} at offset" in ran.last


def test_folder_requires_base_url(capfd: Capture, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    ran = index(capfd, tmp_path, tmp_path / "site")
    assert ran.code == 2
    assert f"{tmp_path}/site: is a folder; give --base-url, the URL of the folder" in ran.last
    ran = index(capfd, tmp_path, tmp_path / "site", "--base-url", "http://a.example/")
    assert ran.code == 2
    assert "site at offset 0: holds no .html, .htm or .xhtml file; check the path" in ran.last
    assert not (tmp_path / "index").exists()


def test_base_url_without_a_folder_is_rejected(
    capfd: Capture, tmp_path: Path, one_page: Path
) -> None:
    ran = index(capfd, tmp_path, one_page, "--base-url", "http://a.example/")
    assert ran.code == 2
    assert "--base-url: no folder of HTML was given; leave it out" in ran.last
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize("base", ["a.example", "ftp://a.example/", "", "http://[", "\udcff"])
def test_invalid_base_url_is_rejected(capfd: Capture, tmp_path: Path, base: str) -> None:
    ran = index(capfd, tmp_path, tmp_path, "--base-url", base)
    assert ran.code == 2
    assert "--base-url" in ran.last and "give an absolute URL" in ran.last


def test_list_may_have_comments_and_a_byte_order_mark_and_missing_files_are_reported(
    capfd: Capture, tmp_path: Path, one_page: Path
) -> None:
    text = f"\ufeff# my crawl\r\n\r\n  {one_page}  \r\n{tmp_path}/none.warc\nnul\0.warc\n"
    (tmp_path / "list.txt").write_text(text, encoding="utf-8", newline="")
    ran = index(capfd, tmp_path, f"@{tmp_path}/list.txt")
    assert ran.code == 2
    assert ran.out.startswith("1 page ")
    assert f"{tmp_path}/none.warc at offset 0: no such file" in ran.err
    assert "nul\N{REPLACEMENT CHARACTER}.warc at offset 0: cannot be read" in ran.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"@{}/list.txt\n", "list.txt: the list includes itself; remove the line"),
        (b"# nothing\n\n", "list.txt: the list is empty; write one source per line"),
        (b"\x1f\x8b\xff\xfe", "list.txt: the list cannot be read"),
        (b"-\n-\n", "-: given twice; standard input can be read only once"),
    ],
)
def test_bad_list_is_rejected(capfd: Capture, tmp_path: Path, text: bytes, said: str) -> None:
    (tmp_path / "list.txt").write_bytes(text.replace(b"{}", bytes(tmp_path)))
    ran = index(capfd, tmp_path, f"@{tmp_path}/list.txt")
    assert ran.code == 2
    assert said in ran.last
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-", "-"], "-: given twice; standard input can be read only once"),
        (["@none.txt"], "none.txt: the list cannot be read ([Errno 2]"),
        ([""], "a source has no name; leave it out"),
        ([], "the following arguments are required: SOURCE"),
        (["{}", "--memory", "lots"], "'lots' is not a size such as 2GB or 500MB"),
        (["{}", "--memory", "0"], "'0' is not a size"),
        (["{}", "--memory", "-1GB"], "--memory"),
        (["{}", "--memory", "9" * 400], "is not a size"),
        (["{}", "--max-body", "99999999TB"], "is not a size"),
        (["{}", "--threads", "0"], "'0' is not a whole number of at least 1"),
        (["{}", "--threads", "9" * 5000], "--threads"),
        (["{}", "--threads", "1000000"], "threads = 1000000 is not possible; allowed: 1 to 1024"),
        (["{}", "--engine", "steam"], "invalid choice: 'steam'"),
        (["{}", "--strategy", "none.toml"], "none.toml"),
        (["{}", "--strategy", "{}"], "TOML"),
        (["{}", "--strategy", "paper-bst"], 'did you mean "paper-best"?'),
    ],
)
def test_bad_arguments_are_rejected(
    capfd: Capture, tmp_path: Path, one_page: Path, words: list[str], said: str
) -> None:
    ran = index(capfd, tmp_path, *[word.replace("{}", str(one_page)) for word in words])
    assert ran.code == 2
    assert said in ran.last
    assert not (tmp_path / "index").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[window", "TOML"),
        ("[window]\nsize = -1\n", "window.size = -1 is not possible"),
        ("[windw]\nsize = 3\n", 'did you mean "window"?'),
        ("a = " + "[" * 5000, "TOML"),
    ],
)
def test_bad_strategy_file_is_rejected(
    capfd: Capture, tmp_path: Path, one_page: Path, text: str, said: str
) -> None:
    (tmp_path / "s.toml").write_text(text)
    ran = index(capfd, tmp_path, one_page, "--strategy", tmp_path / "s.toml")
    assert ran.code == 2
    assert "s.toml" in ran.last and said in ran.last


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("crawl.warc", "File exists"),
        ("crawl.warc/index", "Not a directory"),
        ("dangling", "File exists"),
        ("/proc/index", "/proc/index: the index cannot be written"),
        ("", "no folder given for the index; name one"),
    ],
)
def test_unwritable_output_is_reported(
    capfd: Capture, tmp_path: Path, one_page: Path, place: str, said: str
) -> None:
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    ran = run(capfd, "index", one_page, "-o", tmp_path / place if place else "")
    assert ran.code == 2
    assert said in ran.last and "; " in ran.last
    assert one_page.read_bytes() == page("good")


def test_build_removes_only_its_own_files_from_the_folder(tmp_path: Path, one_page: Path) -> None:
    for name in ("tables-2020", "tables-0123456789abcdef", ".building-x"):
        (tmp_path / "index" / name).mkdir(parents=True)
    (tmp_path / "index" / ".manifest.json.1").touch()
    pagekin.build(one_page, tmp_path / "index")
    left = {path.name for path in (tmp_path / "index").iterdir()}
    folder = pagekin.open(tmp_path / "index").reader.manifest.folder
    assert left == {"manifest.json", "tables-2020", folder}


@pytest.mark.parametrize("settings", [{"threads": 0}, {"memory": -1}, {"shard_urls": 0}])
def test_settings_out_of_bounds_are_rejected(settings: dict[str, Any]) -> None:
    with pytest.raises(PagekinError, match="is not possible; allowed: 1 to "):
        pagekin.Settings(**settings)
    with pytest.raises(PagekinError, match="body = 0 is not possible"):
        pagekin.Limits(body=0)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_file_names_need_not_be_utf8(capfd: Capture, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"crawl-\xff.warc")
    path.write_bytes(page("good"))
    ran = index(capfd, tmp_path, path, tmp_path / os.fsdecode(b"none-\xff.warc"))
    assert ran.code == 2
    assert ran.out.startswith("1 page ")
    assert "none-" in ran.last and "no such file" in ran.last
