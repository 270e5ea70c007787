"""What goes wrong in PySpark."""

import importlib

__all__ = ["spark_errors"]


def spark_errors() -> tuple[type[Exception], ...]:
    """What PySpark raises, and the bridge between Python and the JVM."""
    own: type[Exception] = importlib.import_module("pyspark.errors").PySparkException
    bridge: type[Exception] = importlib.import_module("py4j.protocol").Py4JError
    return own, bridge
