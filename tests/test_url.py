"""Registrable domains by the public suffix list, and hosts without one."""

import pyarrow as pa
import pytest

from pagekin.url import registrable_domain, registrable_domains


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.cs.cornell.edu", "cornell.edu"),
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("bbc.co.uk:8080", "bbc.co.uk"),
        ("one.github.io", "one.github.io"),
        ("www.xn--85x722f.com.cn", "xn--85x722f.com.cn"),
        ("a.b.example", "b.example"),
        ("co.uk", "co.uk"),
        ("localhost", "localhost"),
        ("localhost:81", "localhost"),
        ("192.0.2.7", "192.0.2.7"),
        ("192.0.2.7:80", "192.0.2.7"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("[2001:db8::1]:81", "[2001:db8::1]"),
    ],
)
def test_registrable_domain_of_a_host(host: str, domain: str) -> None:
    assert registrable_domain(host) == domain


def test_registrable_domains_of_a_column() -> None:
    hosts = ["a.b.example", "bbc.co.uk", "c.b.example", "a.b.example"]
    expected = ["b.example", "bbc.co.uk", "b.example", "b.example"]
    assert registrable_domains(pa.array(hosts)).to_pylist() == expected
    assert registrable_domains(pa.array([], pa.string())).to_pylist() == []
