"""Several indexes that answer as one, and the model that they share."""

from pagekin.index.several.model import Model
from pagekin.index.several.reader import SeveralReaders, members_of, open_indexes

__all__ = ["Model", "SeveralReaders", "members_of", "open_indexes"]
