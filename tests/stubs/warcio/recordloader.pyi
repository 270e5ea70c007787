from typing import BinaryIO

from warcio.statusandheaders import StatusAndHeaders

class ArcWarcRecord:
    rec_type: str
    rec_headers: StatusAndHeaders
    http_headers: StatusAndHeaders | None
    def content_stream(self) -> BinaryIO: ...
