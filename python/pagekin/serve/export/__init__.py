"""Related pages as files for a static site, and the script that shows them there."""

from pagekin.serve.export.export import Exported, export
from pagekin.serve.export.names import file_name

__all__ = ["Exported", "export", "file_name"]
