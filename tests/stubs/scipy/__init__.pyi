"""The part of scipy that the benchmark uses."""
