"""Index a crawl in a Spark job of one's own.

    spark-submit --master yarn --archives pagekin.tar.gz#pagekin \\
        --conf spark.pyspark.python=./pagekin/bin/python \\
        examples/spark_job.py @warc.paths s3://bucket/my.index

`pagekin.tar.gz` is an environment with pagekin in it, as `venv-pack` makes it; without `--archives`
every machine must have pagekin installed. A list names a source a line, and its sources may be at
URIs, as the index may be.
"""

import sys

from pyspark.sql import SparkSession

from pagekin.engines import spark


def main(sources: list[str], index: str) -> None:
    """Build on the session of the job."""
    with SparkSession.builder.appName("related pages").getOrCreate():
        summary = spark.build(sources, index)
    print(f"{summary.pages:,} pages, {summary.bags:,} bags, {summary.bytes_written:,} bytes")
    for failure in summary.failures:
        print(failure.as_error(), file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:-1], sys.argv[-1])
