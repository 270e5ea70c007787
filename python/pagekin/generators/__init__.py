"""Related pages in the pages of a documentation generator, while it builds them.

`sphinx` and `mkdocs` are the plugins: they hand over documents and get a list for each. No other
module here imports a generator.
"""

__all__: list[str] = []
