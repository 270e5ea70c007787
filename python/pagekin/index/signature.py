"""Signatures of an index (Ed25519, RFC 8032): who made it, and that nobody changed it since.

Checksums of an index find accidents, not attackers: XXH3 is no cryptographic hash. So a signature
covers the manifest and a SHA-256 of every file, and is a file of its own beside the manifest.
"""

import base64
import hashlib
import importlib
import json
from os import PathLike
from pathlib import Path
from typing import Any

from pagekin.errors import EngineError, IndexCorrupt, InputError
from pagekin.index.reader import IndexReader
from pagekin.index.tables.mapped import open_regular, unreadable
from pagekin.work.files import write_errors, write_whole

__all__ = ["NAME", "sign", "verify_signature"]

NAME = "manifest.sig"
PURPOSE = "pagekin index signature 1"
"""Signed as well, so that a signature made for something else cannot be passed off as this."""
LONGEST = 16 << 20


def sign(index: IndexReader, key: str | PathLike[str]) -> None:
    """Sign the index with a private key, an Ed25519 key in a PEM file without a password."""
    text = _statement(index)
    signature = _load(Path(key), "private").sign(text.encode())
    told = {"files": json.loads(text)["files"], "signature": base64.b64encode(signature).decode()}
    with write_errors("the signature", index.path / NAME):
        write_whole(index.path / NAME, json.dumps(told, indent=1) + "\n")


def verify_signature(index: IndexReader, key: str | PathLike[str]) -> None:
    """Raise `IndexCorrupt` unless the owner of this public key signed exactly this index."""
    public, path = _load(Path(key), "public"), index.path / NAME
    signature = _read_signature(path)
    invalid = _exception("InvalidSignature")
    try:
        public.verify(signature, _statement(index).encode())
    except invalid as error:
        raise _not_signed(path, "the signature is not one of this key for this index") from error


def _statement(index: IndexReader) -> str:
    """What is signed: the purpose, the manifest that was opened, and every file."""
    manifest = index.manifest
    files = {name: _sha256(index.path / manifest.folder / name) for name in sorted(manifest.files)}
    told = {"purpose": PURPOSE, "manifest": manifest.to_json().decode(), "files": files}
    return json.dumps(told, sort_keys=True)


def _sha256(path: Path) -> str:
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(path, "the table cannot be read", error) from error


def _read_signature(path: Path) -> bytes:
    try:
        with open_regular(path) as file:
            raw = json.loads(file.read(LONGEST))
        return base64.b64decode(_signature_in(raw), validate=True)
    except FileNotFoundError as error:
        raise _not_signed(path, "the index is not signed") from error
    except (OSError, ValueError, RecursionError) as error:
        raise _not_signed(path, f"the signature cannot be read ({error})") from error


def _signature_in(raw: Any) -> str:
    found = raw.get("signature") if isinstance(raw, dict) else None
    return found if isinstance(found, str) else ""


def _not_signed(path: Path, what: str) -> IndexCorrupt:
    return IndexCorrupt(what, path=path, advice="get the index from its maker again, or sign it")


def _load(path: Path, kind: str) -> Any:
    """An Ed25519 key of a PEM file."""
    try:
        serialization = importlib.import_module("cryptography.hazmat.primitives.serialization")
        keys = importlib.import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
        unsupported = _exception("UnsupportedAlgorithm")
    except ImportError as error:
        raise EngineError(
            "signatures need cryptography", advice="pip install 'pagekin[sign]'"
        ) from error
    try:
        with open_regular(path) as file:
            content = file.read(LONGEST)
        found = _parse(serialization, content, kind)
    except (OSError, ValueError, TypeError, unsupported) as error:
        raise _bad_key(path, kind, f"cannot be read ({error})") from error
    wanted = keys.Ed25519PrivateKey if kind == "private" else keys.Ed25519PublicKey
    if not isinstance(found, wanted):
        raise _bad_key(path, kind, "is not an Ed25519 key")
    return found


def _exception(name: str) -> type[Exception]:
    found: type[Exception] = getattr(importlib.import_module("cryptography.exceptions"), name)
    return found


def _parse(serialization: Any, content: bytes, kind: str) -> Any:
    if kind == "private":
        return serialization.load_pem_private_key(content, password=None)
    return serialization.load_pem_public_key(content)


def _bad_key(path: Path, kind: str, what: str) -> InputError:
    return InputError(
        f"the {kind} key {what}",
        source=path,
        advice="make one: openssl genpkey -algorithm ed25519 -out key.pem; "
        "openssl pkey -in key.pem -pubout -out key.pub",
    )
