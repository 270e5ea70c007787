"""The port that a service listens on."""

import errno
import socket

from pagekin.errors import EngineError

__all__ = ["address_of", "bound"]

BACKLOG = 2048

_ADVICE = {
    errno.EADDRINUSE: "it is in use: stop whoever has it, or give another --port",
    errno.EACCES: "ports below 1024 are for root: give another --port",
    errno.EADDRNOTAVAIL: "this machine has no such address: give another --host",
}


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there, or an error that says why it cannot."""
    if not 0 <= port < 1 << 16:
        raise EngineError(
            "the service cannot listen there",
            where=f"port {port}",
            advice="give a --port below 65536",
        )
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise _cannot(host, port, error) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise _cannot(host, port, error) from error
    return listening


def _cannot(host: str, port: int, error: Exception) -> EngineError:
    advice = _ADVICE.get(getattr(error, "errno", None) or 0, "give another --host or --port")
    return EngineError(
        f"the service cannot listen there ({error})", where=f"{host}:{port}", advice=advice
    )


def address_of(listening: socket.socket) -> str:
    """Where a browser finds the service."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
