"""Every format of a directory gives the same rows; every error names its line."""

import gzip
from pathlib import Path

import pytest

from pagekin.errors import DirectoryError
from pagekin.evaluation.truths import read_rows
from tests.crawls import SHARED

ROWS = [
    ("http://a.example/", ("Science", "Physics")),
    ("http://b.example/x,y", ("Arts",)),
]
TSV = "http://a.example/\tScience/Physics\nhttp://b.example/x,y\tArts\n"
FORMS = {
    "d.tsv": TSV,
    "header.tsv": "url\tcategory\tnote\n" + TSV.replace("\n", "\tx\n"),
    "windows.tsv": "\ufeff# made by hand\r\n\r\n" + TSV.replace("\n", "\r\n"),
    "d.csv": 'URL,class\nhttp://a.example/,Science/Physics\n"http://b.example/x,y", /Arts/ \n',
    "d.jsonl": '{"url": "http://a.example/", "class": ["Science", "Physics"]}\n\n'
    '{"category": "Arts", "url": "http://b.example/x,y", "more": 1}\n',
    "d.rdf": '<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns="http://dmoz.org/rdf/">'
    '<Topic r:id="Top/Science/Physics"><link r:resource="http://a.example/"/></Topic>\n'
    '<ExternalPage about="http://b.example/x,y"><topic>Top/Arts</topic></ExternalPage></RDF>',
}


def rows(path: Path, structure: Path | None = None) -> list[tuple[str, tuple[str, ...]]]:
    return [(row.url, row.path) for row in read_rows(path, structure)]


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str, packed: bool) -> None:
    data = FORMS[name].encode()
    # The name of a file says nothing: its bytes do.
    (tmp_path / "directory").write_bytes(gzip.compress(data) if packed else data)
    assert rows(tmp_path / "directory") == ROWS


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("http://a.example/\tA\nhttp://b.example/ A\n", 2, "no URL and class"),
        ("http://a.example/\tA\n\thttp://b.example/\n", 2, "no URL and class"),
        ("http://a.example/\t / / \n", 1, "the class has no name"),
        ("http://a.example/\n", 1, "no URL and class"),
        ('http://a.example/,A\n"http://b.example/,B\n', 2, "not a line of CSV"),
        ('{"url": "http://a.example/", "class": "A"}\n{"url": 3}\n', 2, 'no object with a "url"'),
        ('{"url": "http://a.example/"}\n', 1, 'no "class"'),
        ('{"url": "http://a.example/", "class": ["A", ""]}\n', 1, "the class has no name"),
        ('{"url": \n', 1, "not JSON"),
        ("<RDF>\n<Topic>\n</RDF>\n", 3, "malformed XML"),
        ("<RDF>\n<a", 2, "malformed XML"),
        ('<!DOCTYPE x [<!ENTITY a "b">]>\n<RDF/>', 1, "a document type is not allowed"),
    ],
)
def test_malformed_row_is_reported_with_its_line(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    (tmp_path / "directory").write_text(text)
    with pytest.raises(DirectoryError, match=said) as caught:
        rows(tmp_path / "directory")
    assert caught.value.line == line
    assert f"directory line {line}: " in str(caught.value)


def test_bytes_that_are_not_text_are_reported_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "directory").write_bytes(b"http://a.example/\tA\nhttp://b.example/\t\xff\n")
    with pytest.raises(DirectoryError, match=r"line 2: not UTF-8"):
        rows(tmp_path / "directory")
    (tmp_path / "directory").write_bytes(b"http://a.example/\tA" + b"a" * (1 << 20))
    with pytest.raises(DirectoryError, match=r"line 1: a line of more than"):
        rows(tmp_path / "directory")


def test_unreadable_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="cannot be read"):
        rows(tmp_path / "absent")
    with pytest.raises(DirectoryError, match="cannot be read"):
        rows(tmp_path)
    cut = gzip.compress(TSV.encode() * 1000)[:-20]
    (tmp_path / "cut").write_bytes(cut)
    with pytest.raises(DirectoryError, match="cannot be read"):
        rows(tmp_path / "cut")


STRUCTURE = """<RDF xmlns:r="http://www.w3.org/TR/RDF/">
<Topic r:id="Top"><narrow r:resource="Top/Science"/></Topic>
<Topic r:id="Top/Science">
<narrow1 r:resource="Top/Optics"/>
<symbolic r:resource="Light:Top/Arts"/>
</Topic>
<Topic r:id="Top/Optics">{}</Topic>
</RDF>"""
CONTENT = """<RDF xmlns:r="http://www.w3.org/TR/RDF/">
<Topic r:id="Top/Optics/Lenses"><link r:resource="http://a.example/"/></Topic>
<Topic r:id="Top/Arts"><link1 r:resource="http://b.example/"/></Topic>
</RDF>"""


def test_structure_defines_the_paths_of_classes(tmp_path: Path) -> None:
    (tmp_path / "content").write_text(CONTENT)
    (tmp_path / "structure").write_text(
        STRUCTURE.format('<symbolic r:resource="Top/Science"/><related r:resource="Top"/>')
    )
    assert rows(tmp_path / "content") == [
        ("http://a.example/", ("Optics", "Lenses")),
        ("http://b.example/", ("Arts",)),
    ]
    assert rows(tmp_path / "content", tmp_path / "structure") == [
        ("http://a.example/", ("Science", "Optics", "Lenses")),
        ("http://b.example/", ("Arts",)),
    ]


def test_cycle_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "content").write_text(CONTENT)
    (tmp_path / "structure").write_text(STRUCTURE.format('<narrow r:resource="Top"/>'))
    with pytest.raises(DirectoryError, match="form a cycle") as caught:
        rows(tmp_path / "content", tmp_path / "structure")
    assert caught.value.line in (2, 4, 7)
    assert caught.value.source == str(tmp_path / "structure")


def test_structure_requires_an_open_directory_dump(tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text(TSV)
    (tmp_path / "structure").write_text(STRUCTURE.format(""))
    with pytest.raises(DirectoryError, match="leave --structure out"):
        rows(tmp_path / "d.tsv", tmp_path / "structure")


@pytest.mark.skipif(not SHARED.exists(), reason="no shared data: see docs/data.md")
def test_sample_files_of_the_open_directory_are_read() -> None:
    found = rows(SHARED / "odp" / "content_sample.rdf.u8")
    assert ("http://www.awn.com/", ("Arts", "Animation")) in found
    otter = ("Arts", "Animation", "Cartoons", "Titles", "P", "PB_&_J_Otter")
    assert ("http://www.tv.com/pbandj-otter/show/2596/summary.html", otter) in found
    again = rows(
        SHARED / "odp" / "content_sample.rdf.u8", SHARED / "odp" / "structure_sample.rdf.u8"
    )
    assert [url for url, _ in again] == [url for url, _ in found]
