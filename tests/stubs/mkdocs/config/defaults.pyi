class MkDocsConfig:
    site_url: str | None
