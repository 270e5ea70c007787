"""The web service: an HTTP API under /api, and pages on which a person explores a crawl."""

import asyncio
import socket
from collections.abc import Callable

from pagekin.evaluation.selection.results_table import read_report
from pagekin.opened import Index
from pagekin.serve.process import Supervisor, address_of, bound
from pagekin.serve.settings import RequestLimits, ServeSettings

__all__ = ["RequestLimits", "ServeSettings", "serve"]


def serve(settings: ServeSettings, ready: Callable[[str], None]) -> None:
    """Serve an index until a signal ends it; `ready` is called with the address once it answers.

    A bad index, report or port is raised before anything starts.
    """
    Index(settings.index)
    if settings.report is not None:
        read_report(settings.report)
    with bound(settings.host, settings.port) as port:
        address = address_of(port)
        asyncio.run(_supervised(settings, port, lambda: ready(address)))


async def _supervised(
    settings: ServeSettings, port: socket.socket, ready: Callable[[], None]
) -> None:
    await Supervisor(settings, port, ready).run()
