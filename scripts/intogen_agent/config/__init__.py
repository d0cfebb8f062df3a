"""The configuration: settings, their checks and their schema."""
