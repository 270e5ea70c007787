"""Sites: the pages of a host, or of a registrable domain by the public suffix list."""

import ipaddress
from functools import cache, lru_cache
from typing import Any

import pyarrow as pa
from publicsuffixlist import PublicSuffixList

from pagekin.arrays import word_array

__all__ = ["registrable_domain", "registrable_domains"]


def registrable_domains(hosts: "pa.Array[Any]") -> "pa.Array[Any]":
    """The registrable domain of each host, without its port."""
    coded = hosts.dictionary_encode()
    names = [registrable_domain(str(host)) for host in coded.dictionary.to_pylist()]
    return word_array(names).take(coded.indices)


@lru_cache(maxsize=1 << 16)
def registrable_domain(host: str) -> str:
    """The registrable domain of a host; the host itself if it has none."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return _suffixes().privatesuffix(name) or name
    return name


@cache
def _suffixes() -> PublicSuffixList:
    """The list that comes with the library: nothing is downloaded."""
    return PublicSuffixList()
