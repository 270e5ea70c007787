"""Questions in words: posting lists, BM25F, and phrases."""
