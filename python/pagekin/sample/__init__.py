"""A small set of web sites, written for this project, for the demo, the tutorial and many tests.

`sites/<host>/<path>` are its pages, laid out as on a web server, and `directory.tsv` lists their
classes. `pagekin.sample.pack` packs them into a crawl.
"""

from pathlib import Path

__all__ = ["sample_directory", "sample_sites"]


def sample_directory() -> Path:
    """The directory of the sample: class and URL of each page, as TSV."""
    return Path(__file__).with_name("directory.tsv")


def sample_sites() -> Path:
    """The folder of the sample's sites, a folder for each host."""
    return Path(__file__).with_name("sites")
