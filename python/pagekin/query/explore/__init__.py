"""Looking at a crawl: what it holds, one page, its text, its links, and two pages side by side."""

from pagekin.query.explore.compare import ComparedTerm, Comparison, compare
from pagekin.query.explore.crawl_subjects import CrawlSubject, crawl_subjects
from pagekin.query.explore.neighbourhood import Neighbourhood, neighbourhood
from pagekin.query.explore.overview import Overview, overview
from pagekin.query.explore.page_text import CHARACTERS, PageText, page_text
from pagekin.query.explore.show import show
from pagekin.query.explore.site import SiteCard, site
from pagekin.query.explore.sites import ORDERS as SITE_ORDERS
from pagekin.query.explore.sites import SiteList, sites

__all__ = [
    "CHARACTERS",
    "SITE_ORDERS",
    "ComparedTerm",
    "Comparison",
    "CrawlSubject",
    "Neighbourhood",
    "Overview",
    "PageText",
    "SiteCard",
    "SiteList",
    "compare",
    "crawl_subjects",
    "neighbourhood",
    "overview",
    "page_text",
    "show",
    "site",
    "sites",
]
