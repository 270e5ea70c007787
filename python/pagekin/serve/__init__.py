"""The web service: an HTTP API under /api, and pages on which a person explores a crawl."""

import asyncio
import socket
from collections.abc import Callable

from pagekin.api import Index
from pagekin.evaluation.selection.results_table import read_report
from pagekin.serve.processes.supervisor import Supervisor, address_of, bound
from pagekin.serve.settings import RequestLimits, ServeSettings, read_token

__all__ = ["RequestLimits", "ServeSettings", "serve"]


def serve(settings: ServeSettings, ready: Callable[[str], None]) -> None:
    """Serve an index until a signal ends it; `ready` is called with the address once it answers.

    A bad index, report or port is raised before anything starts.
    """
    Index(settings.indexes, replay=settings.replay, partial=settings.partial)
    if settings.token_file is not None:
        read_token(settings.token_file)
    if settings.report is not None:
        read_report(settings.report)
    with bound(settings.host, settings.port) as port:
        address = address_of(port)
        asyncio.run(_supervise(settings, port, lambda: ready(address)))


async def _supervise(
    settings: ServeSettings, port: socket.socket, ready: Callable[[], None]
) -> None:
    await Supervisor(settings, port, ready).run()
