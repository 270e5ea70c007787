"""Signatures: whoever changes an index, checksums included, is found out."""

import importlib
import json
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

import pagekin
from pagekin.errors import EngineError, IndexCorrupt, InputError
from pagekin.index import Manifest, signature
from pagekin.index.tables.schema import TABLES
from tests.archives import run
from tests.index.forging import path_of, reseal


def write_keys(folder: Path, name: str) -> tuple[Path, Path]:
    key = Ed25519PrivateKey.generate()
    private, public = folder / f"{name}.pem", folder / f"{name}.pub"
    private.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )
    public.write_bytes(
        key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    return private, public


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, Path]:
    return write_keys(tmp_path, "mine")


def test_signed_index_is_accepted_by_the_command(
    index: Path, keys: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    private, public = keys
    ran = run(capfd, "sign", index, "--key", private)
    assert (ran.code, ran.out) == (0, f"signed: {index}/manifest.sig\n")
    told = json.loads(run(capfd, "sign", index, "--key", private, "--json").out)
    assert told == {"signature": f"{index}/manifest.sig"}
    ran = run(capfd, "check", index, "--signed-by", public)
    assert (ran.code, ran.out) == (0, "sound\n")


def test_unsigned_index_is_refused(
    index: Path, keys: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    ran = run(capfd, "check", index, "--signed-by", keys[1])
    assert ran.code == 1
    assert f"not sound: {index}/manifest.sig: the index is not signed" in ran.out


def test_signature_of_another_key_is_refused(index: Path, tmp_path: Path) -> None:
    opened = pagekin.open(index)
    opened.sign(write_keys(tmp_path, "other")[0])
    with pytest.raises(IndexCorrupt, match="not one of this key for this index"):
        opened.check(signed_by=write_keys(tmp_path, "mine")[1])


@pytest.mark.parametrize("table", TABLES)
def test_forged_file_with_its_old_checksum_is_refused(
    index: Path, keys: tuple[Path, Path], table: str
) -> None:
    """As if the attacker had found another content of the same XXH3."""
    opened = pagekin.open(index)
    opened.sign(keys[0])
    path = path_of(index, table)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.unlink()
    path.write_bytes(content)
    with pytest.raises(IndexCorrupt, match="not one of this key for this index"):
        signature.verify_signature(opened.reader, keys[1])


def test_resealed_manifest_is_refused(index: Path, keys: tuple[Path, Path]) -> None:
    pagekin.open(index).sign(keys[0])
    reseal(index, pagekin="9.9.9")
    with pytest.raises(IndexCorrupt, match="not one of this key for this index"):
        pagekin.open(index).check(signed_by=keys[1])


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"signature": 5}', '{"signature": "é"}', "[" * 9999]
)
def test_broken_signature_is_refused(index: Path, keys: tuple[Path, Path], text: str) -> None:
    (index / "manifest.sig").write_text(text)
    with pytest.raises(IndexCorrupt, match="signature"):
        pagekin.open(index).check(signed_by=keys[1])


def test_copy_with_its_signature_is_accepted(
    index: Path, keys: tuple[Path, Path], tmp_path: Path
) -> None:
    pagekin.open(index).sign(keys[0])
    copy = Path(shutil.copytree(index, tmp_path / "copy"))
    pagekin.open(copy).check(signed_by=keys[1])
    told = json.loads((copy / "manifest.sig").read_text())
    assert told["files"].keys() == Manifest.read(copy).files.keys()


def test_unusable_keys_are_named(index: Path, keys: tuple[Path, Path], tmp_path: Path) -> None:
    rsa = generate_private_key(65537, 2048)
    other = tmp_path / "rsa.pem"
    other.write_bytes(rsa.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    opened = pagekin.open(index)
    for path, said in (
        (other, "is not an Ed25519 key"),
        (keys[1], "cannot be read"),
        (tmp_path / "none", "cannot be read"),
        (tmp_path, "not a regular file"),
    ):
        with pytest.raises(InputError, match=said) as raised:
            opened.sign(path)
        assert "openssl genpkey -algorithm ed25519" in raised.value.advice
    assert not (index / "manifest.sig").exists()


def test_missing_library_is_named(
    index: Path, keys: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(EngineError, match=r"pip install 'pagekin\[sign\]'"):
        pagekin.open(index).sign(keys[0])
