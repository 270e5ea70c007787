"""`pagekin serve`: an index as a web service."""

import argparse
import json
from dataclasses import replace
from importlib.util import find_spec

from pagekin.cli.options import Commands, add_fields, add_json, count, fields_of
from pagekin.errors import EngineError, ExitCode
from pagekin.serve import RequestLimits, ServeSettings, serve

__all__ = ["add_serve"]

NEEDED = ("httptools", "jinja2", "orjson", "python_multipart", "starlette", "uvicorn")
RELOAD_SECONDS = 2.0


def add_serve(commands: Commands) -> None:
    """`pagekin serve`."""
    command = commands.add_parser(
        "serve",
        help="serve an index: web pages and an HTTP API",
        description="Serve an index over HTTP: pages to explore a crawl with, and an API under "
        "/api, described at /api/docs. SIGHUP loads a new index, SIGTERM stops the service after "
        "the running requests.",
    )
    command.add_argument(
        "indexes",
        metavar="INDEX",
        nargs="+",
        help="folder of the index; several answer as one",
    )
    add_fields(command, ServeSettings)
    command.add_argument(
        "--threads", type=count, help="threads per worker (default: one per core, at least two)"
    )
    command.add_argument(
        "--reload-index", action="store_true", help="load a new index as soon as it is published"
    )
    add_fields(command, RequestLimits)
    add_json(command)
    command.set_defaults(run=run_serve)


def run_serve(options: argparse.Namespace) -> ExitCode:
    """Serve until a signal stops it."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise EngineError(
            f"serving needs {', '.join(missing)}", advice="pip install 'pagekin[serve]'"
        )
    settings = fields_of(
        options,
        ServeSettings,
        index=options.indexes[0],
        others=tuple(options.indexes[1:]),
        reload=RELOAD_SECONDS if options.reload_index else 0.0,
        limits=fields_of(options, RequestLimits),
    )
    if options.threads:
        settings = replace(settings, threads=options.threads)
    serve(settings, _say_ready_as_json if options.json else _say_ready)
    return ExitCode.DONE


def _say_ready(address: str) -> None:
    print(f"serving on {address} (press Ctrl-C to stop)", flush=True)


def _say_ready_as_json(address: str) -> None:
    print(json.dumps({"address": address}), flush=True)
