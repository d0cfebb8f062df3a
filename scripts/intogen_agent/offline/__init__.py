"""The offline model: a deterministic extractive composer behind an OpenAI-compatible server."""
