"""The link audit of a site: orphans, dead ends, missing and broken links, near duplicates."""

from pagekin.audit.findings import KINDS, Audit, Finding, Kind, kinds_named
from pagekin.audit.formats import FORMATS, read_audit, render
from pagekin.audit.options import AuditQuestion
from pagekin.audit.run import audit

__all__ = [
    "FORMATS",
    "KINDS",
    "Audit",
    "AuditQuestion",
    "Finding",
    "Kind",
    "audit",
    "kinds_named",
    "read_audit",
    "render",
]
