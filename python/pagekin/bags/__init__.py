"""Bags: which addresses are one page, what its site repeats, and what its crawl is about."""
