"""The file of a URL. `box/related.js` computes the same.

A URL may hold what no file name may, and be longer than one. So a file is named by the hash of the
URL (FNV-1a, 64 bits: a browser computes it in a few lines), and holds the URL itself, so that two
URLs of one hash may share a file.
"""

__all__ = ["file_name"]

START, PRIME = 0xCBF29CE484222325, 0x100000001B3


def file_name(url: str) -> str:
    """The file of a URL within the folder of pages."""
    hashed = START
    for byte in url.encode():
        hashed = (hashed ^ byte) * PRIME & 0xFFFFFFFFFFFFFFFF
    digits = f"{hashed:016x}"
    return f"{digits[:2]}/{digits[2:]}.json"
