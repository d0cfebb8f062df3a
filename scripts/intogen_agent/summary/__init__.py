"""Plain-language summaries and the style editor."""
