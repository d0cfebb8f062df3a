"""MCP servers: sessions over stdio, allow-lists, adapters."""
