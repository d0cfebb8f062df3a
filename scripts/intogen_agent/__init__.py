"""Citation-backed reports of how intOGen driver genes act in each cancer type."""

__version__ = "0.1.0"
