"""What stands between the server and the application: headers, limits, kept answers."""

from pagekin.serve.guard.ahead import Ahead
from pagekin.serve.guard.cache import AnswerCache, KeptAnswers
from pagekin.serve.guard.headers import SafeHeaders
from pagekin.serve.guard.limits import BodyLimit

__all__ = ["Ahead", "AnswerCache", "BodyLimit", "KeptAnswers", "SafeHeaders"]
