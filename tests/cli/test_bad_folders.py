"""Folders of HTML with unreadable entries: they are reported, the rest is indexed."""

import os
from pathlib import Path

import pytest

import pagekin
from tests.archives import FEW_PARTS, CommandResult, page, spawn

BASE = "http://a.example/"
# Root may read everything unless it gives that up.
NO_ROOT = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if not os.geteuid() else []


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name in ("a.html", "sub/b.html", "sub/c.html"):
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text("<p>some plain words to read here</p>")
    return tmp_path / "site"


def index(site: Path) -> CommandResult:
    return spawn("index", site, "--base-url", BASE, "-o", site.parent / "index", under=NO_ROOT)


def failures(ran: CommandResult) -> list[str]:
    return [line for line in ran.err.splitlines() if line.startswith("pagekin: ")]


@pytest.mark.parametrize(("path", "pages"), [("sub", "1 page "), ("sub/b.html", "2 pages ")])
def test_file_or_folder_without_read_permission_is_reported(
    site: Path, path: str, pages: str
) -> None:
    mode = (site / path).stat().st_mode
    (site / path).chmod(0)
    ran = index(site)
    (site / path).chmod(mode)
    said = "at offset 0: permission denied; give yourself permission to read it"
    assert failures(ran) == [f"pagekin: {site / path} {said}"]
    assert (ran.code, ran.out[: len(pages)]) == (2, pages)


def test_folder_without_search_permission_is_reported_file_by_file(site: Path) -> None:
    (site / "sub" / "notes.txt").touch()
    (site / "sub").chmod(0o400)
    ran = index(site)
    (site / "sub").chmod(0o700)
    assert [line.split()[1] for line in failures(ran)] == [
        f"{site}/sub/b.html",
        f"{site}/sub/c.html",
    ]
    assert (ran.code, ran.out[:7]) == (2, "1 page ")


def test_dangling_links_and_pipes_are_reported(site: Path) -> None:
    (site / "dangling.html").symlink_to("nowhere")
    (site / "loop.html").symlink_to("loop.html")
    os.mkfifo(site / "pipe.html")
    (site / "not-a-page").symlink_to("nowhere")
    os.mkfifo(site / "pipe")
    ran = index(site)
    nowhere = "at offset 0: is a dangling link; fix or remove it"
    assert failures(ran) == [
        f"pagekin: {site}/dangling.html {nowhere}",
        f"pagekin: {site}/loop.html {nowhere}",
        f"pagekin: {site}/pipe.html at offset 0: is a pipe, socket or device; leave it out",
    ]
    assert (ran.code, ran.out[:8]) == (2, "3 pages ")


def test_links_out_of_the_folder_are_not_followed(site: Path, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "secret.html").write_text("<p>a secret</p>")
    (site / "out.html").symlink_to(tmp_path / "private" / "secret.html")
    (site / "sub" / "folder").symlink_to("../../private")
    (site / "within.html").symlink_to("sub/b.html")
    ran = index(site)
    said = (
        "at offset 0: is a link that leads out of the folder; copy what it leads to, or allow it "
        "with --follow-links"
    )
    assert failures(ran) == [
        f"pagekin: {site}/out.html {said}",
        f"pagekin: {site}/sub/folder {said}",
    ]
    assert (ran.code, ran.out[:8]) == (2, "4 pages ")
    followed = spawn(
        "index", site, "--base-url", BASE, "--follow-links", "-o", tmp_path / "followed"
    )
    assert (followed.code, followed.out[:8]) == (0, "6 pages ")


@pytest.mark.parametrize("source", ["/dev/zero", "@/dev/zero", "PIPE", "@PIPE", "@LIST"])
def test_pipes_and_devices_are_refused_at_once(source: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "list").write_text("/dev/zero\n")
    source = source.replace("PIPE", str(tmp_path / "pipe")).replace("LIST", str(tmp_path / "list"))
    ran = spawn("index", source, "-o", tmp_path / "index")
    assert ran.code == 2
    assert "pipe, socket or device" in ran.last
    assert ran.peak < 200 << 20


def test_pipe_that_the_process_has_open_is_read(tmp_path: Path) -> None:
    ran = spawn("index", "/dev/stdin", "-o", tmp_path / "index", *FEW_PARTS, stdin=[page("a")])
    assert (ran.code, ran.out[:7]) == (0, "1 page ")


def test_page_whose_path_is_too_long_is_reported(site: Path) -> None:
    part = "d" * 250
    place = os.open(site, os.O_RDONLY)
    for _ in range(20):
        os.mkdir(part, dir_fd=place)
        place, above = os.open(part, os.O_RDONLY, dir_fd=place), place
        os.close(above)
    os.close(os.open("deep.html", os.O_CREAT | os.O_WRONLY, dir_fd=place))
    os.close(place)
    ran = index(site)
    (said,) = failures(ran)
    assert said.startswith(f"pagekin: {site}/{part}/{part}/")
    assert "cannot be read: File name too long" in said
    assert said.endswith("; give it a shorter path")
    assert (ran.code, ran.out[:8]) == (2, "3 pages ")
    assert pagekin.Source(str(site), BASE).size == 3 * (site / "a.html").stat().st_size
