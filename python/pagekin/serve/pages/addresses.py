"""URLs as people read them: escapes of letters decoded, and names of hosts in their own script.

What is shown is never a link's target. Nothing is decoded that could make one URL look like
another: reserved characters, spaces, controls, marks of direction, and names of hosts that mix
scripts or are written in letters that look like Latin ones.
"""

import re
import unicodedata
from functools import lru_cache

__all__ = ["readable", "readable_host"]

ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_JAPANESE = ("CJK", "HIRAGANA", "KATAKANA")
_INDIC = ("BENGALI", "DEVANAGARI", "GUJARATI", "TAMIL", "TELUGU")
SCRIPTS = frozenset((*_JAPANESE, *_INDIC, "ARABIC", "HANGUL", "HEBREW", "THAI"))
"""Scripts whose letters cannot be taken for Latin ones."""
JAPANESE = frozenset(_JAPANESE)
"""Scripts that one word may have together."""
LATIN = frozenset("\u00df\u00e6\u00f0\u00f8\u00fe\u0153")
"""Latin letters that are neither of ASCII nor one of ASCII with an accent."""


@lru_cache(maxsize=1 << 12)
def readable(url: str) -> str:
    """A URL to be shown."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return ESCAPES.sub(_decoded, url)
    host, slash, path = rest.partition("/")
    return f"{scheme}://{readable_host(host)}{slash}{ESCAPES.sub(_decoded, path)}"


def readable_host(host: str) -> str:
    """The name of a host to be shown."""
    return ".".join(map(_readable_label, host.split(".")))


def _decoded(escapes: re.Match[str]) -> str:
    """Escapes as the letters that they stand for; others stay as they are."""
    text = bytes.fromhex(escapes[0].replace("%", "")).decode("utf-8", "surrogateescape")
    return "".join(map(_shown, "/" + text, text))


def _shown(before: str, letter: str) -> str:
    """A letter, or its escape: a mark needs a letter that it stands on."""
    kind = unicodedata.category(letter)[0]
    if letter > "\x7f" and (kind in "LN" or (kind == "M" and before > "\x7f")):
        return letter
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogateescape"))


def _readable_label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        text = label[4:].encode("ascii").decode("punycode")
        same = text.encode("punycode").decode("ascii") == label[4:]
    except UnicodeError:
        return label
    return text if text and same and _is_safe(text) else label


def _is_safe(text: str) -> bool:
    """Whether the letters are of one script, and look like those of no other."""
    if unicodedata.normalize("NFC", text) != text:
        return False
    scripts = {_script(letter) for letter in text if letter not in "0123456789-"}
    if len(scripts) > 1:
        return scripts <= JAPANESE
    return scripts <= SCRIPTS | {"LATIN"}


def _script(letter: str) -> str:
    """The script of a letter; nothing for what may be taken for something else."""
    if unicodedata.category(letter)[0] not in "LMN":
        return ""
    base = unicodedata.normalize("NFD", letter)[0]
    if "a" <= base <= "z" or letter in LATIN:
        return "LATIN"
    script = unicodedata.name(letter, "").partition(" ")[0]
    return "" if script == "LATIN" else script
