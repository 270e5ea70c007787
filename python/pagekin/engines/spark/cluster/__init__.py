"""The Spark that the engine runs on: its session, its jobs, and the functions of its tasks."""
