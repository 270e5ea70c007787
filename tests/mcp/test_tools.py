"""The tools for assistants, asked by the protocol's own client over standard input and output."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult

import pagekin
from pagekin.mcp import server
from pagekin.query import common_words

ROSES = "http://www.hedgerow.example/plants/roses.html"
HELLEBORES = "http://www.hedgerow.example/plants/hellebores.html"
ABSENT = "http://www.hedgerow.example/plants/thistles.html"
COMMAND = [sys.executable, "-m", "pagekin", "mcp"]


Conversation = Callable[[Client], Awaitable[Any]]


def talk(index: Path, ask: Conversation) -> Any:
    """What a client gets from the tools."""

    async def converse() -> Any:
        async with Client(server(pagekin.open(index))) as client:
            return await ask(client)

    return asyncio.run(converse())


def talk_to_command(index: Path, ask: Conversation) -> Any:
    """What a client gets from the command in a process of its own."""

    async def converse() -> Any:
        started = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], str(index)])
        async with Client(stdio_client(started)) as client:
            return await ask(client)

    return asyncio.run(converse())


def calling(*calls: tuple[str, dict[str, Any]]) -> Conversation:
    """Calls of tools, one after the other."""

    async def ask(client: Client) -> list[CallToolResult]:
        return [await client.call_tool(name, arguments) for name, arguments in calls]

    return ask


def content(answer: CallToolResult) -> dict[str, Any]:
    """What a tool found; its text is the same as JSON, for clients that read only that."""
    assert not answer.is_error and answer.structured_content is not None, answer.content
    (text,) = (block.text for block in answer.content if block.type == "text")
    found: dict[str, Any] = json.loads(text)
    assert found == answer.structured_content
    return found


def test_a_client_finds_the_tools_and_uses_each(index: Path) -> None:
    opened = pagekin.open(index)
    found, related, text, pairs, compared = map(
        content,
        talk_to_command(
            index,
            calling(
                ("search", {"words": "old roses", "count": 3}),
                ("related", {"urls": [ROSES], "count": 3}),
                ("read", {"url": ROSES}),
                ("pairs", {"keywords": ["garden", "pruning", "roses"], "sites": 1}),
                ("compare", {"one": ROSES, "other": HELLEBORES}),
            ),
        ),
    )
    hits = opened.search("old roses", k=3).hits
    assert [page["source"]["url"] for page in found["pages"]] == [hit.url for hit in hits]
    assert found["next_offset"] == 3
    answer = opened.related(ROSES, k=3)
    assert [page["both_about"] for page in related["pages"]] == [*map(common_words, answer)]
    assert related["not_in_crawl"] == [page.url for page in answer.not_in_crawl]
    assert "A rose is far harder to kill than its reputation suggests." in text["text"]
    assert text["characters"] == len(text["text"]) and text["next"] is None
    assert pairs["sites"][0]["site"] == "www.hedgerow.example"
    assert compared["score"] == opened.compare(ROSES, HELLEBORES).score
    assert compared["other"]["url"] == HELLEBORES and compared["link_to_one"] is not None


def test_every_tool_says_that_it_only_reads_and_what_it_answers(index: Path) -> None:
    tools = talk(index, lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == ["search", "related", "read", "pairs", "compare"]
    for tool in tools:
        assert tool.description and tool.annotations.read_only_hint
        assert tool.output_schema["properties"], tool.name


def test_answers_carry_their_sources(index: Path) -> None:
    calls = calling(("search", {"words": "roses"}), ("related", {"urls": [ROSES]}))
    found, related = map(content, talk(index, calls))
    opened = pagekin.open(index)
    for page in [*found["pages"], *related["pages"]]:
        card, source = opened.show(page["source"]["url"]), page["source"]
        assert (source["title"], source["captured"]) == (card.title, card.date)
        text = " ".join(opened.text(card.url).text.split())
        passages = source["passage"].strip(" …").split(" … ")
        assert source["captured"] and all(passage in text for passage in passages)


def test_a_long_text_is_read_in_parts(index: Path) -> None:
    whole = pagekin.open(index).text(ROSES)
    parts: list[str] = []
    start: int | None = 0
    while start is not None:
        asked = calling(("read", {"url": ROSES, "start": start, "characters": 700}))
        (answer,) = talk(index, asked)
        parts.append(content(answer)["text"])
        start = content(answer)["next"]
    assert len(parts) > 1 and "".join(parts) == whole.text


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("related", {}, "no question given"),
        ("related", {"urls": ROSES}, "valid list"),
        ("related", {"urls": ["ftp://a.example/"]}, "not a valid URL"),
        ("related", {"urls": [ROSES], "only": {"site": "a b/c"}}, "a host or a domain"),
        ("read", {"url": ABSENT}, "no page or link of the crawl has this URL; did you mean"),
        ("read", {"url": ROSES, "characters": 10**9}, "less than or equal to 20000"),
        ("search", {"words": "roses", "count": 0}, "greater than or equal to 1"),
        ("search", {"words": "roses", "only": {"from_date": "lately"}}, "a date such as"),
        ("search", {"words": 5}, "valid string"),
        ("pairs", {"keywords": ["garden"]}, "at least 2"),
        ("pairs", {"keywords": ["garden", "xyzzyx"]}, "xyzzyx"),
        ("compare", {"one": ROSES}, "other"),
        ("launch", {}, "Unknown tool"),
    ],
)
def test_nonsense_is_an_error_of_the_tool_and_the_next_call_is_answered(
    index: Path, tool: str, arguments: dict[str, Any], told: str
) -> None:
    calls = calling((tool, arguments), ("search", {"words": "roses"}))
    refused, next_answer = talk(index, calls)
    assert refused.is_error and told in str(refused.content)
    assert "Traceback" not in str(refused.content)
    assert content(next_answer)["found"] > 0


def test_invalid_lines_do_not_end_the_conversation(index: Path) -> None:
    lines = [
        b"not json\n",
        b"\xff\xfe\x00\n",
        b"[" * 100_000 + b"\n",
        b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": '
        b'"2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}}\n',
        b'{"jsonrpc": "2.0", "id": 2, "method": "no/such", "params": {}}\n',
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n',
        b'{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "search", '
        b'"arguments": {"words": "roses", "count": 1}}}\n',
    ]
    # The conversation is open until the last question is answered.
    command = [*COMMAND, str(index)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin and child.stdout and child.stderr
        child.stdin.writelines(lines)
        child.stdin.flush()
        answers = {}
        while 3 not in answers:
            message = json.loads(child.stdout.readline())
            answers[message.get("id")] = message
        child.stdin.close()
        assert child.wait(60) == 0 and b"Traceback" not in child.stderr.read()
    assert "error" in answers[2]
    assert answers[3]["result"]["structuredContent"]["pages"][0]["source"]["url"] == ROSES


def test_a_folder_without_an_index_is_said_before_any_message(tmp_path: Path) -> None:
    ran = subprocess.run(
        [*COMMAND, str(tmp_path)], check=False, capture_output=True, text=True, input=""
    )
    assert ran.returncode == 2 and ran.stdout == ""
    assert ran.stderr.startswith("pagekin: ") and "contains no index" in ran.stderr
