"""Engines run the kernels of the core over a whole crawl."""
