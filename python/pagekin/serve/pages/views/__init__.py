"""One module a page: each reads its address, asks, and renders."""
