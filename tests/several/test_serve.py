"""A service over several indexes."""

import asyncio
import shutil
from collections import Counter
from pathlib import Path

import httpx

import pagekin
from pagekin.serve.app import create_app
from pagekin.serve.service import Service
from pagekin.serve.settings import ServeSettings
from tests.crawls import rows
from tests.several.parts import Cut


def asked(service: Service, path: str) -> httpx.Response:
    """The response of the application, without a server."""
    transport = httpx.ASGITransport(create_app(service))

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get(path)

    return asyncio.run(ask())


def test_service_answers_from_several_indexes(content: Cut, tmp_path: Path) -> None:
    parts = [shutil.copytree(part, tmp_path / part.name) for part in content.parts[:3]]
    settings = ServeSettings(str(parts[0]), others=tuple(map(str, parts[1:])), ahead=False)
    assert ServeSettings.from_json(settings.to_json()) == settings
    service = Service.open(settings)
    several = pagekin.open(parts)
    url = next(row["url"] for row in rows(parts[2], "pages") if row["crawled"])
    answer = asked(service, f"/api/related?k=5&url={url}").json()
    expected = [hit.url for hit in several.related(url, k=5)]
    assert [hit["url"] for hit in answer["hits"]] == expected
    ready = asked(service, "/api/ready").json()
    assert (ready["on_disk"], ready["pages"]) == ("same", several.counts["pages"])
    for path in ("/", f"/related?url={url}", "/search?q=garden", f"/map?url={url}"):
        assert asked(service, path).status_code == 200, path
    assert asked(service, "/api/pairs?q=roses&q=garden").status_code == 422
    shutil.rmtree(parts[1])
    assert asked(service, "/api/ready").json()["on_disk"] == "missing"


def test_crawl_is_browsed_over_several_indexes(default: Cut) -> None:
    settings = ServeSettings(str(default.parts[0]), others=(str(default.parts[1]),), ahead=False)
    service = Service.open(settings)
    for path in ("/", "/sites", "/site?site=www.hedgerow.example", "/subjects"):
        assert asked(service, path).status_code == 200, path
    several = pagekin.open(default.parts[:2])
    members = [pagekin.open(part) for part in default.parts[:2]]
    expected = Counter({each.site: each.pages for each in members[0].sites(k=1000).sites})
    expected.update({each.site: each.pages for each in members[1].sites(k=1000).sites})
    found = several.sites(k=1000).sites
    assert len({each.site for each in found}) == len(found)
    assert {each.site: each.pages for each in found} == expected


def test_new_snapshot_has_another_name_whichever_index_changes(
    content: Cut, tmp_path: Path
) -> None:
    parts = [shutil.copytree(part, tmp_path / part.name) for part in content.parts[:2]]
    current = Service.open(ServeSettings(str(parts[0]), others=(str(parts[1]),))).current
    again = current.open_new()
    assert again is not None and again.name == current.snapshot.name
    pagekin.add(parts[1], content.files[2])
    assert current.on_disk() == "changed"
    changed = current.open_new()
    assert changed is not None and changed.name != current.snapshot.name
