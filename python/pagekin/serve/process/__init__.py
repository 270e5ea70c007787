"""The processes of a service: one parent that holds the port, and workers that answer."""

from pagekin.serve.process.port import bound
from pagekin.serve.process.supervisor import Supervisor

__all__ = ["Supervisor", "bound"]
