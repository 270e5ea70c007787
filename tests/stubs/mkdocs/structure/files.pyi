from collections.abc import Sequence

from mkdocs.structure.pages import Page

class File:
    abs_dest_path: str
    src_uri: str
    page: Page | None

class Files:
    def documentation_pages(self) -> Sequence[File]: ...
