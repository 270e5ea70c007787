"""Fixtures of the Spark tests. Starting Spark takes longer than most of them."""

from collections.abc import Iterator

import pytest

from tests.engines.spark.clusters import Driver, driver
from tests.storage import Storage, bucket, storage

__all__ = ["bucket", "storage", "two_cores"]


@pytest.fixture(scope="session")
def two_cores(storage: Storage) -> Iterator[Driver]:
    """A driver on two local cores that can reach the storage."""
    with driver("local[2]", storage.surroundings) as started:
        yield started
