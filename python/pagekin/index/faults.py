"""What is wrong with an index that cannot be read: it is damaged, or the system refuses."""

import errno
from pathlib import Path

from pagekin.errors import IndexCorrupt, IndexFault

__all__ = ["corrupt", "unreadable"]


def corrupt(path: Path, what: str) -> IndexCorrupt:
    """The error for a file that is not what a build wrote."""
    return IndexCorrupt(what, path=path, advice="build the index again")


def unreadable(path: Path, what: str, error: Exception) -> IndexFault:
    """The error for a file that could not be read: damaged, unless the system refused."""
    if isinstance(error, PermissionError):
        return IndexFault(
            f"may not be read ({error.strerror or error})",
            path=path,
            advice="ask its owner for the right to read it; building it again would not help",
        )
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        return IndexFault(
            "the index has more files than this process may open",
            path=path,
            advice="raise the limit with ulimit -n: it takes 16 files a shard and some to spare",
        )
    return corrupt(path, f"{what} ({error})")
