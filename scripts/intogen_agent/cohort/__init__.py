"""From driver tables to tasks: reading, cancer types, collapsing, paths."""
