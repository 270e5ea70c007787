"""Files: those of this machine, which appear when they are whole, and those elsewhere, by URI."""

from pagekin.files.remote import (
    changes,
    chunks,
    copied,
    download,
    exists,
    is_missing,
    is_remote,
    listed,
    move,
    remove,
    sizes,
)
from pagekin.files.whole import (
    draft_folder,
    lock,
    locked,
    refuse_folder,
    remove_drafts,
    synced,
    write_whole,
    writing,
)

__all__ = [
    "changes",
    "chunks",
    "copied",
    "download",
    "draft_folder",
    "exists",
    "is_missing",
    "is_remote",
    "listed",
    "lock",
    "locked",
    "move",
    "refuse_folder",
    "remove",
    "remove_drafts",
    "sizes",
    "synced",
    "write_whole",
    "writing",
]
