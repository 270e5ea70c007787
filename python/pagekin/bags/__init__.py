"""Bags are made by the core; what is learnt from them is here."""

from pagekin.bags.concepts import Learnt, learn, named, sample

__all__ = ["Learnt", "learn", "named", "sample"]
