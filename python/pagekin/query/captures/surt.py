"""Sort-friendly URI reordering transform (SURT), the key of a capture index.

`http://www.a.example:8080/B?d&c` becomes `example,a:8080)/b?c&d`: the host from right to left, then
path and query in lower case. These are the rules of the Wayback Machine, which pywb has as well:
no scheme, no `www.`, no session ids, no slash at the end; parameters are sorted.
"""

import re
from urllib.parse import quote_from_bytes, unquote_to_bytes

__all__ = ["surt"]

_SAFE = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
_WWW = re.compile(rb"www\d*\.")
_PATH_SESSIONS = (
    re.compile(rb"^(.*/)((?:\((?:[a-z]\([0-9a-z]{24}\))+\))/)([^?]+\.aspx.*)$", re.IGNORECASE),
    re.compile(rb"^(.*/)(\([0-9a-z]{24}\)/)([^?]+\.aspx.*)$", re.IGNORECASE),
)
_SESSIONS = (
    rb"jsessionid=[0-9a-z]{32}",
    rb"phpsessid=[0-9a-z]{32}",
    rb"sid=[0-9a-z]{32}",
    rb"aspsessionid[a-z]{8}=[a-z]{24}",
    rb"cfid=[^&]+&cftoken=[^&]+",
)
_QUERY_SESSIONS = tuple(
    re.compile(rb"^(.*)(?:%s)(?:&(.*))?$" % session, re.IGNORECASE) for session in _SESSIONS
)
_PORT = re.compile(rb":([0-9]+)$")
_PORTS = {b"http": b"80", b"https": b"443"}


def surt(url: str) -> str:
    """The key of a canonical URL."""
    scheme, _, rest = url.encode().partition(b"://")
    end = re.search(rb"[/?]|$", rest)
    address, rest = (rest[: end.start()], rest[end.start() :]) if end else (rest, b"")
    path, asked, query = rest.partition(b"?")
    key = _host(address, scheme) + b")" + _path(path)
    if asked and (sorted_query := _query(query)):
        key += b"?" + sorted_query
    return key.decode("ascii")


def _host(address: bytes, scheme: bytes) -> bytes:
    found = _PORT.search(address)
    host, port = (address[: found.start()], found[1]) if found else (address, b"")
    host = host.removeprefix(b"[").removesuffix(b"]")
    host = _escaped(host.replace(b"..", b".").strip(b".").lower())
    host = _WWW.sub(b"", host, count=1) if _WWW.match(host) else host
    parts = b",".join(reversed(host.split(b".")))
    return parts if port in (b"", _PORTS.get(scheme)) else parts + b":" + port


def _path(path: bytes) -> bytes:
    kept: list[bytes] = []
    for part in _unescaped(path).split(b"/")[1:]:
        if part == b"..":
            kept = kept[:-1] if kept else [part]
        elif part != b".":
            kept.append(part)
    whole = b"/" + b"".join(part + b"/" for part in kept[:-1] if part) + b"".join(kept[-1:])
    lower = _escaped(whole).lower()
    for pattern in _PATH_SESSIONS:
        if found := pattern.match(lower):
            lower = found[1] + found[3]
    return lower[:-1] if lower.endswith(b"/") and len(lower) > 1 else lower


def _query(query: bytes) -> bytes:
    plain = _escaped(_unescaped(query))
    for pattern in _QUERY_SESSIONS:
        if found := pattern.match(plain):
            plain = found[1] + (found[2] or b"")
    if len(plain) <= 1:
        return plain.lower()
    fields = sorted(tuple(field.split(b"=", 1)) for field in plain.lower().split(b"&"))
    return b"&".join(b"=".join(field) for field in fields)


def _unescaped(text: bytes) -> bytes:
    """Without percent escapes, also those of escapes."""
    while (plain := unquote_to_bytes(text)) != text:
        text = plain
    return text


def _escaped(text: bytes) -> bytes:
    return quote_from_bytes(text, safe=_SAFE).encode()
