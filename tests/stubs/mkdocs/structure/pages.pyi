from typing import Any

from mkdocs.structure.files import File

class Page:
    content: str | None
    file: File
    meta: dict[str, Any]
    title: str | None
    url: str
