class StatusAndHeaders:
    protocol: str
    statusline: str
    def get_header(self, name: str, default_value: str | None = None) -> str | None: ...
