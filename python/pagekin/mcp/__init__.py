"""An index as tools for assistants, by the Model Context Protocol (MCP)."""

from pagekin.mcp.server import serve_stdio, server

__all__ = ["serve_stdio", "server"]
