"""The data file, and the templates of the guide in real sites of Hugo and Jekyll."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest
from selectolax.lexbor import LexborHTMLParser

import pagekin
from pagekin.errors import InputError
from tests.archives import run
from tests.generators.sites import sample, write_markdown

GUIDE = Path(__file__).parents[2] / "docs" / "generators.md"
HOST = "www.hedgerow.example"
BASE = "https://docs.example/"


def test_data_file_has_the_answers_of_one_site(index: Path, tmp_path: Path) -> None:
    opened = pagekin.open(index)
    told = opened.export_data(tmp_path / "new" / "related.json", site=HOST, k=3)
    found = json.loads(told.file.read_text(encoding="utf-8"))
    assert told.pages == len(found) > 8 and [*found] == sorted(found)
    for path, links in found.items():
        hits = opened.related(f"http://{HOST}{path}", k=3, site=HOST).hits
        assert [f"http://{HOST}{link['url']}" for link in links] == [hit.url for hit in hits]
        assert [link["title"] for link in links] == [hit.title for hit in hits]
        assert all(len(link["words"]) <= 3 for link in links)


@pytest.mark.parametrize(
    ("site", "message"), [(None, "for one; say which"), ("no.example", "no page of this host")]
)
def test_data_file_is_for_one_site(
    index: Path, tmp_path: Path, site: str | None, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        pagekin.open(index).export_data(tmp_path / "related.json", site=site)
    assert not [*tmp_path.iterdir()]


def test_export_command_writes_data_file_and_folder(
    index: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data, site = tmp_path / "related.json", tmp_path / "site"
    words = ("--data", data, "-o", site, "--site", HOST)
    ran = run(capfd, "export", index, *words)
    assert ran.code == 0
    assert re.match(rf"\d+ pages in {tmp_path}/related.json\n\d+ pages in .*/site; see", ran.out)
    ran = run(capfd, "export", index, *words, "--json")
    told = json.loads(ran.out)
    assert told["data"]["file"] == f"{tmp_path}/related.json" and told["data"]["pages"] > 8
    assert told["site"]["demo"] == f"{tmp_path}/site/demo.html" and told["site"]["pages"] > 90
    assert data.exists() and (site / "related.json").exists()


def test_nothing_to_write_is_bad_usage(index: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ran = run(capfd, "export", index)
    assert ran.code == 2 and "give -o FOLDER, --data FILE.json or both" in ran.last


def template(kind: str) -> str:
    found = re.search(rf"^```html\+{kind}\n(.*?)^```$", GUIDE.read_text("utf-8"), re.M | re.S)
    assert found
    return found[1]


def built(folder: Path, command: list[str], data: Path) -> dict[str, list[tuple[str, str]]]:
    """Build a site as the guide says; the links of the list on each page, and their reasons."""
    plain, site = folder / "plain", folder / "built"
    subprocess.run([*command, "--destination", str(plain)], cwd=folder, check=True)
    pagekin.build(pagekin.Source(str(plain), BASE), folder / "index")
    opened = pagekin.open(folder / "index")
    opened.export_data(data, k=4, min_length=20)
    subprocess.run([*command, "--destination", str(site)], cwd=folder, check=True)
    found: dict[str, list[tuple[str, str]]] = {}
    for file in site.rglob("*.html"):
        path = f"/{file.relative_to(site).as_posix()}".removesuffix("index.html")
        tree = LexborHTMLParser(file.read_text(encoding="utf-8"))
        items = tree.css("nav.pagekin-related li")
        links = [(item.css_first("a"), item.css_first("small")) for item in items]
        found[path] = [
            (unquote(a.attributes["href"] or ""), small.text() if small else "")
            for a, small in links
            if a
        ]
    return found


def check(found: dict[str, list[tuple[str, str]]], pages: list[str]) -> None:
    for page in pages:
        assert 1 <= len(found[page]) <= 4, page
        assert all(url in found for url, _ in found[page])
        assert any(reason.startswith("Both mention ") for _, reason in found[page])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("hugo") is None, reason="no hugo (apt-get install hugo)")
def test_hugo_shows_related_pages(tmp_path: Path) -> None:
    pages = sample()
    pages["gärten/größte"] = pages["hedgerow/plants/roses"]
    write_markdown(
        tmp_path / "content", {name.replace("index", "start"): each for name, each in pages.items()}
    )
    layouts = tmp_path / "layouts" / "_default"
    layouts.mkdir(parents=True)
    (layouts / "single.html").write_text(
        f"<title>{{{{ .Title }}}}</title>{{{{ .Content }}}}{template('hugo')}", encoding="utf-8"
    )
    (layouts / "list.html").write_text("<title>{{ .Title }}</title>", encoding="utf-8")
    (tmp_path / "config.toml").write_text(
        f'baseURL = "{BASE}"\ndisableKinds = ["taxonomy", "term", "RSS"]\n', encoding="utf-8"
    )
    found = built(tmp_path, ["hugo", "--quiet"], tmp_path / "data" / "related.json")
    check(found, ["/hedgerow/plants/roses/", "/marketbell/shares/", "/gärten/größte/"])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("jekyll") is None, reason="no jekyll (apt-get install jekyll)")
def test_jekyll_shows_related_pages(tmp_path: Path) -> None:
    pages = sample()
    pages["gärten/größte"] = pages["hedgerow/plants/roses"]
    write_markdown(tmp_path, pages)
    for file in tmp_path.rglob("*.md"):
        file.write_text(f"---\nlayout: default\n---\n{file.read_text('utf-8')}", encoding="utf-8")
    (tmp_path / "_layouts").mkdir()
    (tmp_path / "_layouts" / "default.html").write_text(
        f"<title>{{{{ page.path }}}}</title>{{{{ content }}}}{template('jekyll')}", encoding="utf-8"
    )
    (tmp_path / "_config.yml").write_text(
        f"url: {BASE}\nexclude: [plain, built, index]\n", encoding="utf-8"
    )
    found = built(tmp_path, ["jekyll", "build", "--quiet"], tmp_path / "_data" / "related.json")
    check(found, ["/hedgerow/plants/roses.html", "/marketbell/shares.html", "/gärten/größte.html"])
