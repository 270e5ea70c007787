"""The log of a service: standard error."""

import logging
import sys

__all__ = ["log_to_stderr"]


def log_to_stderr() -> None:
    """Lines with time and level; of uvicorn's only what went wrong."""
    form = "%(asctime)s %(levelname)s [%(process)d] %(message)s"
    logging.basicConfig(level=logging.INFO, format=form, stream=sys.stderr)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
