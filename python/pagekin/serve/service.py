"""What a request needs of the service: settings, the snapshot it began with, and threads."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Concatenate, ParamSpec, TypeVar

from fastapi import Depends, Request

from pagekin.errors import Refused
from pagekin.opened import Index
from pagekin.serve.current import Current, Snapshot
from pagekin.serve.settings import ServeSettings
from pagekin.serve.work import Pool

__all__ = ["Asker", "Asking", "Service"]

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Service:
    """One worker: its settings, its index, its threads."""

    settings: ServeSettings
    current: Current
    pool: Pool

    @classmethod
    def open(cls, settings: ServeSettings) -> "Service":
        """Open the index, or raise what is wrong with it."""
        limits = settings.limits
        pool = Pool(settings.threads, limits.waiting, limits.seconds)
        return cls(settings, Current(settings.index, settings.report), pool)


@dataclass(frozen=True, slots=True)
class Asker:
    """A request's way to answers: everything it asks, it asks of one snapshot."""

    service: Service
    snapshot: Snapshot

    @property
    def settings(self) -> ServeSettings:
        """What the service was told."""
        return self.service.settings

    def limit(self, name: str, value: int, most: int) -> None:
        """Refuse what is asked for in excess."""
        if value > most:
            raise Refused("bad_parameter", f"{name}: {value:,}", advice=f"at most {most:,}")

    async def ask(
        self, question: Callable[Concatenate[Index, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Answer a question about the index in a thread, under the service's limits."""
        return await self.service.pool.run(question, self.snapshot.index, *args, **kwargs)


async def _of(request: Request) -> Asker:
    service: Service = request.app.state.service
    snapshot: Snapshot = request.scope["pagekin.snapshot"]
    return Asker(service, snapshot)


Asking = Annotated[Asker, Depends(_of)]
"""What an endpoint takes as a parameter in order to ask: `asking: Asking`."""
