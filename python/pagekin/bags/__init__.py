"""Bags are made by the core; what is learnt from them is here."""

from pagekin.bags.concepts import learn, named, sample

__all__ = ["learn", "named", "sample"]
