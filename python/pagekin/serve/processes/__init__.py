"""The processes of a service: a supervisor, its workers, and the connections of a worker."""
