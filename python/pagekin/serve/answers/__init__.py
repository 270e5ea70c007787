"""What the API and the pages ask of an index, as plain frozen values."""

from pagekin.serve.answers.evaluation import Evaluated, Report, evaluation
from pagekin.serve.answers.page import PageAnswer, page
from pagekin.serve.answers.paging import Paging
from pagekin.serve.answers.pairs import PairsAnswer, PairsQuestion, keywords_of, pairs
from pagekin.serve.answers.related import Question, RelatedAnswer, related
from pagekin.serve.answers.search import Found, SearchAnswer, search

__all__ = [
    "Evaluated",
    "Found",
    "PageAnswer",
    "Paging",
    "PairsAnswer",
    "PairsQuestion",
    "Question",
    "RelatedAnswer",
    "Report",
    "SearchAnswer",
    "evaluation",
    "keywords_of",
    "page",
    "pairs",
    "related",
    "search",
]
