"""Related pages for a static site: as files with the script that shows them, or as a data file."""

from pagekin.export.data_file import DataSummary, export_data
from pagekin.export.publishing import file_name
from pagekin.export.site import ExportSummary, export

__all__ = ["DataSummary", "ExportSummary", "export", "export_data", "file_name"]
