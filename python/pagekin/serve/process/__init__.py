"""The processes of a service: one parent that holds the port, and workers that answer."""

from pagekin.serve.process.supervisor import Supervisor, address_of, bound

__all__ = ["Supervisor", "address_of", "bound"]
