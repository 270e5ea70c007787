"""Related pages as files for a static site, and the script that shows them there."""

from pagekin.export.publishing import file_name
from pagekin.export.site import ExportSummary, export

__all__ = ["ExportSummary", "export", "file_name"]
