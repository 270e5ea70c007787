"""Middleware between the server and the application: safe headers, limits, the cache."""

from pagekin.serve.guard.cache import AnswerCache, CachedApp
from pagekin.serve.guard.limits import BodyLimit, SafeHeaders
from pagekin.serve.guard.warming import CacheWarmer

__all__ = ["AnswerCache", "BodyLimit", "CacheWarmer", "CachedApp", "SafeHeaders"]
