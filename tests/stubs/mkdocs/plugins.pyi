from collections.abc import Callable, Mapping
from logging import Logger
from typing import Any, TypeVar

from mkdocs.config.config_options import BaseConfigOption

F = TypeVar("F", bound=Callable[..., Any])

class BasePlugin:
    config_scheme: tuple[tuple[str, BaseConfigOption], ...]
    config: Mapping[str, Any]

def event_priority(priority: float) -> Callable[[F], F]: ...
def get_plugin_logger(name: str) -> Logger: ...
