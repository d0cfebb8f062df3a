"""The local evidence store: SQLite, built from record files, served over MCP."""
