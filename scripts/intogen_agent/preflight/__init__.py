"""Before a run: is everything there that it needs, and what to do where it is not."""
