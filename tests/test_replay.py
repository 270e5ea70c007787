"""Replay links: templates of web archives, and what is not one."""

import pytest

from pagekin.errors import InputError
from pagekin.replay import ReplayTemplate

URL = "http://a.example/b?c=d&e=%20f"
SECONDS = 1_577_934_245


@pytest.mark.parametrize(
    ("text", "link"),
    [
        (
            "https://web.archive.org/web/{timestamp}/{url}",
            f"https://web.archive.org/web/20200102030405/{URL}",
        ),
        ("http://localhost:8080/my/{timestamp}mp_/{url}", None),
        (
            "https://replay.example/?source=a.wacz#view=pages&url={url}&ts={timestamp}",
            "https://replay.example/?source=a.wacz#view=pages"
            "&url=http%3A%2F%2Fa.example%2Fb%3Fc%3Dd%26e%3D%2520f&ts=20200102030405",
        ),
        ("https://a.example/{url}", f"https://a.example/{URL}"),
    ],
)
def test_link_is_the_template_with_url_and_date(text: str, link: str | None) -> None:
    expected = link or f"http://localhost:8080/my/20200102030405mp_/{URL}"
    assert ReplayTemplate(text).link(URL, SECONDS) == expected


def test_link_needs_the_date_it_shows() -> None:
    assert ReplayTemplate("https://a.example/{timestamp}/{url}").link(URL, None) is None
    assert ReplayTemplate("https://a.example/{url}").link(URL, None) == f"https://a.example/{URL}"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("https://a.example/{timestmp}/{url}", 'did you mean "timestamp"'),
        ("https://a.example/{timestamp}/", "has no {url}"),
        ("https://a.example/{url}}", "brace"),
        ("https://a.example/{url", "brace"),
        ("javascript:alert('{url}')", "not an http or https address"),
        ("//a.example/{url}", "not an http or https address"),
        ("https://{url}/", "not an http or https address"),
        ("https://u:p@a.example/{url}", "name or password"),
        ('https://a.example/"{url}', "characters"),
        ("https://a.example/ {url}", "characters"),
        ("https://a.example/{url}\n", "characters"),
        ("https://[/{url}", "not an address"),
        ("https://a.example/{url}" + "x" * 2000, "more than"),
        ("{0.__class__}{url}", "unknown"),
        ("", "has no {url}"),
    ],
)
def test_invalid_template_is_refused(text: str, fault: str) -> None:
    with pytest.raises(InputError) as raised:
        ReplayTemplate(text)
    assert fault in str(raised.value)
