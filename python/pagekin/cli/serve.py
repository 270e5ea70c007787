"""`pagekin serve`: an index as a web service."""

import argparse
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pagekin.cli.options import add_index
from pagekin.cli.values import byte_size, count, seconds
from pagekin.errors import EngineError, ExitCode
from pagekin.serve import RequestLimits, ServeSettings, serve

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]

NEEDED = ("fastapi", "httptools", "jinja2", "orjson", "python_multipart", "uvicorn")
RELOAD_SECONDS = 2.0


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "serve",
        help="serve an index: web pages and an HTTP API",
        description="Serve an index over HTTP: pages to explore a crawl with, and an API under "
        "/api, described at /api/docs. SIGHUP takes up a new index, SIGTERM ends the service when "
        "the requests under way are answered.",
    )
    add_index(command)
    command.add_argument("--host", default="127.0.0.1", help="address (default: %(default)s)")
    command.add_argument("--port", type=int, default=8080, help="port (default: %(default)s)")
    command.add_argument("--report", metavar="FOLDER", help="what `pagekin sweep` wrote, to show")
    command.add_argument(
        "--reload-index", action="store_true", help="take up a new index as soon as it is there"
    )
    command.add_argument("--access-log", action="store_true", help="log every request")
    _add_limits(command)
    command.set_defaults(run=run)


def _add_limits(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    default = "(default: %(default)s)"
    add("--workers", type=count, default=1, help=f"processes that answer {default}")
    add("--threads", type=count, help="threads of each (default: one a core, two at least)")
    add("--cache", type=byte_size, default="64MB", help=f"answers each keeps {default}")
    add(
        "--ahead",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="keep answers for the best known pages while nobody asks and there is room",
    )
    add("--max-k", type=count, default=100, metavar="K", help=f"hits of an answer {default}")
    add("--max-text", type=count, default=200_000, help=f"letters of a text {default}")
    add("--max-body", type=byte_size, default="2MB", help=f"size of a request {default}")
    add("--max-connections", type=count, default=1000, help=f"clients of a process {default}")
    add("--max-seconds", type=seconds, default=10.0, help=f"time of a request {default}")


def run(options: argparse.Namespace) -> ExitCode:
    """Serve until a signal ends it."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise EngineError(
            f"serving needs {', '.join(missing)}", advice="pip install 'pagekin[serve]'"
        )
    limits = RequestLimits(
        body=options.max_body,
        text=options.max_text,
        k=options.max_k,
        seconds=options.max_seconds,
        connections=options.max_connections,
    )
    settings = ServeSettings(
        index=options.index,
        report=options.report,
        host=options.host,
        port=options.port,
        workers=options.workers,
        cache=options.cache,
        ahead=options.ahead,
        reload=RELOAD_SECONDS if options.reload_index else 0.0,
        access_log=options.access_log,
        limits=limits,
    )
    if options.threads:
        settings = replace(settings, threads=options.threads)
    serve(settings, _say_ready)
    return ExitCode.DONE


def _say_ready(address: str) -> None:
    print(f"serving on {address} (Ctrl-C ends it)", flush=True)
