"""How many partitions a build has: they fit the memory, and their number is bounded."""

import pytest

from pagekin import Settings

MB = 1 << 20
GB = 1 << 30


@pytest.mark.parametrize(
    ("source", "bits"),
    [(0, 4), (20 * MB, 4), (200 * MB, 5), (600 * MB, 7), (2 * GB, 8), (4 * GB, 9), (1 << 50, 13)],
)
def test_partition_bits_follow_crawl_size(source: int, bits: int) -> None:
    settings = Settings(memory=2 * GB, threads=2)
    assert settings.partition_bits(source) == bits
    assert 0 <= bits - settings.partition_bits(source, finest=0) <= (bits <= 8)


@pytest.mark.parametrize("source", [200 * MB, 5 * GB, 50 * GB])
def test_partitions_in_work_fit_the_memory(source: int) -> None:
    settings = Settings(memory=2 * GB, threads=2)
    unfolded = 8 * source / (1 << settings.partition_bits(source))
    assert settings.threads * unfolded <= settings.memory / 4
