"""A small web, written for this project, that carries the demo, the tutorial and many tests.

`sites/<host>/<path>` are its pages as a web server would keep them, `directory.tsv` the classes
they belong to. `pagekin.sample.pack` makes the crawl of it.
"""

from pathlib import Path

__all__ = ["sample_directory", "sample_sites"]


def sample_directory() -> Path:
    """The directory of the sample: class and URL of each page, as TSV."""
    return Path(__file__).with_name("directory.tsv")


def sample_sites() -> Path:
    """The folder of the sample's sites, a folder for each host."""
    return Path(__file__).with_name("sites")
