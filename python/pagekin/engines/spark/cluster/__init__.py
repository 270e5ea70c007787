"""The Spark that the engine runs on: its session, its jobs, and what it calls in a task."""
